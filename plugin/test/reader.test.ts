// Pages and mails on a real WordPress in other languages: words, days, numbers and prices of the reader, from either side.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeSite, type List, type TestedSite } from '../../dev/wordpress/describe-site.ts';
import { fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';
import { skipWithoutLanguages } from '../../dev/wordpress/wordpress.ts';

const speak = (site: TestedSite, locale: string) => site.setOption('WPLANG', locale);

describeSite('other languages', { locale: 'de_DE', skip: skipWithoutLanguages() }, (site) => {
  const { alice } = site.visitors;
  let list: List;
  before(async () => {
    const day = { registry_event_type: 'Wedding', registry_event_date: '2027-06-12' };
    const meta = { ...day, registry_currency: 'EUR' };
    // The gift's name runs from left to right, unlike Arabic.
    const gift = { name: 'Pan (28 cm)', url: `${site.shop}/pan`, price: 1289.5, quantity_needed: 12 };
    list = await site.list({ title: 'Ann & Bob!', status: 'publish', meta }, gift);
  });

  const page = async (path: string, visitor?: Visitor) =>
    (await (visitor ?? (await site.visit()))(path)).text;
  const readable = (html: string) => html.replaceAll('&nbsp;', '\u00a0').replaceAll('&#8211;', '–');

  const said: Record<string, { list: (string | RegExp)[]; archive: RegExp; front: string }> = {
    de_DE: {
      list: ['Hochzeit', '12. Juni 2027', '1.289,50\u00a0€', '12 gewünscht', 'Das schenke ich'],
      archive: /<h1[^>]*>[^<]*Wunschlisten<\/h1>/,
      front: 'Jedes Geschenk findet nach Hause',
    },
    fr_FR: {
      list: ['Mariage', '12 juin 2027', '1\u202f289,50\u00a0€', '12 à offrir', 'Je l’offre'],
      archive: /<h1[^>]*>[^<]*Listes de cadeaux<\/h1>/,
      front: 'Chaque cadeau arrive à bon port',
    },
    es_ES: {
      list: ['Boda', '12 de junio de 2027', '1.289,50\u00a0€', 'Hacen falta: 12', 'Lo regalo yo'],
      archive: /<h1[^>]*>[^<]*Listas de regalos<\/h1>/,
      front: 'Cada regalo encuentra su casa',
    },
    ar: {
      list: [
        ...['زفاف', '12 يونيو 2027', 'العدد المطلوب: 12', 'سأهديها أنا'],
        '\u2068Pan (28 cm)\u2069',
        /\u2068\u200f1,289\.50\u00a0€\u2069/,
      ],
      archive: /<h1[^>]*>[^<]*قوائم الهدايا<\/h1>/,
      front: 'كل هدية تجد طريقها إلى البيت',
    },
  };

  for (const [locale, words] of Object.entries(said))
    test(`the pages in ${locale}`, async () => {
      await speak(site, locale);
      const html = readable(await page(list.path));
      assert.match(html, new RegExp(`<html [^>]*lang="${locale.replace('_', '-')}"`));
      assert.equal(/<html [^>]*dir="rtl"/.test(html), locale === 'ar');
      for (const part of words.list)
        assert.ok(typeof part === 'string' ? html.includes(part) : part.test(html), `${part} in ${html}`);
      assert.match(await page('/registry/'), words.archive);
      assert.ok((await page('/')).includes(words.front));
    });

  const days: Record<string, { day: string; moment: string }> = {
    de_DE: { day: '12. Juni 2027', moment: '12. Juni 2027, 14:05 Uhr' },
    fr_FR: { day: '12 juin 2027', moment: '12 juin 2027, 14 h 05' },
    es_ES: { day: '12 de junio de 2027', moment: '12 de junio de 2027, 14:05' },
    ar: { day: '12 يونيو 2027', moment: '12 يونيو 2027، 2:05 م' },
    '': { day: 'June 12, 2027', moment: 'June 12, 2027, 2:05 pm' },
  };
  for (const [locale, said] of Object.entries(days))
    test(`a day in ${locale || 'English'} has the order and signs of the language, unless the site chose numbers`, async () => {
      await speak(site, locale);
      const dates = ['F j, Y', 'j F Y', 'Y-m-d', 'l, j. F Y'];
      const formats = dates.map((date, n) => [date, ['g:i a', 'H:i', 'g:i A', 'H:i'][n]]);
      const at = Date.UTC(2027, 5, 12, 14, 5) / 1000;
      const found: [string, string][] = await site.call('reader.times', at, ...formats);
      const [usual, british, numbers, weekday] = found;
      assert.deepEqual(usual, [said.day, said.moment]);
      assert.equal(british![0], locale ? said.day : '12 June 2027');
      assert.match(british![1], /14:05$/, 'a time that the site chose stays');
      assert.equal(numbers![0], '2027-06-12');
      assert.match(weekday![0], /^\S+, 12\. \S+ 2027$/, 'a format of the site’s own stays');
    });

  test('a country without words of its own has those of its language', async () => {
    for (const locale of ['de_AT', 'de_DE_formal', 'es_MX']) {
      // WordPress itself need not have that language.
      const found = await site.call('reader.catalogues', locale);
      const near = locale.startsWith('de') ? 'de_DE' : 'es_ES';
      assert.deepEqual(found, [`trousseau-${near}.mo`, `${near}.mo`, `${locale}.mo`]);
    }
  });

  test('an occasion is stored once, and read in every language', async () => {
    await speak(site, 'de_DE');
    const { details } = list;
    const form = await alice(details);
    assert.match(form.text, /<option value="wedding" selected='selected'>Hochzeit/);
    const sent = { occasion: 'birthday', status: 'publish', surprise: 'no', currency: 'EUR' };
    assert.equal((await alice(details, { ...fieldsOf(form.text, 'change')!, ...sent })).status, 303);
    assert.equal(await site.postMeta(list.id, 'registry_event_type'), 'Birthday');
    assert.match(await page(list.path), /Geburtstag/);
    await speak(site, 'fr_FR');
    assert.match(await page(list.path), /Anniversaire/);
  });

  test('mails speak the language of their reader: of the account, or else of the site', async () => {
    await speak(site, 'fr_FR');
    await site.setUserMeta(site.users.bob.id, 'locale', 'de_DE');
    await site.setUserMeta(site.users.carol.id, 'locale', 'ar');
    await site.setOption('date_format', 'd/m/Y');
    const about = { registry: 'Ann & Bob!', link: `${site.url}/x` };
    const gift = { gift: 'Pan (28 cm)', shop: '', expires_at: '2027-06-12T12:00:00Z' };
    for (const email of [site.users.bob.email, site.users.carol.email, 'ruth@example.org']) {
      await site.call('send_mail', email, 'claim-reserved', { ...about, ...gift });
      await site.call('send_mail', email, 'thanks', { ...about, count: 2 });
    }
    const mails = await site.mails();
    const both = (address: string) => {
      const own = mails.filter(({ to }) => to.includes(address));
      return own.map(({ subject, text, html }) => `${subject}\n${text}\n${html}`).join('\n');
    };
    const german = both(site.users.bob.email);
    assert.match(german, /„Pan \(28 cm\)“ ist für dich reserviert/);
    assert.match(german, /bis zum 12\. Juni 2027 für dich reserviert/);
    assert.match(german, /2 Geschenke warten auf ein Dankeschön: „Ann & Bob!“/);
    const arabic = both(site.users.carol.email);
    assert.match(arabic, /«\u2068Pan \(28 cm\)\u2069» محجوزة لك/);
    assert.match(arabic, /هديتان من «\u2068Ann & Bob!\u2069» تنتظران شكرك/);
    assert.equal(arabic.split('<html dir="rtl" lang="ar">').length, 3, 'both');
    const french = both('ruth@example.org');
    assert.match(french, /«\u00a0Pan \(28 cm\)\u00a0» est réservé pour toi/);
    assert.match(french, /jusqu’au 12\/06\/2027/, 'the site’s own choice, in its own language');
    await site.setOption('date_format', 'F j, Y');
  });

  test('an administrator reads the screens, and their editor, in their own language', async () => {
    await speak(site, 'fr_FR');
    await site.setUserMeta(site.users.admin.id, 'locale', 'de_DE');
    const admin = await site.visit('admin');
    assert.match((await admin('/wp-admin/options-general.php?page=trousseau')).text, /Verbindung testen/);
    const editor = (await admin(`/wp-admin/post.php?post=${list.id}&action=edit`)).text;
    assert.match(editor, /window\.trousseauRegistryEditor = \{"question":"Wer diese Liste sehen kann"/);
    assert.match(editor, /window\.trousseauEditor = \{"registry":"Wunschliste"/);
    const found = (await admin('/wp-admin/edit.php?post_type=registry')).text;
    assert.match(found, /Neue Wunschliste|Wunschlisten/);
    const themes = (await admin('/wp-admin/themes.php')).text;
    assert.match(themes, /Ein ruhiges, warmes Block-Theme/);
  });

  test('WordPress finds nothing loaded too early, and nothing else to complain about', () => {
    assert.doesNotMatch(site.log(), /textdomain|(themes|plugins)\/trousseau/);
  });
});

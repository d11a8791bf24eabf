// Every kind of mail: both parts, in its reader's language, from a template that a theme replaces, with a way to get no
// more; tried again when it could not be sent, and seen by owner and administrator when it never could. MailTest.php has more, and
// InvitingTest.php the page of guests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { until } from '../../dev/until.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { linkIn, type Mail } from '../../dev/wordpress/mail.ts';
import type { Call } from '../../dev/wordpress/set-up.ts';
import { faultsIn, fieldsOf, listIn } from '../../dev/wordpress/site.ts';

const DAY = 86_400_000;
const AUNT = 'aunt@example.org';

describeSite('mails', {}, (site) => {
  const { alice: owner, nobody: aunt } = site.visitors;
  let id: number;
  let later = 0;
  const seen = new Map<string, Mail>();

  site.startWith(() => ({
    muPlugins: ['clock', 'cpu', 'test-mails'],
    clock: { wall: () => Date.now() + later, steady: () => performance.now() },
  }));
  before(async () => {
    id = await makeList('Ann & Sam', ['Pan', 'Kettle', 'Lamp', 'Chair']);
    await site.mails();
  });

  const makeList = async (title: string, gifts: string[]): Promise<number> => {
    const form = { do: 'make', title, date: '2035-05-30', currency: 'EUR', surprise: 'no' };
    const list = listIn(await owner('/registries/new/', { ...form, occasion: 'home', status: 'publish' }));
    const at = `/registries/${list}/gifts/`;
    for (const name of gifts) {
      const quantity = name === 'Lamp' ? '3' : '1';
      await owner.press(`${at}?by-hand=1`, 'add', { name, quantity }, at);
    }
    return list;
  };

  const item = async (place: number, list = id) => (await site.itemIds(list))[place]!;
  /** The one mail that was sent, kept as an example of this kind. */
  const one = async (kind: string, to: string, subject: RegExp) => {
    const mails = await site.mails();
    const found = mails.map((mail) => [mail.to.replace(/[<>]/g, ''), subject.test(mail.subject)]);
    assert.deepEqual(found, [[to, true]], `${kind}: ${mails.map(({ subject }) => subject)}`);
    seen.set(kind, mails[0]!);
    return mails[0]!;
  };
  const invite = async (guests: string, name = '', list = id) => {
    const at = `/registries/${list}/guests/`;
    await owner.press(at, 'invite', { guests, note: 'Do come', owner: name });
  };
  const give = async (place: number, count = '1', by = aunt, list = id) => {
    const at = `/registries/${list}/give/?item=${await item(place, list)}`;
    await by.press(at, 'give', { giver: 'Aunt Ida', count });
  };
  const state = async (guest: string) => {
    const { text } = await owner(`/registries/${id}/guests/`);
    return new RegExp(`<strong>${guest}</strong> <small>(.*?)</small>`).exec(text)![1]!;
  };

  test('each is sent when its time has come', async () => {
    await invite(AUNT);
    const link = linkIn(await one('invitation', AUNT, /^You’re invited to “Ann & Sam”$/), 'invitation');
    assert.equal(await state(AUNT), 'Email sent');
    assert.equal((await aunt(link, { do: 'open' })).status, 303);

    await give(0);
    const gift = linkIn(await one('reserved', AUNT, /^“Pan” is reserved for you$/), '/gift/');
    await aunt(gift, { do: 'bought' });
    await one('bought', AUNT, /^Thank you for “Pan”$/);
    await aunt(gift, { do: 'release' });
    assert.deepEqual(await site.mails(), [], 'there is time to undo it');
    await site.runDueJobs('mail', 0.01);
    await one('Cancel my gift', AUNT, /^You’ve cancelled “Pan”$/);

    await give(1);
    await site.mails();
    await owner(`/registries/${id}/gifts/`, { do: 'remove', item: String(await item(1)) });
    assert.deepEqual(await site.mails(), [], 'there is time to put it back');
    await site.runDueJobs('gift-lost', 0.02);
    await one('removed', AUNT, /^“Kettle” was removed from the list$/);

    await give(1, '2');
    await one('several', AUNT, /^“2 × Lamp” is reserved for you$/);
    later = 12.5 * DAY;
    await site.sendWaitingMails();
    const reminder = await one('reminder', AUNT, /^Have you bought “2 × Lamp”\?$/);
    assert.match(reminder.text, /reserved for you until/);
    await site.sendWaitingMails();
    assert.deepEqual(await site.mails(), [], 'one reminder a gift, and none about what was taken off');
  });

  test('a thousand guests are invited by one press and a few statements, and shown a hundred at a time', async () => {
    const guests = Array.from({ length: 1000 }, (_, n) => `one-of-many-${n}@example.org`);
    const { id: big, guests: bigAt } = await site.list({ title: 'Big' });
    const { id: user } = site.users.alice;
    const press = await site.call('mail.invite_many', user, big, guests.join('\n'));
    assert.deepEqual(
      { ...press, queries: press.queries < 100, writes: press.writes < 50 },
      { queries: true, writes: true, notes: 1, sound: true, waiting: 1000, went: true },
      JSON.stringify(press),
    );
    const long = ['a ', '<"', '@a'].map((part) => part.repeat(50_000));
    for (const typed of ['one-more@example.org bob', ...long, `<${'a@'.repeat(50_000)}`]) {
      const refused = faultsIn(await owner.send(bigAt, 'invite', { guests: typed }));
      assert.match(refused, /up to 1,000 guests, so nobody was invited|Check this email|no account here/);
      const cpu = Number(readFileSync(join(site.folder, 'wp-content/cpu'), 'utf8'));
      assert.ok(cpu < 5, `${typed.slice(0, 10)}: ${cpu} s of CPU`);
    }
    const seen = await site.call('mail.view_guests', user, big);
    assert.ok(seen.queries < 40, `${seen.queries} queries`);
    // The notes about all guests, and the password of the site's account.
    assert.deepEqual([seen.writes, seen.opened], [0, 2]);
    const told = [...seen.html.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, name]) => name);
    assert.deepEqual(told, guests.slice(0, 100));
    for (const [where, found] of [
      ['?part=3', guests.slice(200, 300)],
      ['?part=99', guests.slice(900)],
      ['?find=MANY-99', guests.filter((name) => name.includes('many-99'))],
      ['?find=nobody', []],
    ] as const) {
      const { text } = await owner(bigAt + where);
      const names = [...text.matchAll(/<strong>(one-of.*?)<\/strong>/g)].map(([, name]) => name);
      assert.deepEqual(names, found, where);
    }
    // The notes about all mails of a round are written once.
    assert.equal(await site.call('mail.notes_of_a_round', user), 1);
    assert.ok((await site.mails()).filter(({ to }) => to.includes('one-of-many')).length >= 20);
    // Guests who were listed through the service get their notes by one write, too.
    assert.deepEqual(await site.call('mail.notes_of_two_views', user, big), [1, 1]);
    await site.deletePost(big);
    await site.call('delete_jobs', 'mail');
    assert.deepEqual(await site.call('get_post_meta', big), []);
  });

  test('one tells of a reservation’s end once it has ended', async () => {
    later = 0;
    await give(0);
    await site.mails();
    later = 40 * DAY;
    await site.sendWaitingMails(['mail.be_offline_once']);
    await site.sendWaitingMails(['be_offline', '/items/']);
    assert.deepEqual(await site.mails(), [], 'nobody knows whether it is still true');
    await site.sendWaitingMails();
    await one('ended', AUNT, /^“Pan” is no longer reserved$/);
  });

  test('those to the owner tell once a day of new gifts, and after the event who waits for thanks', async () => {
    const daily: Call = ['run_jobs', 'digest'];
    await site.runJobs('digest');
    await site.mails();
    const pan = `/registries/${id}/give/?item=${await item(0)}`;
    await until('the site knows that Pan is free again', async () =>
      fieldsOf((await aunt(pan)).text, 'give'),
    );
    await give(0);
    const gift = linkIn(await one('reserved', AUNT, /^“Pan” is reserved for you$/), '/gift/');
    await site.inTurn(daily, daily);
    const digest = await one('digest', site.users.alice.email, /^1 gift from “Ann & Sam” was chosen$/);
    assert.doesNotMatch(digest.raw, /\bIda\b|aunt@|\bPan\b/);
    const day = new Date(Date.now() - 5 * DAY).toISOString().slice(0, 10);
    await site.inTurn(['update_post_meta', id, 'registry_event_date', day], daily, daily);
    assert.deepEqual(await site.mails(), [], 'a reserved gift hasn’t arrived yet');
    await aunt(gift, { do: 'bought' });
    await site.mails();
    await site.inTurn(daily, daily);
    await one('thanks', site.users.alice.email, /^Time to say thank you for 1 gift from “Ann & Sam”$/);
  });

  test('an owner hears once of each gift, whenever it was confirmed, and after a surprise of all of them', async () => {
    const list = await makeList('News', ['One', 'Two', 'Three', 'Four']);
    const items: number[] = await site.itemIds(list);
    const since = await site.formStamp();
    const vera = await site.visit();
    const address = 'vera.news@example.org';
    const choose = async (place: number) => {
      const at = `/registries/${list}/give/?item=${items[place]}`;
      await vera.press(at, 'give', { since, giver: 'Vera', email: address });
      const isNewest = ({ to, subject }: Mail) => to.includes(address) && /confirm/.test(subject);
      return linkIn((await site.mails()).findLast(isNewest)!, '/gift/');
    };
    const { email } = site.users.alice;
    const digests = async (...before: Call[]) => {
      await site.inTurn(...before, ['run_jobs', 'digest'], ['run_jobs', 'mail']);
      const mails = (await site.mails()).filter(({ to }) => to.includes(email));
      return mails.map(({ subject }) => subject).filter((subject) => subject.includes('News'));
    };
    const surprise = (until: string) => site.setPostMeta(list, { registry_surprise_until: until });
    const first = await choose(0);
    assert.deepEqual(await digests(), [], 'nobody has confirmed it');
    later = 40 * 60_000;
    assert.equal((await vera(first, { do: 'confirm' })).status, 303);
    assert.deepEqual(await digests(), ['1 gift from “News” was chosen']);
    assert.equal((await vera(first, { do: 'bought' })).status, 303);
    assert.deepEqual(await digests(), [], 'it was told');

    const second = await choose(1);
    await vera(second, { do: 'confirm' });
    assert.deepEqual(await digests(['be_offline']), []);
    const daily = () => site.runJobs('digest');
    await Promise.all([daily(), daily(), daily()]);
    assert.deepEqual(await digests(), ['1 gift from “News” was chosen']);

    await surprise('always');
    for (const place of [2, 3]) await vera(await choose(place), { do: 'confirm' });
    assert.deepEqual(await digests(), []);
    await surprise('');
    // An owner who has had the day's mails hears of it tomorrow.
    const manyTimes = Array.from({ length: 100 }, (_, n) => n);
    assert.deepEqual(await digests(['mails_that_may_go', email, 'digest', ...manyTimes]), []);
    assert.deepEqual(await digests(['forget_values', 'count_']), ['2 gifts from “News” were chosen']);
    assert.deepEqual(await digests(), []);
    later = 0;
  });

  test('visitors without an account get those that they ask for', async () => {
    const stranger = await site.visit();
    const since = await site.formStamp();
    const typed = { since, giver: 'Vera', email: 'vera@example.org' };
    const at = `/registries/${id}/give/?item=${await item(2)}`;
    await stranger.send(at, 'give', { ...typed });
    await one('confirm', 'vera@example.org', /^Please confirm your gift$/);
    await stranger.send('/registries/my-gifts/', 'ask', { ...typed });
    await one('my gifts', 'vera@example.org', /^The gifts you’re giving$/);
  });

  test('all of them have both parts, which say the same, and a way to get no more', () => {
    assert.equal(seen.size, 12);
    for (const [kind, { raw, text, html }] of seen) {
      assert.match(raw, /Content-Type: multipart\/alternative/, kind);
      for (const type of ['plain', 'html'])
        assert.match(raw, new RegExp(`Content-Type: text/${type}; charset=(UTF-8|us-ascii)`), kind);
      assert.doesNotMatch(text, /<\w|&amp;|&#/, kind);
      const noMail = /Unsubscribe: (\S+)/.exec(text)![1];
      const header = /^List-Unsubscribe: (.*(?:\r?\n[ \t].*)*)/m.exec(raw)![1]!.replace(/\s/g, '');
      assert.equal(header, `<${noMail}>`, kind);
      assert.match(html, /Unsubscribe<\/a>/, kind);
      for (const [url] of text.matchAll(/https?:\/\/\S+/g))
        assert.ok(html.includes(`href="${url.replaceAll('&', '&#038;')}"`), `${kind}: ${url}`);
    }
  });

  test('each fits a phone and a desk, by day and by night', { skip: skipWithoutChromium() }, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await site.tab(null, { colorScheme });
      for (const [kind, { html }] of seen)
        for (const width of [390, 640]) {
          await page.setViewportSize({ width, height: 800 });
          await page.setContent(html);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${kind} at ${width}: ${wide} pixels wide`);
          const { violations, passes } = await runAxe(page, 'body', { runOnly: ['color-contrast'] });
          assert.deepEqual(violations, [], `${kind}, ${colorScheme}`);
          assert.ok(passes['color-contrast']! > 1, `${kind}, ${colorScheme}`);
        }
    }
  });

  test('are in the reader’s language, and in a theme’s own words', async () => {
    await site.setUserMeta(site.users.bob.id, 'locale', 'de_DE');
    await invite('bob', 'Ann Ayer & Sam');
    const mail = await one('in German', site.users.bob.email, /^Deutsch: Ann Ayer & Sam invited you/);
    assert.match(mail.text, /Deutsch: Open the list/);
    assert.match(mail.text, /Deutsch: Unsubscribe: http/);
    const theme = join(site.folder, 'wp-content/themes/own');
    await cp(join(import.meta.dirname, 'fixtures/own-theme'), theme, { recursive: true });
    await site.switchTheme('own');
    await invite('carol');
    const own = await one('of a theme', site.users.carol.email, /^Come to us$/);
    assert.match(own.text, /^All about it\r?\nhttp/);
    await site.switchTheme('trousseau');
    await rm(theme, { recursive: true });
  });

  test('one whose sending was cut off is sent once, later', async () => {
    await site.call('delete_jobs', 'mail');
    // No clock runs the job before this test does.
    const sendNow = (...calls: Call[]) =>
      site.inTurn(
        ['add_filter', 'pre_schedule_event', '__return_false'],
        ['send_mail', 'cut-off@example.org', 'my-gifts', { link: site.url }],
        ...calls,
      );
    await assert.rejects(sendNow(['mail.cut_off_sending'], ['run_jobs', 'mail']), /cut off/);
    await site.runJobs('mail');
    assert.deepEqual(await site.mails(), [], 'it may still be on its way');
    await site.sendWaitingMails();
    await one('cut off', 'cut-off@example.org', /./);
    await site.sendWaitingMails();
    assert.deepEqual(await site.mails(), []);
    // A mail that has left is not sent again, even if the note about it is lost.
    await assert.rejects(sendNow(['mail.cut_off_after_sending'], ['run_jobs', 'mail']), /cut off/);
    assert.equal((await site.mails()).length, 1);
    await site.sendWaitingMails();
    assert.deepEqual(await site.mails(), []);
    // A mail that ends every process that sends it is given up.
    await sendNow();
    for (let tries = 0; tries < 8; tries++)
      await site.sendWaitingMails(['mail.cut_off_sending']).catch(() => {});
    await site.sendWaitingMails();
    assert.deepEqual(await site.mails(), []);
  });

  test('no link goes dead when people invite, open and get mail at the same moment', async () => {
    // A planned event for later in the same minute, such as a retry, would stand for work that is due now.
    await site.unschedule('trousseau_jobs');
    const guests = Array.from({ length: 8 }, (_, n) => `guest${n}@example.org`);
    await Promise.all([invite(guests.join('\n')), invite(guests.join('\n'))]);
    const links = (await site.mails()).map((mail) => linkIn(mail, 'invitation'));
    assert.ok(links.length >= guests.length);
    const opened = links.map(async (link) => (await (await site.visit())(link, { do: 'open' })).status);
    assert.deepEqual(new Set(await Promise.all(opened)), new Set([303]));
    for (const guest of guests) assert.match(await state(guest), /^Opened the list on/, guest);
    const pair = ['later@example.org', 'guest1@example.org'];
    const late = await site.call('mail.invite_while_mail_goes', id, ...pair);
    assert.equal((await (await site.visit())(site.local(late))).status, 200);
  });
});

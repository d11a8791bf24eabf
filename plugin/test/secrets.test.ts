// Secrets – a surprise, a guest's name and address, a private list – are written in strange words, and looked
// for everywhere: on pages, in mails, in cookies, in caches, in the site's database, and in the logs.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { linkIn, type Mail } from '../../dev/wordpress/mail.ts';
import { type Answer, fieldsOf, listIn, type Visitor } from '../../dev/wordpress/site.ts';

const LIST = 'Whisperwood';
const GIFT = 'Quokkapan';
const NOTE = 'Numbatnote';
const MESSAGE = 'Bilbymessage';
const AUNT = 'Wombatine';
const AUNTS_ADDRESS = 'thylacina@example.org';
const UNCLES_ADDRESS = 'dingolf@example.org';
const VISITOR = 'Echidnora';
const VISITORS_ADDRESS = 'platypussa@example.org';
/** Names, addresses and words that are for one person alone. */
const PEOPLES = [NOTE, MESSAGE, AUNT, AUNTS_ADDRESS, UNCLES_ADDRESS, VISITOR, VISITORS_ADDRESS];

/** Whether a word stands in a text, in the clear or in base64. */
function stands(text: string, word: string): boolean {
  const forms = [0, 1, 2].map((shift) => {
    const bytes = Buffer.from(`${' '.repeat(shift)}${word}`).toString('base64');
    return bytes.slice(shift === 0 ? 0 : shift + 1, -4);
  });
  return [word, word.toLowerCase(), encodeURIComponent(word), ...forms].some((form) => text.includes(form));
}

function hasNone(text: string, words: string[], where: string): void {
  for (const word of words) assert.equal(stands(text, word), false, `${word} ${where}`);
}

describeSite('secrets', {}, (site) => {
  const { alice: owner } = site.visitors;
  let cache: string;
  let id: number;
  let openId: number;
  let path: string;
  let openPath: string;
  let item: number;
  let mails: Mail[];
  const aunt: { visitor: Visitor; answers: Answer[] } = { visitor: undefined as never, answers: [] };
  let seenBefore: string[];

  const seenByOwner = async () => {
    const pages = ['gifts', 'guests', 'given', 'details'].map((name) => `/registries/${id}/${name}/`);
    const texts = [];
    for (const at of [...pages, path]) texts.push((await owner(at)).text);
    return texts.map((page) =>
      // Keys, times and names of forms are new on each page.
      page
        .replace(/name="(key|since)" value="[^"]*"/g, '')
        .replace(/(name="opened" value=")\d+ [0-9a-f]{12}/g, '$1'),
    );
  };
  const list = async (title: string, status: string) => {
    const form = { do: 'make', title, occasion: 'wedding', date: '2035-05-30', currency: 'EUR' };
    const made = listIn(await owner('/registries/new/', { ...form, status, surprise: 'always' }));
    const gifts = `/registries/${made}/gifts/`;
    for (const name of [GIFT, `${GIFT} two`])
      await owner.press(`${gifts}?by-hand=1`, 'add', { name, quantity: '3', section: 'Things' }, gifts);
    return [made, site.local(await site.registryAddress(made))] as const;
  };
  const firstItem = async (registry: number) => (await site.itemIds(registry))[0]!;

  site.startWith(async () => {
    cache = join(site.use(await temporaryFolder()).path, 'cache');
    return { objectCache: cache };
  });
  before(async () => {
    [id, path] = await list(LIST, 'private');
    [openId, openPath] = await list('Open house', 'publish');
    const guests = `/registries/${id}/guests/`;
    await owner.press(guests, 'invite', { guests: `${AUNTS_ADDRESS}, ${UNCLES_ADDRESS}, bob`, note: NOTE });
    await owner(guests);
    mails = await site.mails();

    // The aunt opens her link, which her list's owner may know, gives one of three, and changes to bought.
    aunt.visitor = await site.visit();
    const ask = async (at: string, form?: Record<string, string>) => {
      const answer = await aunt.visitor(at, form);
      aunt.answers.push(answer);
      return answer;
    };
    const link = linkIn(mails.find(({ to }) => to.includes(AUNTS_ADDRESS))!, 'invitation');
    await ask(link);
    assert.equal((await ask(link, { do: 'open' })).status, 303);
    seenBefore = await seenByOwner();
    item = await firstItem(id);
    const give = `/registries/${id}/give/?item=${item}`;
    const fields = fieldsOf((await ask(give)).text, 'give')!;
    assert.equal((await ask(give, { ...fields, giver: AUNT, message: MESSAGE })).status, 303);
    await ask(path);
    const reserved = await site.mails();
    const gift = linkIn(reserved.find(({ to }) => to.includes(AUNTS_ADDRESS))!, '/gift/');
    await ask(gift);
    assert.equal((await ask(gift, { do: 'bought' })).status, 303);

    // A visitor gives from the public one, and asks for their gifts.
    const visitor = await site.visit();
    const openItem = await firstItem(openId);
    const typed = { since: await site.formStamp(), email: VISITORS_ADDRESS };
    const said = { ...typed, giver: VISITOR, message: MESSAGE };
    await visitor.press(`/registries/${openId}/give/?item=${openItem}`, 'give', said);
    await visitor.send('/registries/my-gifts/', 'ask', typed);
    const later = await site.mails();
    const confirm = later.find(({ subject }) => /confirm/.test(subject))!;
    assert.equal((await visitor(linkIn(confirm, '/gift/'), { do: 'confirm' })).status, 303);
    for (const mail of [...reserved, ...later]) await visitor(linkIn(mail, 'no-mail'));
    await site.runJobs('digest');
    mails.push(...reserved, ...later, ...(await site.mails()));
  });

  test('on no page: an owner who is to be surprised sees the same before and after', async () => {
    assert.deepEqual(await seenByOwner(), seenBefore);
    for (const page of seenBefore) hasNone(page, [AUNT, MESSAGE, VISITOR], 'on a page of the owner');
    hasNone((await owner('/registries/my-gifts/')).text, [GIFT], 'among the owner’s own');
  });

  test('on no page: a guest sees no other guest, a stranger no guest at all', async () => {
    const [bob, carol, nobody] = [await site.visit('bob'), await site.visit('carol'), await site.visit()];
    const give = `/registries/${id}/give/?item=${item}`;
    for (const at of [path, give, '/registries/mine/', '/registries/my-gifts/'])
      hasNone((await bob(at)).text, [AUNT, AUNTS_ADDRESS, UNCLES_ADDRESS, MESSAGE, NOTE], `on ${at}`);
    assert.ok((await bob(path)).text.includes('2 needed'), 'but how many are needed');
    // RegistriesTest.php and StrangersTest.php look everywhere for the list itself.
    const everywhere = [path, openPath, `/registries/${openId}/give/?item=${await firstItem(openId)}`];
    for (const visitor of [nobody, carol])
      for (const at of everywhere) {
        const { text, headers } = await visitor(at);
        hasNone(`${text}${[...headers]}`, PEOPLES, `on ${at}`);
      }
  });

  test('in no mail but those to whom it belongs', () => {
    assert.ok(mails.length >= 7, `${mails.length} mails`);
    const own: Record<string, string[]> = {
      [AUNTS_ADDRESS]: [LIST, GIFT, NOTE, AUNT, AUNTS_ADDRESS],
      [UNCLES_ADDRESS]: [LIST, NOTE, UNCLES_ADDRESS],
      [site.users.bob.email]: [LIST, NOTE],
      [VISITORS_ADDRESS]: [GIFT, VISITORS_ADDRESS],
    };
    for (const { to, subject, text, raw } of mails) {
      const known = own[to.replace(/[<>]/g, '')] ?? [];
      const others = [LIST, GIFT, ...PEOPLES].filter((word) => !known.includes(word));
      hasNone(`${subject}${text}${raw.replace(/=\r?\n/g, '')}`, others, `in “${subject}” to ${to}`);
    }
    const owners = mails.filter(({ to }) => to.includes(site.users.alice.email));
    assert.deepEqual(owners, [], 'the surprised owner gets none');
    const { raw } = mails.find(({ subject }) => /confirm/.test(subject))!;
    hasNone(raw, [GIFT, VISITOR, 'Open house'], 'in the mail to who is not confirmed');
  });

  test('in no cache by the REST API, which tells a guest no other guest', async () => {
    const { status, headers, text } = await aunt.visitor(`/wp-json/wp/v2/registry/${id}`);
    assert.match(headers.get('cache-control')!, /no-store/, `${status}`);
    hasNone(text, [AUNTS_ADDRESS, UNCLES_ADDRESS, AUNT, NOTE, MESSAGE], 'in the answer');
    assert.equal(status, 401, 'any site could ask with the cookies of this device');
    const foreign = { origin: 'https://elsewhere.example' };
    for (const path of [`/wp-json/wp/v2/registry/${id}`, `/?rest_route=/wp/v2/registry/${id}`]) {
      const answer = await aunt.visitor(path, undefined, foreign);
      assert.equal(answer.status, 401, path);
      hasNone(answer.text, [LIST, GIFT], path);
    }
    const listed = await aunt.visitor('/wp-json/wp/v2/registry?status=private', undefined, foreign);
    hasNone(listed.text, [LIST, GIFT], 'in the list');
  });

  test('in no cookie but a visitor’s own name', async () => {
    const cookies = aunt.answers.flatMap(({ headers }) => headers.getSetCookie()).map(decodeURIComponent);
    assert.ok(cookies.length >= 4);
    for (const cookie of cookies) {
      const [, text] = /^[^=]+=([^;.]*)/.exec(cookie)!;
      const read = `${cookie} ${Buffer.from(text!, 'base64url')}`;
      const words = [LIST, GIFT, NOTE, MESSAGE, AUNTS_ADDRESS, UNCLES_ADDRESS];
      if (!cookie.includes('_trousseau_giver=')) words.push(AUNT);
      hasNone(read, words, `in ${read}`);
      if (cookie.includes('_trousseau_')) assert.match(cookie, /httponly/i);
    }
  });

  test('nowhere in the clear in the site’s database or its cache', async () => {
    const tables = [
      await site.rows('options'),
      (await site.rows('postmeta')).filter(({ meta_key }) => meta_key !== 'registry_invitees'),
      await site.rows('usermeta'),
    ];
    for (const table of tables) assert.ok(table.length > 5);
    hasNone(JSON.stringify(tables), [GIFT, ...PEOPLES], 'in the database');
    const kept = readdirSync(cache).map((name) => readFileSync(join(cache, name), 'utf8'));
    assert.ok(kept.length > 10, 'the cache is in use');
    // WordPress itself stores a list's guests in the clear.
    const secrets = [GIFT, NOTE, MESSAGE, AUNT, VISITOR, VISITORS_ADDRESS];
    for (const text of kept) hasNone(text, secrets, `in the cache: ${text.slice(0, 200)}`);
  });

  test('in no log: of PHP, of the service, or of a web server, which notes the addresses asked for', () => {
    const addresses = [
      ...mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g)!),
      ...aunt.answers.map(({ headers }) => headers.get('location') ?? ''),
    ];
    for (const page of ['no-mail', 'my-gifts'])
      assert.ok(
        addresses.some((url) => url.includes(page)),
        page,
      );
    assert.ok(site.service.log.length > 5, 'the service notes what changes');
    for (const line of [...addresses, ...site.log().split('\n'), ...site.service.log])
      hasNone(line, [GIFT, ...PEOPLES], `in ${line}`);
  });
});

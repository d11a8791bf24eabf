// Giving, with the service as it ships: who may, what a form does however it is sent, and what it says when it can't.
// @again wordpress
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import {
  ageValues,
  type Call,
  cookieOf,
  endSessions,
  finding,
  forgetValues,
  formStamp,
  guestLink,
  inSeconds,
  inTurn,
  keptRows,
  naps,
  runJobs,
  sealed,
  setOption,
} from '../../dev/wordpress/set-up.ts';
import {
  type Answer,
  addUser,
  basic,
  complaints,
  decoded,
  fieldsOf,
  formWith,
  type Recorded,
  type Reply,
  recordingService,
  type Visitor,
  visit,
} from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';

describe('giving', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let nobody: Visitor;
  let bob: Visitor;
  let carol: Visitor;
  before(async () => {
    // Every page asks the service, whatever it has cached.
    site = await startWholeSite({
      muPlugins: ['clock', 'no-kept-gifts', 'test-network'],
    });
    nobody = await visit(site, null);
    bob = await visit(site, site.users.bob);
    carol = await visit(site, site.users.carol);
  });
  after(() => site?.stop());

  const as = (who: 'admin' | 'alice' | 'bob') =>
    createClient({ env: {}, baseUrl: site.service.url, ...site.users[who] });
  const of = (user: WordPressUser) => createClient({ env: {}, baseUrl: site.service.url, ...user });
  const registry = async (fields: Record<string, unknown> = {}) =>
    (await as('alice').registries.create({ title: 'Ann & Sam', status: 'publish', ...fields }))!;
  const gift = async (registryId: number, fields: Record<string, unknown> = {}) =>
    (await as('alice').registries.items.create(registryId, {
      name: 'Glasses',
      url: 'https://shop.example/glasses',
      ...fields,
    }))!.data.id;
  const given = async (id: number) => (await as('admin').items.get(id))!.quantity_purchased;
  const claims = async (registryId: number) => {
    const headers = { authorization: basic(site.users.admin) };
    const answer = await fetch(`${site.service.url}/registries/${registryId}/claims`, { headers });
    const found = (await answer.json()) as {
      claims: { id: string; quantity: number; state: string; message: string; giver: { user_id: number } }[];
    };
    return found.claims;
  };
  const option = (name: string, value: unknown) => setOption(site, name, value);

  const page = (registryId: number, itemId: number | string) =>
    `/registries/${registryId}/give/?item=${itemId}`;
  const link = (itemId: number) => new RegExp(`href="[^"]*/give/\\?item=${itemId}"`);
  const formOf = async (visitor: Visitor, path: string) =>
    fieldsOf((await visitor(path)).text, 'give') ?? assert.fail(`no form on ${path}`);
  /** The message on the page that follows a form. */
  const said = async (visitor: Visitor, { status, headers, text }: Answer) => {
    assert.equal(status, 303, text);
    const target = new URL(headers.get('location')!);
    assert.equal(target.origin, site.url);
    const next = (await visitor(target.pathname)).text;
    return decoded(/<p class="trousseau-note [^"]*" role="status"[^>]*>(.*?)<\/p>/.exec(next)?.[1] ?? '');
  };
  /** The faults in a form that is shown again. */
  const refused = ({ status, text }: Answer) => {
    assert.equal(status, 422, text);
    return decoded(/role="alert".*?<\/(ul|span)>/s.exec(text)![0].replace(/<[^>]*>/g, ' '));
  };

  test('a signed-in guest gives as many as they say, and reads what came of it, once', async () => {
    const { id, permalink } = await registry({ status: 'private', meta: { registry_invitees: ['bob'] } });
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    assert.match((await bob(permalink)).text, link(glasses));
    const fields = await formOf(bob, path);
    assert.equal(await given(glasses), 0, 'looking at the page does nothing');
    assert.equal(fields.state, 'reserved');
    const asked = (await bob(path)).text;
    assert.match(asked, /Reserved for you until /);
    assert.doesNotMatch(asked, /It’s reserved for you/, 'before anything is');
    const bought = await bob(path, { ...fields, count: '4', state: 'purchased', message: 'With love' });
    assert.equal(bought.headers.get('location'), `${permalink}#trousseau-item-${glasses}`);
    assert.equal(await said(bob, bought), 'Thank you! You’re giving “4 × Glasses”. 2 more are needed.');
    const after = (await bob(permalink)).text;
    assert.doesNotMatch(after, /role="status"/, 'it is said once');
    const thanked = (await bob(`${permalink}?trousseau_given=thanks`)).text;
    assert.doesNotMatch(thanked, /role="status"|Thank you/, 'and by no address');
    assert.match(after, /2 needed/);
    assert.match(
      after,
      /class="trousseau-mine" href="[^"]*\/gift\//,
      'on this device it is theirs to change',
    );
    assert.equal(await given(glasses), 4);
    assert.deepEqual(
      (await claims(id)).map(({ quantity, state, message, giver }) => [
        quantity,
        state,
        message,
        giver.user_id,
      ]),
      [[4, 'purchased', 'With love', site.users.bob.id]],
    );

    for (const [count, words] of [
      ['3', /Fewer are needed now, because someone was faster/],
      ['1000', /Fewer are needed now/],
      ['0', /Enter at least 1/],
      ['-1', /Enter at least 1/],
      ['x', /Enter at least 1/],
      ['1.5', /Enter at least 1/],
    ] as const) {
      const again = await bob(path, { ...(await formOf(bob, path)), count, message: 'Two "more" <3' });
      assert.match(refused(again), words, count);
      assert.equal(fieldsOf(again.text, 'give')!.message, 'Two "more" <3', 'what was typed is kept');
    }
    assert.equal(await given(glasses), 4);
    await said(bob, await bob(path, { ...(await formOf(bob, path)), count: '2' }));
    assert.equal(await given(glasses), 6);
    const own = (await bob(path)).text;
    assert.match(own, /You’re giving this.*href="[^"]*\/gift\/.*View or change/s);
    assert.doesNotMatch(own, /Someone/, 'it is nobody else');
    const nothing = (await (await visit(site, site.users.bob))(path)).text;
    assert.match(nothing, /Someone is already giving this/, 'another device');
    assert.equal(fieldsOf(nothing, 'give'), undefined);
    assert.doesNotMatch((await carol(permalink)).text, /Glasses/);
  });

  test('a gift without a shop has no link to one, on its page and in its mail', async () => {
    await site.mails();
    const { id, permalink } = await registry();
    const path = page(id, await gift(id, { name: 'A walk', url: permalink }));
    assert.doesNotMatch((await bob(path)).text, /View in shop/);
    await said(bob, await bob(path, await formOf(bob, path)));
    const mail = (await site.mails()).find(({ to }) => to.includes(site.users.bob.email));
    assert.match(mail!.text, /You’re giving “A walk”/);
    assert.doesNotMatch(mail!.text, /View in shop/);
  });

  test('a form that is sent again, or twice at once, is one gift and one mail', async () => {
    await site.mails();
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    const fields = await formOf(bob, path);
    const answers = await Promise.all([1, 2, 3].map(() => bob(path, fields)));
    answers.push(await bob(path, fields));
    for (const answer of answers) assert.match(await said(bob, answer), /reserved for you|^$/);
    assert.equal(await given(glasses), 1);
    const mails = (await site.mails()).filter(({ text }) => text.includes('Ann & Sam'));
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['bob@example.test', '“Glasses” is reserved for you']],
    );
    assert.notEqual((await formOf(bob, path)).key, fields.key, 'whoever comes back may give more');
  });

  test('a key that this site did not make for this gift and form is not taken', async () => {
    const { id } = await registry();
    const [glasses, pan] = [await gift(id), await gift(id, { quantity_needed: 3 })];
    const foreign = (await formOf(bob, page(id, glasses))).key;
    const own = await formOf(bob, page(id, pan));
    const recording = await recordingService(() => ({
      body: [{ id: pan, registry_id: id, name: 'Pan', url: 'https://shop.example/', quantity_needed: 3 }],
    }));
    await option('trousseau_base_url', recording.url);
    try {
      const sent = async (visitor: Visitor, key: string) => {
        await visitor(page(id, pan), { ...own, key });
        const claim = recording.requests.findLast(({ path }) => path.endsWith('/claims'))!;
        return String(claim.headers['idempotency-key']);
      };
      for (const key of [foreign, '', 'import-1-0', '0'.repeat(32), `${own.key}x`]) {
        const first = await sent(bob, key!);
        assert.match(first, new RegExp(`^give-${id}-${pan}-${site.users.bob.id}-`));
        assert.notEqual(first, await sent(bob, key!));
      }
      assert.equal(await sent(bob, own.key!), await sent(bob, own.key!));
      assert.notEqual(
        await sent(bob, own.key!),
        await sent(carol, own.key!),
        'everybody has keys of their own',
      );
    } finally {
      await option('trousseau_base_url', site.service.url);
      await recording.close();
    }
  });

  test('a gift is kept longer, and its number and message change, as long as the list lets it', async () => {
    await site.mails();
    const { id, permalink } = await registry();
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    const made = await bob(path, { ...(await formOf(bob, path)), count: '2', message: 'With love' });
    assert.match(await said(bob, made), /^Thank you! “2 × Glasses” is reserved for you until .* 4 more are/);
    const at = decoded(/href="([^"]*\/gift\/[^"]*)"/.exec((await bob(permalink)).text)![1]!);
    const claim = async () => {
      const headers = { authorization: basic(site.users.admin) };
      const answer = await fetch(`${site.service.url}/registries/${id}/claims`, { headers });
      const { claims } = (await answer.json()) as {
        claims: { quantity: number; message: string | null; state: string; expires_at: string }[];
      };
      return claims[0]!;
    };
    const days = async () => Math.round((Date.parse((await claim()).expires_at) - Date.now()) / 86_400_000);
    assert.equal(await days(), 14);
    const keep = fieldsOf((await bob(at)).text, 'keep')!;
    assert.match((await bob(at)).text, /Keep it two weeks longer/);
    for (const times of ['once', 'once again']) {
      const kept = await bob(at, keep);
      assert.equal(kept.status, 303);
      const { text } = await bob(at);
      assert.match(text, /role="status"[^>]*>Done: it’s now reserved for you until/);
      assert.equal(text.split('reserved for you until').length, 2, 'it is said once');
      assert.equal(await days(), 28, times);
    }
    // A form extends by two weeks at most, and never beyond the service's own limit.
    assert.equal((await bob(at, { ...keep, until: '99999999999' })).status, 303);
    assert.equal(await days(), 42);
    for (let presses = 0; presses < 5; presses++) {
      const again = fieldsOf((await bob(at)).text, 'keep');
      if (again) await bob(at, again);
    }
    assert.equal(await days(), 90);
    assert.equal(fieldsOf((await bob(at)).text, 'keep'), undefined);

    const fields = fieldsOf((await bob(at)).text, 'change')!;
    assert.deepEqual([fields.count, fields.message], ['2', 'With love']);
    for (const [count, message, words] of [
      ['0', 'x', /Enter at least 1/],
      ['7', 'Seven', /Fewer are needed now/],
      ['3', 'x'.repeat(501), /Use 500 characters at most/],
    ] as const) {
      const answer = await bob(at, { ...fields, count, message });
      assert.match(refused(answer), words);
      assert.equal(fieldsOf(answer.text, 'change')!.message, message, 'what was typed is kept');
    }
    assert.equal((await bob(at, { ...fields, count: '6', message: 'For all of you' })).status, 303);
    assert.match((await bob(at)).text, /Your changes are saved/);
    assert.deepEqual([(await claim()).quantity, (await claim()).message], [6, 'For all of you']);
    assert.equal(await given(glasses), 6);
    await bob(at, { ...fieldsOf((await bob(at)).text, 'change')!, count: '1', message: '' });
    assert.deepEqual([(await claim()).quantity, (await claim()).message], [1, null]);

    await bob(at, { do: 'bought' });
    const bought = (await bob(at)).text;
    assert.equal(fieldsOf(bought, 'keep'), undefined);
    assert.equal(fieldsOf(bought, 'change')!.count, '1');
    const thanks = (await site.mails()).find(({ subject }) => subject === 'Thank you for “Glasses”');
    assert.match(thanks!.text, /You’ve bought “Glasses” for “Ann & Sam”\. 5 more are needed\./);
    await bob(at, { do: 'release' });
    assert.equal((await bob(at)).text.split('others can give it').length, 2, 'it is said once');
    const over = await bob(at, { ...fields, count: '2' });
    assert.match(refused(over), /Fewer are needed now, or someone has changed/);
    assert.match(refused(await bob(at, keep)), /can’t do this any more/);
  });

  test('the owner says how long gifts are reserved, until the day for instance', async () => {
    const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    const alice = await visit(site, site.users.alice);
    const { id } = await registry({ status: 'private', meta: { registry_invitees: ['bob'] } });
    const glasses = await gift(id, { quantity_needed: 9 });
    const details = `/registries/${id}/details/`;
    // ReservationTimeTest.php has other days.
    for (const [reserved, least, most] of [
      ['day', 39.9, 42],
      ['28', 27.9, 28],
      ['', 13.9, 14],
    ] as const) {
      const fields = fieldsOf((await alice(details)).text, 'change')!;
      assert.equal((await alice(details, { ...fields, date, reserved })).status, 303);
      assert.equal(fieldsOf((await alice(details)).text, 'change')!.reserved, reserved);
      const path = page(id, glasses);
      const form = await formOf(bob, path);
      // The same form twice is the same gift, although the event has come nearer meanwhile.
      for (let times = 0; times < 2; times++) assert.equal((await bob(path, form)).status, 303);
      const headers = { authorization: basic(site.users.admin) };
      const answer = await fetch(`${site.service.url}/registries/${id}/claims`, { headers });
      const { claims } = (await answer.json()) as { claims: { expires_at: string }[] };
      const days = (Date.parse(claims[0]!.expires_at) - Date.now()) / 86_400_000;
      assert.ok(days >= least && days <= most, `${reserved}: ${days}`);
    }
    assert.equal(await given(glasses), 3);
  });

  test('only forms from a page of this site count', async () => {
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 9 });
    const path = page(id, glasses);
    const send = async (headers: Record<string, string>) =>
      (await bob(path, await formOf(bob, path), headers)).status;
    // RequestTest.php has the other headers.
    assert.equal(await send({ origin: 'https://elsewhere.example' }), 403);
    assert.equal(await given(glasses), 0);
    assert.equal(await send({ origin: 'https://behind.a.proxy', 'sec-fetch-site': 'same-origin' }), 303);
    assert.equal(await given(glasses), 1);
  });

  test('nobody gives from a list that they may not see, or anything that is not on the list', async () => {
    const open = await registry();
    const closed = await registry({ title: 'Whisperwood', status: 'private' });
    const [shown, hidden] = [await gift(open.id), await gift(closed.id, { name: 'Murmur' })];
    const fields = await formOf(bob, page(open.id, shown));
    for (const visitor of [bob, nobody]) {
      for (const path of [page(closed.id, hidden), page(closed.id, shown), page(99_999, shown)]) {
        for (const answer of [await visitor(path), await visitor(path, fields)]) {
          assert.equal(answer.status, 404, path);
          assert.doesNotMatch(answer.text, /Whisperwood|Murmur/);
        }
      }
    }
    for (const itemId of [hidden, 99_999, 'x', '']) {
      const path = page(open.id, itemId);
      assert.match((await bob(path)).text, /This gift is no longer on the list/);
      assert.match(refused(await bob(path, fields)), /couldn’t reserve|no longer on the list/);
    }
    assert.deepEqual([await given(shown), await given(hidden)], [0, 0]);

    // The gift is taken off the list between opening the page and pressing.
    await as('alice').registries.items.delete(open.id, shown);
    refused(await bob(page(open.id, shown), fields));
    assert.equal((await claims(open.id)).length, 0);
  });

  test('a page of 120 gifts, and what a device remembers, ask the service a handful of times', async () => {
    const registries = [await registry({ title: 'Ann' }), await registry({ title: 'Sam' })];
    const email = 'much@example.test';
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      const { id } = registries[n % 2]!;
      const item = await gift(id, { name: `Bowl ${n}`, quantity_needed: 6 });
      for (let m = 0; m < 6; m++) {
        const body = { state: 'purchased', giver: { name: 'Much', email } } as const;
        ids.push((await as('admin').registries.items.claims.create(id, item, body))!.id);
      }
      if (n === 0) await as('alice').items.delete(item);
    }
    // The site's clock reads lists, too, after a change.
    const asked = () =>
      site.service.log.filter((line) => /"route":"\/(claims|items)\b.*"msg":"request"/.test(line)).length;
    const rows = (html: string) =>
      [...html.matchAll(/<strong>(.*?)<\/strong>\s*<small>(.*?)<\/small>/gs)].map((row) => decoded(row[0]));
    const of = await sealed(site, 'my-gifts', `${inSeconds(600)} ${email}`);
    let before = asked();
    const page = await nobody(`/registries/my-gifts/?of=${encodeURIComponent(of)}`);
    assert.ok(asked() > before && asked() - before <= 4, `${asked() - before} requests`);
    const shown = rows(page.text);
    assert.equal(shown.length, 120);
    for (let n = 1; n < 20; n++) assert.equal(shown.filter((row) => row.includes(`>Bowl ${n}<`)).length, 6);
    assert.equal(shown.filter((row) => /no longer on the list/.test(row)).length, 6);

    before = asked();
    const entries = ids.slice(0, 60).map((id) => `1:1:${id}`);
    const remembered = await site.call('giving.remembered', entries.join(','));
    assert.equal(remembered.length, 60);
    assert.deepEqual(remembered.slice(6, 8), ['Bowl 1', 'Bowl 1']);
    assert.ok(asked() - before <= 2, `${asked() - before} requests`);
  });

  test('people who sign in on the family’s computer see nothing of a guest’s gift there', async () => {
    const { id, permalink } = await registry({
      status: 'private',
      meta: { registry_surprise_until: 'always', registry_invitees: ['aunt@example.org', 'carol'] },
    });
    const [glasses, pan] = [await gift(id), await gift(id, { name: 'Pan' })];
    const device = await visit(site, null);
    const invitation = await guestLink(site, id, 'aunt@example.org');
    const opened = (await device(invitation)).text;
    await device(invitation, fieldsOf(opened, 'open')!);
    const give = async (item: number) => {
      const form = await formOf(device, page(id, item));
      const answer = await device(page(id, item), { ...form, giver: 'Aunt', message: 'Whispered' });
      assert.equal(answer.status, 303, answer.text);
    };
    await give(glasses);
    const seen = (await device(permalink)).text;
    assert.match(seen, /reserved for you/);
    const mine = /class="trousseau-mine"[^>]*href="([^"]*)"/.exec(seen)![1]!;
    assert.match((await device(mine)).text, /Glasses/);
    // The next sentence waits while somebody else signs in.
    await give(pan);
    for (const who of ['alice', 'carol'] as const) {
      const { username, login } = site.users[who];
      await device('/wp-login.php');
      const signIn = { log: username, pwd: login, testcookie: '1' };
      assert.equal((await device('/wp-login.php', signIn)).status, 302);
      const { text } = await device(permalink);
      assert.match(text, /Glasses/);
      assert.doesNotMatch(text, /trousseau-mine|reserved for you|Aunt|Whispered/, who);
      assert.doesNotMatch((await device('/registries/my-gifts/')).text, /Glasses|Pan|Whispered/, who);
      if (who === 'carol')
        assert.equal(
          (await formOf(device, page(id, glasses).replace(`=${glasses}`, `=${await gift(id)}`))).giver ?? '',
          '',
        );
    }
    // An owner who opens the giver's link, or the mail's, learns nothing either.
    const alice = await visit(site, site.users.alice);
    for (const path of [mine, mine.replace(site.url, '')]) {
      const { text } = await alice(path);
      assert.match(text, /no longer exists/);
      assert.doesNotMatch(text, /Glasses|Whispered/);
      assert.notEqual((await alice(path, { do: 'release' })).status, 303);
    }
    const sent = await sealed(site, 'my-gifts', `${inSeconds(3600)} aunt@example.org`);
    const byMail = `/registries/my-gifts/?of=${encodeURIComponent(sent)}`;
    assert.match((await nobody(byMail)).text, /Glasses.*Pan|Pan.*Glasses/s);
    assert.doesNotMatch((await alice(byMail)).text, /Glasses|Whispered/);
  });

  test('an owner who is to be surprised gives nothing from their own list', async () => {
    const { id, permalink } = await registry({ meta: { registry_surprise_until: 'always' } });
    const glasses = await gift(id);
    const alice = await visit(site, site.users.alice);
    assert.doesNotMatch((await alice(permalink)).text, link(glasses));
    const fields = await formOf(bob, page(id, glasses));
    for (const answer of [await alice(page(id, glasses)), await alice(page(id, glasses), fields)]) {
      assert.equal(answer.status, 403);
      assert.match(answer.text, /This is your own list, and it’s a surprise/);
    }
    assert.equal(await given(glasses), 0);
  });

  test('visitors confirm by mail what they give, where they may', async () => {
    await site.mails();
    const { id, permalink } = await registry();
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    assert.match(
      (await nobody(permalink)).text,
      link(glasses),
      'on a site that never said anything about it',
    );
    const typed = { giver: 'Vera <b>', email: 'vera@example.org', message: 'Surprise!' };
    const fresh = await formOf(nobody, path);
    const since = await formStamp(site);
    const fields = { ...fresh, since };
    assert.match(refused(await nobody(path, { ...fields, ...typed, website: 'x' })), /Something went wrong/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, since: '' })), /Something went wrong/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, giver: ' ' })), /Enter your name/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, email: 'vera' })), /Enter your email/);
    assert.equal(await given(glasses), 0);

    // A form that is sent too fast waits for the rest of two seconds.
    const now = await formStamp(site, -60);
    const held = await nobody(path, { ...fields, ...typed, since: now });
    assert.equal(naps(site).at(-1), 2);
    const note = await said(nobody, held);
    assert.match(note, /we’ve sent an email to vera@example\.org\. .*reserved for you for an hour/);
    assert.equal(await given(glasses), 1, 'it is kept from others meanwhile');
    const [own, stranger] = [await nobody(permalink), await (await visit(site, null))(permalink)];
    assert.doesNotMatch(own.text, /class="trousseau-mine"|\/gift\//, 'a public page is everybody’s');
    const part = await nobody(`/?trousseau_visitor=${id}`, {});
    assert.match(part.json.mine[glasses], /\/gift\//);
    assert.deepEqual(part.json.waiting, [glasses]);
    assert.match(part.headers.get('cache-control')!, /no-store/, 'the way to one’s gift is in no cache');
    assert.match(own.headers.get('cache-control')!, /no-store/, 'the way to one’s gift is in no cache');
    assert.doesNotMatch(stranger.text, /class="trousseau-mine"|\/gift\//);
    assert.doesNotMatch(stranger.headers.get('cache-control') ?? '', /no-store/, 'other pages may be kept');
    const mails = await site.mails();
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['vera@example.org', 'Please confirm your gift']],
    );
    for (const words of ['Vera', 'Surprise', 'Glasses', 'Ann & Sam'])
      assert.equal(
        mails[0]!.raw.includes(words),
        false,
        'a mail that anybody can cause carries nobody’s words',
      );

    const other = await visit(site, null);
    const confirm = new URL(/https?:\/\/\S*\/gift\/\S*/.exec(mails[0]!.text)![0]);
    const state = async () => (await claims(id))[0]!.state;
    const opened = await other(confirm.pathname + confirm.search);
    assert.equal(opened.status, 200);
    assert.match(opened.headers.get('cache-control')!, /no-store/);
    assert.match(opened.headers.get('x-robots-tag')!, /noindex/);
    assert.equal(await state(), 'pending', 'a link does nothing by being opened');
    const done = await other(confirm.pathname + confirm.search, fieldsOf(opened.text, 'confirm')!);
    assert.equal(done.status, 303);
    assert.equal(await state(), 'reserved');
    const later = (await nobody(`/?trousseau_visitor=${id}`, {})).json;
    assert.deepEqual(
      [Object.keys(later.mine), later.waiting],
      [[String(glasses)], []],
      'by another device, too',
    );
    const forged = confirm.search.replace(/..$/, (end) => (end === 'aa' ? 'bb' : 'aa'));
    assert.equal((await other(confirm.pathname + forged, { do: 'release' })).status, 403);
    assert.equal(await state(), 'reserved');

    for (const [end, waiting] of [
      [600, [glasses]],
      [-9, []],
    ] as const) {
      const entry = `${id}:${glasses}:nobody-confirmed-this:0:${inSeconds(end)}`;
      const cookie = await cookieOf(site, 'gifts', entry);
      const { json } = await nobody(`/?trousseau_visitor=${id}`, {}, { cookie });
      assert.deepEqual([Object.keys(json.mine), json.waiting], [waiting.map(String), waiting], `${end}`);
    }
  });

  test('visitors do only so much in an hour, by address and by network', async () => {
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 90 });
    const path = page(id, glasses);
    const since = await formStamp(site);
    const give = async (email: string, network: string) => {
      const answer = await nobody(
        path,
        { ...(await formOf(nobody, path)), since, giver: 'Vera', email },
        { 'x-test-network': network },
      );
      return answer.status === 303 ? 'given' : refused(answer);
    };
    // One network gets half of an address's mails in an hour: it may be a stranger's.
    for (const network of ['192.0.2.1', '192.0.2.2']) {
      for (let count = 1; count <= 5; count++) assert.equal(await give('one@example.org', network), 'given');
      assert.match(await give('ONE@example.org', network), /Too many gifts were chosen in a short time/);
    }
    assert.match(await give('ONE@example.org', '192.0.2.9'), /Too many gifts were chosen in a short time/);
    for (let count = 1; count <= 19; count++)
      assert.equal(await give(`${count}@example.org`, 'there'), 'given');
    assert.equal(await give('20@example.org', 'there'), 'given');
    assert.match(await give('21@example.org', 'there'), /Too many gifts were chosen in a short time/);
    assert.equal(await give('21@example.org', 'elsewhere'), 'given');
    assert.equal(await given(glasses), 31);
    await site.mails();
  });

  test('visitors without an account take only so many pieces of a list in a day, however many addresses they have', async () => {
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 200 });
    const path = page(id, glasses);
    const since = await formStamp(site);
    const from = { 'x-test-network': '198.51.100.7' };
    const give = async (email: string, count: string, headers = from) =>
      nobody(path, { ...(await formOf(nobody, path)), since, giver: 'Vera', email, count }, headers);
    await site.mails();
    assert.equal((await give('one@catch-all.example', '50')).status, 303);
    const refusal = await give('two@catch-all.example', '20');
    assert.match(refused(refusal), /Ask the owners to invite you/);
    assert.equal((await give('three@catch-all.example', '5')).status, 303);

    // The same limit holds when a gift is made larger.
    const mail = (await site.mails()).find(({ to }) => to.includes('one@catch-all.example'))!;
    const { pathname, search } = new URL(/https?:\/\/\S*\/gift\/\S*/.exec(mail.text)![0]);
    const gifts = pathname + search;
    const confirmed = await nobody(gifts, fieldsOf((await nobody(gifts)).text, 'confirm')!, from);
    assert.equal(confirmed.status, 303);
    const change = fieldsOf((await nobody(gifts)).text, 'change')!;
    assert.equal((await nobody(gifts, { ...change, count: '150' }, from)).status, 422);
    assert.equal((await nobody(gifts, { ...change, count: '55' }, from)).status, 303);
    assert.equal(await given(glasses), 60);
    const elsewhere = { 'x-test-network': '198.51.100.8' };
    assert.equal((await give('four@catch-all.example', '20', elsewhere)).status, 303);
    await site.mails();
  });

  describe('people with an account whom nobody invited', () => {
    let vandals: WordPressUser;
    let vandal: Visitor;
    /** One of the site's administrators; the plugin's account belongs to another. */
    let keepers: WordPressUser;
    let keeper: Visitor;
    before(async () => {
      vandals = await addUser(site, 'vandal', 'subscriber');
      vandal = await visit(site, vandals);
      keepers = await addUser(site, 'keeper', 'administrator');
      keeper = await visit(site, keepers);
    });

    const gifts = async (registryId: number, count: number) => {
      const ids: number[] = [];
      for (let n = 0; n < count; n++)
        ids.push(await gift(registryId, { name: `Glasses ${n}`, quantity_needed: 5 }));
      return ids;
    };
    /** Presses again where the service is too busy just now, as the page says. */
    const take = async (visitor: Visitor, registryId: number, itemId: number, count = '5') => {
      const path = page(registryId, itemId);
      const form = { ...(await formOf(visitor, path)), state: 'purchased', count };
      for (let times = 0; ; times++) {
        const answer = await visitor(path, form);
        if (times === 20 || !/try again in a minute/.test(answer.text)) return answer;
      }
    };
    const states = async (registryId: number) => {
      const counts: Record<string, number> = {};
      for (const { state } of await claims(registryId)) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    };
    /** The states of the gifts that somebody gives, as they see them. */
    const ownStates = async (user: WordPressUser, registryId: number) => {
      const answer = await fetch(`${site.service.url}/claims`, { headers: { authorization: basic(user) } });
      const found = (await answer.json()) as { registry_id: number; state: string }[];
      return found.filter(({ registry_id }) => registry_id === registryId).map(({ state }) => state);
    };
    /** The part of the settings page about uninvited givers. */
    const seen = async () =>
      decoded(
        (await keeper('/wp-admin/options-general.php?page=trousseau')).text.split(
          'id="trousseau-uninvited"',
        )[1]!,
      );
    const inHealth = () => finding(site, 'uninvited');

    test('mark some gifts at once and some by a mail, however fast they are, and no more', async () => {
      await site.mails();
      const { id, permalink } = await registry({ title: 'Open to all' });
      const all = await gifts(id, 12);
      const answers: Answer[] = await Promise.all(all.map((itemId) => take(vandal, id, itemId)));
      assert.deepEqual(await states(id), { purchased: 2, pending: 4 });
      const first = answers.filter(({ status }) => status === 422);
      assert.equal(first.length, 6);
      assert.match(refused(first[0]!), /Ask the owners to invite you/);

      const mails = (await site.mails()).filter(({ subject }) => /confirm/.test(subject));
      assert.equal(mails.length, 4);
      for (const { text } of mails)
        assert.match(
          text,
          /^You’ve chosen “5 × Glasses \d+” from “Open to all”\. It’s reserved for you until/,
        );
      // The device remembers only the last of several forms sent at once.
      const { text: list } = await vandal(permalink);
      const marked = [...list.matchAll(/class="trousseau-mine[^>]*>([^<]*)/g)].map(([, words]) => words);
      assert.ok(marked.includes('Please confirm'), `${marked}`);
      assert.ok(marked.filter((words) => words === 'You’re giving this').length <= 2, `${marked}`);
      const mine = (await vandal('/registries/my-gifts/')).text;
      for (const [, path] of mine.matchAll(/href="([^"]*\/gift\/[^"]*)"/g)) {
        const { pathname, search } = new URL(decoded(path!));
        assert.equal(fieldsOf((await vandal(pathname + search)).text, 'confirm'), undefined);
        for (const action of ['confirm', 'bought']) await vandal(pathname + search, { do: action });
      }
      assert.deepEqual(await states(id), { purchased: 2, pending: 4 }, 'nobody confirms but by the mail');
      const confirm = new URL(/https?:\/\/\S*\/gift\/\S*/.exec(mails[0]!.text)![0]);
      const opened = await vandal(confirm.pathname + confirm.search);
      await vandal(confirm.pathname + confirm.search, fieldsOf(opened.text, 'confirm')!);
      assert.deepEqual(await states(id), { purchased: 2, pending: 3, reserved: 1 });
    });

    test('a form that is sent again is decided about and counted once', async () => {
      const { id } = await registry();
      const [one, ...rest] = await gifts(id, 4);
      const friend = await visit(site, await addUser(site, 'friend', 'subscriber'));
      const path = page(id, one!);
      const form = await formOf(friend, path);
      for (let n = 0; n < 6; n++) assert.equal((await friend(path, { ...form, count: '3' })).status, 303);
      for (const itemId of rest) assert.equal((await take(friend, id, itemId, '3')).status, 303);
      assert.deepEqual(await states(id), { reserved: 1, purchased: 3 });
      assert.match(
        (await friend(path)).text,
        /we’ll email you to confirm this one/,
        'it is said before they press',
      );
      assert.doesNotMatch((await carol(path)).text, /we’ll email you to confirm this one/);
    });

    test('share a limit, too, however many accounts there are', async () => {
      await option('test_limits_at once', { of_all: 3 });
      await option('test_limits_by mail', { of_all: 5 });
      const { id } = await registry();
      const all = await gifts(id, 7);
      const crowd = await Promise.all(
        all.map(async (_, n) => visit(site, await addUser(site, `one-of-many-${n}`, 'subscriber'))),
      );
      for (let n = 0; n < all.length; n += 3)
        await Promise.all(crowd.slice(n, n + 3).map((visitor, at) => take(visitor, id, all[n + at]!, '1')));
      assert.deepEqual(await states(id), { purchased: 3, pending: 2 });
      await option('test_limits_at once', {});
      await option('test_limits_by mail', {});
    });

    test('are seen by the site’s keeper, who undoes it for one of them', async () => {
      const own = (await as('alice').registries.create({
        title: 'With a guest',
        status: 'publish',
        meta: { registry_invitees: ['vandal'] },
      }))!;
      const invited = await gifts(own.id, 6);
      for (const itemId of invited) assert.equal((await take(vandal, own.id, itemId)).status, 303);
      assert.deepEqual(await states(own.id), { purchased: 6 }, 'who is invited gives as much as they like');

      const found = await inHealth();
      assert.equal(found.status, 'recommended');
      assert.match(found.words, /vandal: 6 gifts, 30 pieces, from .*Open to all/);
      assert.doesNotMatch(found.words, /With a guest/);
      assert.match(await seen(), /vandal.*6 gifts, 30 pieces.*Open to all/s);

      // Gifts that are a surprise to the keeper are left out.
      const { id } = (await of(keepers).registries.create({
        title: 'Hush',
        status: 'publish',
        meta: { registry_surprise_until: 'always' },
      }))!;
      const hushed = (await of(keepers).registries.items.create(id, {
        name: 'Pan',
        url: 'https://shop.example/pan',
        quantity_needed: 40,
      }))!.data.id;
      const quiet = await visit(site, await addUser(site, 'quiet', 'subscriber'));
      const before = [await inHealth(), (await seen()).replace(/_wpnonce" value="\w+"/g, '')];
      for (let n = 0; n < 6; n++) await take(quiet, id, hushed, '2');
      await take(vandal, id, hushed, '2');
      assert.deepEqual(await ownStates(vandals, id), ['purchased']);
      assert.deepEqual([await inHealth(), (await seen()).replace(/_wpnonce" value="\w+"/g, '')], before);

      const form = formWith(
        (await keeper('/wp-admin/options-general.php?page=trousseau')).text.split(
          'id="trousseau-uninvited"',
        )[1]!,
        ': vandal<',
      )!;
      for (const [visitor, status] of [
        [bob, 403],
        [nobody, 303],
      ] as const)
        assert.equal((await visitor('/wp-admin/admin-post.php', form)).status, status);
      await site.mails();
      const done = await keeper('/wp-admin/admin-post.php', form);
      assert.equal(done.status, 303);
      const said = (await keeper('/wp-admin/options-general.php?page=trousseau&settings-updated=true')).text;
      assert.match(said, /6 gifts that vandal reserved are available again/);
      assert.doesNotMatch(await seen(), /vandal/);
      assert.deepEqual(await states(own.id), { purchased: 6 }, 'what they give as a guest stays');
      assert.deepEqual(
        await ownStates(vandals, id),
        ['released'],
        'what is a surprise to whoever pressed goes along',
      );
      const told = (await site.mails()).filter(
        ({ to, subject }) =>
          to.startsWith('vandal@') && subject === 'The gifts you chose are available again',
      );
      assert.equal(told.length, 1);
    });
  });

  test('a form that is sent after its session was over is filled in again once its sender is back', async () => {
    const sissy = await addUser(site, 'sissy', 'subscriber');
    const { id } = await registry({ status: 'private', meta: { registry_invitees: ['sissy'] } });
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    const visitor = await visit(site, sissy);
    const typed = { ...(await formOf(visitor, path)), count: '4', state: 'purchased', message: 'With love' };
    await endSessions(site, sissy.id);
    const refusal = await visitor(path, typed);
    assert.equal(refusal.status, 404, 'nobody learns that there is a list');
    assert.doesNotMatch(refusal.text, /Sorry|Ann & Sam|Glasses/);
    assert.match(refusal.text, /What you’ve typed is saved/);
    assert.match(refusal.text, /You’re no longer logged in/);
    assert.doesNotMatch(refusal.text, /[Nn]othing to see here|There’s no list here, or it’s private/);
    const back = new URL(decoded(/href="([^"]*wp-login\.php\?redirect_to=[^"]*)"/.exec(refusal.text)![1]!));
    assert.equal(back.searchParams.get('redirect_to'), site.url + path);
    // Other pages don't show the text, and the site keeps no form from another site.
    assert.equal(
      (await visitor(path, { ...typed, message: 'x' }, { origin: 'https://elsewhere.example' })).status,
      404,
    );
    const login = { log: sissy.username, pwd: sissy.login, testcookie: '1', redirect_to: site.url + path };
    assert.equal((await visitor('/wp-login.php', login)).headers.get('location'), site.url + path);
    const other = await gift(id, { name: 'Other' });
    assert.equal((await formOf(visitor, page(id, other))).message, '');
    const again = (await visitor(path)).text;
    assert.match(again, /role="status"[^>]*>Here’s what you typed/);
    const resumed = fieldsOf(again, 'give')!;
    assert.deepEqual([resumed.count, resumed.state, resumed.message], ['4', 'purchased', 'With love']);
    assert.equal(await given(glasses), 0);
    await said(visitor, await visitor(path, resumed));
    assert.equal(await given(glasses), 4);
    assert.equal((await formOf(visitor, path)).message, '', 'once');
    // Malformed fields break neither keeping nor resuming a form.
    const mine = '/registries/mine/';
    const stranger = await visit(site, null);
    assert.equal((await stranger(mine, { 'do[x]': 'y', 'file[]': 'z' })).status, 403);
    await stranger('/wp-login.php', login);
    assert.equal((await stranger(mine)).status, 200);
  });

  test('a form stays filled in however long it is, within the limits for strangers', async () => {
    const writer = await addUser(site, 'writer', 'subscriber');
    const its = createClient({ env: {}, baseUrl: site.service.url, ...writer });
    const { id } = (await its.registries.create({ title: 'Long', status: 'private' }))!;
    const path = `/registries/${id}/details/`;
    const visitor = await visit(site, writer);
    const fields = fieldsOf((await visitor(path)).text, 'change')!;
    const signedOut = () => endSessions(site, writer.id);
    const login = { log: writer.username, pwd: writer.login, testcookie: '1', redirect_to: site.url + path };
    const rows = () => keptRows(site, 'typed_');
    const forget = () => forgetValues(site, 'typed_');
    const sent = async (story: string, network: string) => {
      const { status, text } = await visitor(path, { ...fields, story }, { 'x-test-network': network });
      assert.equal(status, 404);
      return (
        /What you’ve typed is saved/.test(text) ||
        (/We couldn’t save what you’ve typed/.test(text) ? false : text)
      );
    };

    // The story has 20,000 characters of four and two bytes.
    const story = `Schöne Grüße, ihr Lieben!\n${'🎁ü'.repeat(10_000)}`.slice(0, -39);
    assert.equal([...story].length, 20_000);
    await forget();
    await signedOut();
    assert.equal(await sent('First', '192.0.2.1'), true);
    assert.equal(await sent(story, '192.0.2.1'), true);
    const [row, ...more] = await rows();
    assert.equal(more.length, 0, 'one of a device');
    assert.doesNotMatch(row!.value!, /Grüße|u00fc/);
    assert.equal((await visitor('/wp-login.php', login)).headers.get('location'), site.url + path);
    const resumed = fieldsOf((await visitor(path)).text, 'change')!;
    assert.equal(resumed.story, story);
    assert.deepEqual(await rows(), [], 'once');
    assert.equal((await visitor(path, resumed)).status, 303);
    assert.equal(fieldsOf((await visitor(path)).text, 'change')!.story, story);

    // A page that couldn't keep the text says so; loading it again sends the same form.
    await signedOut();
    const much = '🎁'.repeat(40_000);
    const refusal = await visitor(path, { ...fields, story: much });
    assert.match(refusal.text, /We couldn’t save what you’ve typed[^<]*reload this page/);
    assert.match(refusal.text, /href="[^"]*wp-login\.php[^"]*" target="_blank"/);
    assert.deepEqual(await rows(), []);
    await visitor('/wp-login.php', login);
    const again = await visitor(path, { ...fields, story: much });
    assert.match(refused(again), /Use 20,000 characters at most/);
    assert.equal(fieldsOf(again.text, 'change')!.story, much);

    // Forms are limited by hour and network and by their number at a time, and expire soon.
    await signedOut();
    for (let count = 1; count <= 20; count++) assert.equal(await sent('Much', '192.0.2.2'), true);
    assert.equal(await sent('Much', '192.0.2.2'), false);
    assert.equal(await sent('Much', '192.0.2.3'), true);
    const many = (seconds: number) => {
      const name = `typed_${inSeconds(-seconds)}`;
      const keep = (_: unknown, count: number): Call => [
        'keep_value',
        `${name}_${count}`,
        'x',
        1800 - seconds,
      ];
      return inTurn(site, ...Array.from({ length: 200 }, keep));
    };
    await many(1700);
    assert.equal(await sent('Much', '192.0.2.4'), false);
    await runJobs(site, 'sweep');
    assert.equal((await rows()).length, 200);
    await forget();
    await many(1900);
    assert.equal(await sent('Late', '192.0.2.4'), true);
    await ageValues(site, 'typed_', 86_400);
    await runJobs(site, 'sweep');
    assert.deepEqual(await rows(), []);
    await visitor('/wp-login.php', login);
    assert.equal(fieldsOf((await visitor(path)).text, 'change')!.story, story);
  });

  test('where the site does not allow it, visitors are told to log in', async () => {
    const { id, permalink } = await registry();
    const glasses = await gift(id);
    const path = page(id, glasses);
    const fields = {
      ...(await formOf(nobody, path)),
      since: await formStamp(site),
      giver: 'Vera',
      email: 'vera@example.org',
    };
    await option('trousseau_anonymous_giving', '');
    try {
      const shown = (await nobody(permalink)).text;
      assert.match(shown, new RegExp(`${link(glasses).source} data-for-guests hidden`));
      for (const answer of [await nobody(path), await nobody(path, fields)]) {
        assert.equal(answer.status, 403);
        assert.match(answer.text, /Log in to give a gift/);
        assert.match(decoded(answer.text), /wp-login\.php\?redirect_to=[^"]*give/);
        assert.equal(fieldsOf(answer.text, 'give'), undefined);
      }
      assert.equal(await given(glasses), 0);
      assert.match((await bob(permalink)).text, link(glasses), 'who is signed in still gives');
    } finally {
      await option('trousseau_anonymous_giving', '1');
    }
  });

  test('a service that fails loses nothing: the same form gives once when it is back', async () => {
    const { id } = await registry({ meta: { registry_invitees: ['bob'] } });
    const glasses = await gift(id, { quantity_needed: 3 });
    const path = page(id, glasses);
    const fields = { ...(await formOf(bob, path)), message: 'Kept & "whole"' } as Record<string, string>;
    const failing = await recordingService();
    const isClaim = ({ method, path }: Recorded) => method === 'POST' && path.endsWith('/claims');
    await option('trousseau_base_url', failing.url);
    try {
      let key: string | undefined;
      const list = [
        { id: glasses, registry_id: id, name: 'Glasses', url: 'https://shop.example/', quantity_needed: 3 },
      ];
      for (const [reply, words] of [
        [
          { status: 503, body: { detail: 'secret-internals' } },
          /couldn’t reserve your gift right now.*try again/,
        ],
        [{ status: 200, body: '<html>secret-internals' }, /couldn’t reserve your gift right now/],
        [{ status: 429, body: { detail: 'secret-internals' } }, /Too many gifts are waiting/],
        [{ status: 409, body: { detail: 'secret-internals' } }, /someone was faster/],
        [
          { status: 409, headers: { 'retry-after': '1' }, body: { detail: 'secret-internals' } },
          /couldn’t reserve your gift right now.*try again/,
        ],
        [{ status: 403, body: { detail: 'secret-internals' } }, /couldn’t reserve your gift right now/],
        [{ status: 404, body: { detail: 'secret-internals' } }, /no longer on the list/],
        [{ status: 404, body: 'secret-internals' }, /couldn’t reserve your gift right now/],
      ] as [Reply, RegExp][]) {
        failing.answer = (request) => (isClaim(request) ? reply : { body: list });
        const answer = await bob(path, fields);
        assert.match(refused(answer), words);
        assert.equal(answer.text.includes('secret-internals') || answer.text.includes(failing.url), false);
        const kept = fieldsOf(answer.text, 'give')!;
        assert.deepEqual([kept.message, kept.key], [fields.message, fields.key]);
        const sent = String(failing.requests.findLast(isClaim)!.headers['idempotency-key']);
        key ??= sent;
        assert.equal(sent, key, 'so that the service knows it again');
        assert.match(sent, new RegExp(`^give-${id}-${glasses}-${site.users.bob.id}-[\\w-]{22}$`));
      }
    } finally {
      await failing.close();
    }
    // Without any answer the page shows the last known gifts, and the same words.
    const gone = await bob(path, fields);
    assert.match(refused(gone), /couldn’t reserve your gift right now/);
    await option('trousseau_base_url', site.service.url);
    assert.equal(await given(glasses), 0);
    await said(bob, await bob(path, fields));
    await said(bob, await bob(path, fields));
    assert.equal(await given(glasses), 1);
  });

  test('a 404 from the service means that nothing was done, and pages say so', async () => {
    // An invited guest's gift needs no confirmation, however many they gave before.
    const { id } = await registry({ meta: { registry_invitees: ['bob'] } });
    const glasses = await gift(id, { quantity_needed: 3 });
    const alice = await visit(site, site.users.alice);
    await said(bob, await bob(page(id, glasses), await formOf(bob, page(id, glasses))));
    const [claim] = await claims(id);
    const list = [
      { id: glasses, registry_id: id, name: 'Glasses', url: 'https://shop.example/', quantity_needed: 3 },
    ];
    const failing = await recordingService();
    await option('trousseau_base_url', failing.url);
    try {
      for (const body of [{ detail: 'Not Found' }, 'Not found']) {
        failing.answer = ({ method, path }) => {
          if (method === 'DELETE') return { status: 204 };
          if (path.endsWith('/items')) return { body: list };
          if (path === `/registries/${id}/claims`)
            return { body: { claims: [claim], concealed_until: null } };
          return { status: 404, body };
        };
        assert.match((await bob('/registries/my-gifts/')).text, /can’t be shown right now/);
        const link = await sealed(site, 'my-gifts', `${inSeconds(3600)} bob@example.test`);
        assert.match((await nobody(`/registries/my-gifts/?of=${link}`)).text, /can’t be shown right now/);
        const thanks = await alice(`/registries/${id}/given/`, { do: 'thanked', claim: claim!.id });
        assert.match(
          refused(thanks),
          typeof body === 'string' ? /couldn’t be saved right now/ : /no longer exists/,
        );
      }
      // A gift can be removed although the service can't name its givers just now.
      failing.answer = ({ method, path }) =>
        method === 'DELETE'
          ? { status: 204 }
          : path.endsWith('/items')
            ? { body: list }
            : { status: 500, body: { detail: 'No' } };
      const removed = await alice(`/registries/${id}/gifts/`, { do: 'remove', item: String(glasses) });
      assert.equal(removed.status, 303, removed.text.slice(0, 300));
    } finally {
      await failing.close();
      await option('trousseau_base_url', site.service.url);
    }
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});

// The service asks this site for facts that it doesn't remember, while every PHP worker may be in a page that waits for it.
describe('a crowd that gives at once', { skip: skipWithoutWordPress() }, () => {
  const CROWD = 12;
  let site: WholeSite;
  before(async () => {
    site = await startWholeSite(
      {
        muPlugins: ['test-network'],
      },
      { REGISTRY_CACHE_TTL: '0' },
    );
  });
  after(() => site?.stop());

  test('doesn’t wait for itself, and people who look at the list don’t wait for it', async () => {
    const alice = createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    const { id } = (await alice.registries.create({ title: 'Ann & Sam', status: 'publish' }))!;
    const item = (await alice.registries.items.create(id, {
      ...{ name: 'Glasses', url: 'https://shop.example/glasses', quantity_needed: CROWD + 1 },
    }))!.data.id;
    const admin = createClient({ env: {}, baseUrl: site.service.url, ...site.users.admin });
    await admin.registries.items.claims.create(id, item, { state: 'purchased', giver: { name: 'May' } });
    const path = `/registries/${id}/give/?item=${item}`;
    // The forms are some seconds old: the site makes only a few early forms wait, no crowd.
    const since = await formStamp(site, 60);
    const people = await Promise.all(
      Array.from({ length: CROWD }, async (_, n) => {
        const visitor = await visit(site, null);
        const from = { 'x-test-network': `198.51.100.${n}` };
        const form = fieldsOf((await visitor(path)).text, 'give')!;
        return {
          visitor,
          from,
          form: { ...form, since, giver: `Guest ${n}`, email: `guest${n}@example.org` },
        };
      }),
    );
    const gave = await Promise.all(people.map(({ visitor, form, from }) => visitor(path, form, from)));
    assert.deepEqual(new Set(gave.map(({ status }) => status)), new Set([303]));

    const owner = await visit(site, site.users.alice);
    const asked = await Promise.all(
      people.flatMap(({ visitor }) => [visitor('/registries/my-gifts/'), owner(`/registries/${id}/given/`)]),
    );
    for (const { status, text } of asked) {
      assert.equal(status, 200);
      assert.match(text, /Glasses/);
    }
    const own = people.map(({ visitor }) => visitor('/registries/my-gifts/'));
    const links = (await Promise.all(own)).map(({ text }) => /href="([^"]*\/gift\/[^"]*)"/.exec(text)![1]!);
    const gifts = await Promise.all(
      links.map((link, n) => {
        const { pathname, search } = new URL(decoded(link));
        return people[n]!.visitor(pathname + search);
      }),
    );
    for (const { status, text } of gifts) {
      assert.equal(status, 200);
      assert.match(text, /Glasses/);
    }
    assert.deepEqual(complaints(site), []);
  });
});

// Giving, with the service as it ships: who may, what a form does however it is sent, and what it says when it can't.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { skipWithoutWordPress } from '../dev/wordpress.ts';
import {
  type Answer,
  addUser,
  basic,
  complaints,
  decoded,
  evaluate,
  fieldsOf,
  php,
  type Recorded,
  type Reply,
  recordingService,
  type Visitor,
  visit,
} from './site.ts';
import { startWholeSite, type WholeSite } from './whole-site.ts';

describe('giving', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let nobody: Visitor;
  let bob: Visitor;
  let carol: Visitor;
  before(async () => {
    // Every page asks the service, whatever was before.
    site = await startWholeSite({
      muPlugin: `add_filter( 'trousseau_gifts_fresh_for', '__return_zero' );
        add_filter( 'pre_option_trousseau_trouble', '__return_empty_string' );
        add_filter( 'trousseau_visitor_address', fn( $address ) => $_SERVER['HTTP_X_TEST_NETWORK'] ?? $address );`,
    });
    nobody = await visit(site, null);
    bob = await visit(site, site.users.bob);
    carol = await visit(site, site.users.carol);
  });
  after(() => site?.stop());

  const as = (who: 'admin' | 'alice' | 'bob') =>
    createClient({ env: {}, baseUrl: site.service.url, ...site.users[who] });
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
      claims: { quantity: number; state: string; message: string; giver: { user_id: number } }[];
    };
    return found.claims;
  };
  const option = (name: string, value: string) =>
    evaluate(site, `return update_option( '${name}', ${php(value)} );`);

  const page = (registryId: number, itemId: number | string) =>
    `/registries/${registryId}/give/?item=${itemId}`;
  const link = (itemId: number) => new RegExp(`href="[^"]*/give/\\?item=${itemId}"`);
  const formOf = async (visitor: Visitor, path: string) =>
    fieldsOf((await visitor(path)).text, 'give') ?? assert.fail(`no form on ${path}`);
  /** What the page that follows a form says. */
  const said = async (visitor: Visitor, { status, headers, text }: Answer) => {
    assert.equal(status, 303, text);
    const target = new URL(headers.get('location')!);
    assert.equal(target.origin, site.url);
    const next = (await visitor(target.pathname)).text;
    return decoded(/<p class="trousseau-note [^"]*" role="status">(.*?)<\/p>/.exec(next)?.[1] ?? '');
  };
  /** What a form says that is shown again. */
  const refused = ({ status, text }: Answer) => {
    assert.equal(status, 422, text);
    return decoded(/role="alert".*?<\/ul>/s.exec(text)![0].replace(/<[^>]*>/g, ' '));
  };

  test('a signed-in guest gives as many as they say, and reads what came of it, once', async () => {
    const { id, permalink } = await registry({ status: 'private', meta: { registry_invitees: ['bob'] } });
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    assert.match((await bob(permalink)).text, link(glasses));
    const fields = await formOf(bob, path);
    assert.equal(await given(glasses), 0, 'looking at the page does nothing');
    assert.equal(fields.state, 'reserved');
    const bought = await bob(path, { ...fields, count: '4', state: 'purchased', message: 'With love' });
    assert.equal(bought.headers.get('location'), `${permalink}#trousseau-item-${glasses}`);
    assert.equal(await said(bob, bought), 'Thank you! You give “Glasses”.');
    const after = (await bob(permalink)).text;
    assert.doesNotMatch(after, /role="status"/, 'it is said once');
    const thanked = (await bob(`${permalink}?trousseau_given=thanks`)).text;
    assert.doesNotMatch(thanked, /role="status"|Thank you/, 'and by no address');
    assert.match(after, /2 of 6 still needed/);
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
      ['3', /Not that many are still needed: somebody may have been faster/],
      ['1000', /Not that many are still needed/],
      ['0', /At least one/],
      ['-1', /At least one/],
      ['x', /At least one/],
      ['1.5', /At least one/],
    ] as const) {
      const again = await bob(path, { ...(await formOf(bob, path)), count, message: 'Two "more" <3' });
      assert.match(refused(again), words, count);
      assert.equal(fieldsOf(again.text, 'give')!.message, 'Two "more" <3', 'what was typed is kept');
    }
    assert.equal(await given(glasses), 4);
    await said(bob, await bob(path, { ...(await formOf(bob, path)), count: '2' }));
    assert.equal(await given(glasses), 6);
    const nothing = (await bob(path)).text;
    assert.match(nothing, /Somebody gives that already/);
    assert.equal(fieldsOf(nothing, 'give'), undefined);
    assert.doesNotMatch((await carol(permalink)).text, /Glasses/);
  });

  test('a gift that no shop has leads to none, on its page and in its mail', async () => {
    await site.mails();
    const { id, permalink } = await registry();
    const path = page(id, await gift(id, { name: 'A walk', url: permalink }));
    assert.doesNotMatch((await bob(path)).text, /in the shop/);
    await said(bob, await bob(path, await formOf(bob, path)));
    const mail = (await site.mails()).find(({ to }) => to.includes(site.users.bob.email));
    assert.match(mail!.text, /You give “A walk”/);
    assert.doesNotMatch(mail!.text, /in the shop/);
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

  test('only a page of this site gives anything', async () => {
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 9 });
    const path = page(id, glasses);
    const send = async (headers: Record<string, string>) =>
      (await bob(path, await formOf(bob, path), headers)).status;
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: site.url.replace('http:', 'https:') },
      { origin: `${site.url}1` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: '', referer: 'https://elsewhere.example/' },
    ])
      assert.equal(await send(headers as Record<string, string>), 403, JSON.stringify(headers));
    assert.equal(await given(glasses), 0);
    assert.equal(await send({ origin: 'https://behind.a.proxy', 'sec-fetch-site': 'same-origin' }), 303);
    assert.equal(await given(glasses), 1);
  });

  test('nobody gives from what they may not see, and nothing that is not on the list', async () => {
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
      assert.match((await bob(path)).text, /That gift is no longer on the list/);
      assert.match(refused(await bob(path, fields)), /could not be stored|no longer on the list/);
    }
    assert.deepEqual([await given(shown), await given(hidden)], [0, 0]);

    // Taken off between looking and pressing.
    await as('alice').registries.items.delete(open.id, shown);
    refused(await bob(page(open.id, shown), fields));
    assert.equal((await claims(open.id)).length, 0);
  });

  test('an owner who is to be surprised gives nothing from their own list', async () => {
    const { id, permalink } = await registry({ meta: { registry_surprise_until: 'always' } });
    const glasses = await gift(id);
    const alice = await visit(site, site.users.alice);
    assert.doesNotMatch((await alice(permalink)).text, link(glasses));
    const fields = await formOf(bob, page(id, glasses));
    for (const answer of [await alice(page(id, glasses)), await alice(page(id, glasses), fields)]) {
      assert.equal(answer.status, 403);
      assert.match(answer.text, /This list is yours, and a surprise/);
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
    assert.match(refused(await nobody(path, { ...fresh, ...typed })), /very fast/);
    const since = await evaluate(site, `return Trousseau\\Link::sign( 'form', (string) ( time() - 10 ) );`);
    const fields = { ...fresh, since };
    assert.match(refused(await nobody(path, { ...fields, ...typed, website: 'x' })), /very fast/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, since: '' })), /very fast/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, giver: ' ' })), /who you are/);
    assert.match(refused(await nobody(path, { ...fields, ...typed, email: 'vera' })), /Type your address/);
    assert.equal(await given(glasses), 0);

    const held = await nobody(path, { ...fields, ...typed });
    assert.match(await said(nobody, held), /held for you for an hour.*mail/);
    assert.equal(await given(glasses), 1, 'it is kept from others meanwhile');
    const [own, stranger] = [await nobody(permalink), await (await visit(site, null))(permalink)];
    assert.match(own.text, /class="trousseau-mine" href="[^"]*\/gift\//);
    assert.match(own.headers.get('cache-control')!, /no-store/, 'the way to one’s gift is in no cache');
    assert.doesNotMatch(stranger.text, /trousseau-mine|\/gift\//);
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
    const forged = confirm.search.replace(/..$/, (end) => (end === 'aa' ? 'bb' : 'aa'));
    assert.equal((await other(confirm.pathname + forged, { do: 'release' })).status, 403);
    assert.equal(await state(), 'reserved');
  });

  test('visitors do only so much in an hour, by address and by network', async () => {
    const { id } = await registry();
    const glasses = await gift(id, { quantity_needed: 90 });
    const path = page(id, glasses);
    const since = await evaluate(site, `return Trousseau\\Link::sign( 'form', (string) ( time() - 10 ) );`);
    const give = async (email: string, network: string) => {
      const answer = await nobody(
        path,
        { ...(await formOf(nobody, path)), since, giver: 'Vera', email },
        { 'x-test-network': network },
      );
      return answer.status === 303 ? 'given' : refused(answer);
    };
    for (let count = 1; count <= 5; count++)
      assert.equal(await give('one@example.org', `192.0.2.${count}`), 'given');
    assert.match(await give('ONE@example.org', '192.0.2.9'), /a lot in a short time/);
    for (let count = 1; count <= 19; count++)
      assert.equal(await give(`${count}@example.org`, 'there'), 'given');
    assert.equal(await give('20@example.org', 'there'), 'given');
    assert.match(await give('21@example.org', 'there'), /a lot in a short time/);
    assert.equal(await give('21@example.org', 'elsewhere'), 'given');
    assert.equal(await given(glasses), 26);
    await site.mails();
  });

  test('a form that is sent after its session was over is filled in again once its sender is back', async () => {
    const sissy = await addUser(site, 'sissy', 'subscriber');
    const { id } = await registry({ status: 'private', meta: { registry_invitees: ['sissy'] } });
    const glasses = await gift(id, { quantity_needed: 6 });
    const path = page(id, glasses);
    const visitor = await visit(site, sissy);
    const typed = { ...(await formOf(visitor, path)), count: '4', state: 'purchased', message: 'With love' };
    await site.wp(`WP_Session_Tokens::get_instance( ${sissy.id} )->destroy_all();`);
    const refusal = await visitor(path, typed);
    assert.equal(refusal.status, 404, 'nobody learns that there is a list');
    assert.doesNotMatch(refusal.text, /Sorry|Ann & Sam|Glasses/);
    assert.match(refusal.text, /What you typed is kept/);
    assert.match(refusal.text, /You are no longer logged in here/);
    assert.doesNotMatch(refusal.text, /nothing to see here|No list has this address/);
    const back = new URL(decoded(/href="([^"]*wp-login\.php\?redirect_to=[^"]*)"/.exec(refusal.text)![1]!));
    assert.equal(back.searchParams.get('redirect_to'), site.url + path);
    // Somewhere else it stands nowhere, and from elsewhere nothing is kept.
    assert.equal(
      (await visitor(path, { ...typed, message: 'x' }, { origin: 'https://elsewhere.example' })).status,
      404,
    );
    const login = { log: sissy.username, pwd: sissy.login, testcookie: '1', redirect_to: site.url + path };
    assert.equal((await visitor('/wp-login.php', login)).headers.get('location'), site.url + path);
    const other = await gift(id, { name: 'Other' });
    assert.equal((await formOf(visitor, page(id, other))).message, '');
    const again = (await visitor(path)).text;
    assert.match(again, /role="status">Here is what you typed. Nothing is stored yet/);
    const resumed = fieldsOf(again, 'give')!;
    assert.deepEqual([resumed.count, resumed.state, resumed.message], ['4', 'purchased', 'With love']);
    assert.equal(await given(glasses), 0);
    await said(visitor, await visitor(path, resumed));
    assert.equal(await given(glasses), 4);
    assert.equal((await formOf(visitor, path)).message, '', 'once');
    // Whatever was sent as what.
    const mine = '/registries/mine/';
    const stranger = await visit(site, null);
    assert.equal((await stranger(mine, { 'do[x]': 'y', 'file[]': 'z' })).status, 403);
    await stranger('/wp-login.php', login);
    assert.equal((await stranger(mine)).status, 200);
  });

  test('however long it is, within what strangers may have the site keep', async () => {
    const writer = await addUser(site, 'writer', 'subscriber');
    const its = createClient({ env: {}, baseUrl: site.service.url, ...writer });
    const { id } = (await its.registries.create({ title: 'Long', status: 'private' }))!;
    const path = `/registries/${id}/details/`;
    const visitor = await visit(site, writer);
    const fields = fieldsOf((await visitor(path)).text, 'change')!;
    const signedOut = () => site.wp(`WP_Session_Tokens::get_instance( ${writer.id} )->destroy_all();`);
    const login = { log: writer.username, pwd: writer.login, testcookie: '1', redirect_to: site.url + path };
    const rows = (what = 'option_name'): Promise<string[]> =>
      evaluate(
        site,
        `return $GLOBALS['wpdb']->get_col( "SELECT ${what} FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE 'trousseau\\_typed\\_%' ORDER BY option_name" );`,
      );
    const change = (query: string) =>
      site.wp(
        `$db = $GLOBALS['wpdb']; $db->query( "${query} WHERE option_name LIKE 'trousseau\\_typed\\_%'" ); wp_cache_flush();`,
      );
    const forget = () => change('DELETE FROM $db->options');
    const sent = async (story: string, network: string) => {
      const { status, text } = await visitor(path, { ...fields, story }, { 'x-test-network': network });
      assert.equal(status, 404);
      return (
        /What you typed is kept/.test(text) || (/What you typed could not be kept/.test(text) ? false : text)
      );
    };

    // 20,000 characters, of four and two bytes.
    const story = `Schöne Grüße, ihr Lieben!\n${'🎁ü'.repeat(10_000)}`.slice(0, -39);
    assert.equal([...story].length, 20_000);
    await forget();
    await signedOut();
    assert.equal(await sent('First', '192.0.2.1'), true);
    assert.equal(await sent(story, '192.0.2.1'), true);
    const [row, ...more] = await rows('option_value');
    assert.equal(more.length, 0, 'one of a device');
    assert.doesNotMatch(row!, /Grüße|u00fc/);
    assert.equal((await visitor('/wp-login.php', login)).headers.get('location'), site.url + path);
    const resumed = fieldsOf((await visitor(path)).text, 'change')!;
    assert.equal(resumed.story, story);
    assert.deepEqual(await rows(), [], 'once');
    assert.equal((await visitor(path, resumed)).status, 303);
    assert.equal(fieldsOf((await visitor(path)).text, 'change')!.story, story);

    // What is too much is said, and the page loaded again sends the same.
    await signedOut();
    const much = '🎁'.repeat(40_000);
    const refusal = await visitor(path, { ...fields, story: much });
    assert.match(refusal.text, /could not be kept here[^<]*load this page again/);
    assert.match(refusal.text, /href="[^"]*wp-login\.php[^"]*" target="_blank"/);
    assert.deepEqual(await rows(), []);
    await visitor('/wp-login.php', login);
    const again = await visitor(path, { ...fields, story: much });
    assert.match(refused(again), /At most 20,000 characters/);
    assert.equal(fieldsOf(again.text, 'change')!.story, much);

    // So many in an hour from one place, so many of all at a time, and none for long.
    await signedOut();
    for (let count = 1; count <= 20; count++) assert.equal(await sent('Much', '192.0.2.2'), true);
    assert.equal(await sent('Much', '192.0.2.2'), false);
    assert.equal(await sent('Much', '192.0.2.3'), true);
    const many = (seconds: number) =>
      site.wp(
        `for ( $count = 0; $count < 200; $count++ ) { add_option( 'trousseau_typed_' . ( time() - ${seconds} ) . '_' . $count, 'x', '', false ); }`,
      );
    await many(1700);
    assert.equal(await sent('Much', '192.0.2.4'), false);
    await site.wp(`do_action( 'trousseau_digest' );`);
    assert.equal((await rows()).length, 200);
    await forget();
    await many(1900);
    assert.equal(await sent('Late', '192.0.2.4'), true);
    assert.equal((await rows()).length, 1);
    await change(
      `UPDATE $db->options SET option_name = CONCAT( 'trousseau_typed_', UNIX_TIMESTAMP() - 1900, '_x' )`,
    );
    await site.wp(`do_action( 'trousseau_digest' );`);
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
      since: await evaluate(site, `return Trousseau\\Link::sign( 'form', (string) ( time() - 10 ) );`),
      giver: 'Vera',
      email: 'vera@example.org',
    };
    await option('trousseau_anonymous_giving', '');
    try {
      assert.doesNotMatch((await nobody(permalink)).text, link(glasses));
      for (const answer of [await nobody(path), await nobody(path, fields)]) {
        assert.equal(answer.status, 403);
        assert.match(answer.text, /Log in to give something/);
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
    const { id } = await registry();
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
        [{ status: 503, body: { detail: 'secret-internals' } }, /could not be marked just now.*press again/],
        [{ status: 200, body: '<html>secret-internals' }, /could not be marked just now/],
        [{ status: 429, body: { detail: 'secret-internals' } }, /Too many gifts wait/],
        [{ status: 409, body: { detail: 'secret-internals' } }, /somebody may have been faster/],
        [{ status: 404, body: { detail: 'secret-internals' } }, /no longer on the list/],
      ] as [Reply, RegExp][]) {
        failing.answer = (request) => (isClaim(request) ? reply : { body: list });
        const answer = await bob(path, fields);
        assert.match(refused(answer), words);
        assert.equal(answer.text.includes('secret-internals') || answer.text.includes(failing.url), false);
        const kept = fieldsOf(answer.text, 'give')!;
        assert.deepEqual([kept.message, kept.key], [fields.message, fields.key]);
        key = String(failing.requests.findLast(isClaim)!.headers['idempotency-key']);
        assert.equal(key, fields.key, 'the key of the form, so that the service knows it again');
      }
    } finally {
      await failing.close();
    }
    // Nothing answers at all: the gifts as they were last known, and the same words.
    const gone = await bob(path, fields);
    assert.match(refused(gone), /could not be marked just now/);
    await option('trousseau_base_url', site.service.url);
    assert.equal(await given(glasses), 0);
    await said(bob, await bob(path, fields));
    await said(bob, await bob(path, fields));
    assert.equal(await given(glasses), 1);
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});

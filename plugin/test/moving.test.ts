// A site that moves with all its gifts from one service for many sites to another by one press, and every way in which that fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { freePort } from '../../api/test/free-port.ts';
import { keyOf, startManySitesHere } from '../../api/test/many-sites.ts';
import { type Receiver, startReceiver } from '../../api/test/receiver.ts';
import { freshSqlite, startTestService, temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import {
  addJob,
  deletePost,
  hasJob,
  jobs,
  keptRows,
  keptValue,
  makeDue,
  option,
  runDueJobs,
  setOptions,
  testConnection,
} from '../../dev/wordpress/set-up.ts';
import {
  addUser,
  complaints,
  decoded,
  fieldsOf,
  formWith,
  type Visitor,
  visit,
} from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

const DAY = 24 * 60 * 60_000;
const settings = '/wp-admin/options-general.php?page=trousseau';

/** Answers in the place of the service behind it: a status, or a connection that ends. */
type Fault = number | 'cut';

/** A server in front of a service, through which everything for it passes. */
async function startGate() {
  const gate = {
    url: '',
    target: '',
    seen: [] as string[],
    /** Decides about a request before it passes; by default it passes. */
    before: (_request: string): Fault | undefined | Promise<Fault | undefined> => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  async function pass(incoming: IncomingMessage, answer: import('node:http').ServerResponse) {
    const name = `${incoming.method} ${incoming.url!.replace(/^\/sites\/[\w-]{22}/, '')}`;
    gate.seen.push(name);
    const fault = await gate.before(name);
    if (typeof fault === 'number') {
      incoming.resume();
      answer.writeHead(fault, { 'content-type': 'application/json' }).end('{"detail":"Not found"}');
      return;
    }
    const { method, url, headers } = incoming;
    const onward = ask(gate.target + url!, { method: method!, headers }, (from) => {
      answer.writeHead(from.statusCode!, from.headers);
      from.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    if (fault === 'cut') {
      // Half of the body arrives, and both sides lose the connection.
      const [some] = (await once(incoming, 'data')) as [Buffer];
      onward.write(some.subarray(0, some.length >> 1), () => {
        onward.destroy();
        incoming.destroy();
      });
      return;
    }
    incoming.pipe(onward);
  }
  const server = createServer((incoming, answer) => void pass(incoming, answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

describe('a site that moves to another service', { skip: skipWithoutWordPress() }, () => {
  const parts = new AsyncDisposableStack();
  let temp: string;
  let receiver: Receiver;
  let site: WordPress;
  let old: Awaited<ReturnType<typeof startMany>>;
  let other: Awaited<ReturnType<typeof startMany>>;
  let admin: Visitor;
  let bob: Visitor;
  let base: string;
  let list: { id: number; permalink: string };
  let gift: number;
  let claim: string;
  let state: unknown;

  async function startMany() {
    const store = parts.use(await freshSqlite());
    const gate = parts.use(await startGate());
    const many = parts.use(
      await startManySitesHere(
        store,
        { limits: { jobsEveryMs: DAY, moves: { noticedMs: 0 } } },
        {
          PUBLIC_URL: gate.url,
          SITES_JOIN: 'code',
          LOOKUP_ALLOW: `${new URL(site.url).host},${receiver.host}`,
        },
      ),
    );
    gate.target = many.url;
    return { ...many, gate, code: async () => (await many.command('code')).out.trim() };
  }

  before(async () => {
    receiver = parts.use(await startReceiver());
    temp = parts.use(await temporaryFolder()).path;
    site = await startWordPress({
      theme: 'trousseau',
      muPlugin: `define( 'WP_TEMP_DIR', '${temp}' ); get_option( 'dev_service' ) && define( 'TROUSSEAU_SERVICE', get_option( 'dev_service' ) );`,
    });
    admin = await visit(site, site.users.admin);
    bob = await visit(site, site.users.bob);
    old = await startMany();
    other = await startMany();
    const { text } = await admin(settings);
    await send({ ...formWith(text, 'trousseau_join'), 'join-address': old.gate.url, code: await old.code() });
    base = await option(site, 'trousseau_base_url');
    assert.ok(base.startsWith(old.gate.url), base);

    const owner = createClient({ env: {}, baseUrl: base, ...site.users.alice });
    list = (await owner.registries.create({
      title: 'Ann & Sam',
      status: 'publish',
      meta: { registry_surprise_until: 'always' },
    }))!;
    const add = async (name: string) =>
      (await owner.registries.items.create(list.id, {
        ...{ name, url: 'https://shop.example/1', quantity_needed: 6 },
      }))!.data.id;
    gift = await add('Glasses');
    await add('Copper pan');
    const keeper = createClient({ env: {}, baseUrl: base, ...site.users.admin });
    const given = await keeper.registries.items.claims.create(list.id, gift, {
      ...{ quantity: 2, state: 'purchased', message: 'With love' },
      giver: { name: 'Aunt Ida', email: 'ida@example.org' },
    });
    claim = given!.id;
    await keeper.claims.update(claim, { thanked: true });
    state = await stateAt(base);
  });
  after(async () => {
    await site?.stop();
    await parts.disposeAsync();
  });

  /** Everything that the service says of the list. */
  async function stateAt(address: string) {
    const keeper = createClient({ env: {}, baseUrl: address, ...site.users.admin });
    return {
      items: await keeper.registries.items.list(list.id),
      claims: await keeper.registries.claims.list(list.id),
    };
  }
  async function send(fields: Record<string, string>, person = admin) {
    const answer = await person('/wp-admin/admin-post.php', fields);
    assert.equal(answer.status, 303, answer.text);
    return decoded((await person(answer.headers.get('location')!)).text);
  }
  async function press(fields: Record<string, string> = {}, person = admin) {
    const form = formWith((await admin(settings)).text, 'trousseau_move');
    assert.ok(form, 'there is a form');
    return send({ ...form, 'move-address': other.gate.url, ...fields }, person);
  }
  const said = (text: string) => /id="trousseau-moved"[^>]*><p[^>]*>(.*?)<\/p>/s.exec(text)?.[1] ?? '';
  /** The site is where it was, gives go on, and nothing lies about. */
  async function assertStays() {
    assert.equal(await option(site, 'trousseau_base_url'), base);
    assert.deepEqual(await testConnection(site), ['connected', '']);
    assert.deepEqual(await stateAt(base), state);
    assert.deepEqual(readdirSync(temp), []);
    assert.deepEqual(await jobs(site, 'former-service'), []);
    assert.equal(await keptValue(site, 'jobs_paused'), null);
    assert.deepEqual(await keptRows(site, 'lock_moving'), []);
  }
  const cases: [string, RegExp, () => void | Promise<void>, (() => Promise<Record<string, string>>)?][] = [
    ['no address', /The address of the service is not set/, () => {}, async () => ({ 'move-address': '' })],
    [
      'half an address',
      /Did you mean this one\?/,
      () => {},
      async () => ({ 'move-address': 'gifts.example' }),
    ],
    [
      'a new service that nobody reaches',
      /The service can’t be reached. Check its address/,
      () => {},
      async () => ({ 'move-address': `http://127.0.0.1:${await freePort()}` }),
    ],
    [
      'a wrong code',
      /The service refuses this site: the code/,
      () => {},
      async () => ({ 'move-code': 'wrong' }),
    ],
    [
      'the present service',
      /This service has the gifts of this site already/,
      () => {},
      async () => ({ 'move-address': base }),
    ],
    [
      'a new service that can’t reach this site',
      /don’t work together yet: The service answers with an error/,
      () => {
        other.gate.before = (request) => (request.startsWith('GET /registries') ? 500 : undefined);
      },
    ],
    [
      'an old service that is too old',
      /The present service is too old to hand the gifts over/,
      () => {
        old.gate.before = (request) => (request.endsWith(' /export') ? 404 : undefined);
      },
    ],
    [
      'an old service that breaks off',
      /The present service can’t be reached, or broke off/,
      () => {
        old.gate.before = (request) => (request === 'POST /export' ? 'cut' : undefined);
      },
    ],
    [
      'an upload that breaks off',
      /The way to the new service broke off/,
      () => {
        other.gate.before = (request) => (request === 'POST /import' ? 'cut' : undefined);
      },
    ],
    [
      'a new service that is too old',
      /The new service is too old to take a site/,
      () => {
        other.gate.before = (request) => (request === 'POST /import' ? 404 : undefined);
      },
    ],
  ];

  test('is told apart from others: its form shows, with the service that its keeper has chosen', async () => {
    const shown = (text: string) => formWith(text, 'trousseau_move')?.['move-address'];
    assert.equal(shown((await admin(settings)).text), '');
    for (const [chosen, value] of [
      [other.gate.url, other.gate.url],
      [old.gate.url, ''],
    ] as const) {
      await setOptions(site, { dev_service: chosen });
      assert.equal(shown((await admin(settings)).text), value);
    }
    await setOptions(site, { dev_service: null });
    assert.doesNotMatch((await admin(settings)).text, /npm run sites/);
    await using own = await startTestService({ HOST_URL: site.url, ITEM_ACCESS: 'registry' });
    await setOptions(site, { trousseau_base_url: own.url });
    const alone = (await admin(settings)).text;
    assert.equal(formWith(alone, 'trousseau_move'), undefined);
    assert.match(alone, /“npm run sites -- export” writes them to a file/);
    await setOptions(site, { trousseau_base_url: base });
  });

  test('is moved by nobody but a keeper', async () => {
    const form = formWith((await admin(settings)).text, 'trousseau_move')!;
    const editor = await visit(site, await addUser(site, 'edith', 'editor'));
    for (const [who, status] of [
      [editor, 403],
      [bob, 403],
      [await visit(site, null), 303],
    ] as const) {
      const answer = await who('/wp-admin/admin-post.php', { ...form, 'move-address': other.gate.url });
      assert.equal(answer.status, status);
    }
    const forged = await admin('/wp-admin/admin-post.php', {
      ...form,
      _wpnonce: 'x',
      'move-address': other.gate.url,
    });
    assert.match(forged.headers.get('location')!, /error=trousseau-late/);
    const seen = [...old.gate.seen, ...other.gate.seen];
    assert.deepEqual(
      seen.filter((request) => /export|import/.test(request)),
      [],
    );
    assert.equal(other.gate.seen.length, 0);
    await assertStays();
  });

  for (const [name, words, prepare, fields] of cases)
    test(`stays where it is: ${name}`, async () => {
      await prepare();
      const typed: Record<string, string> = { 'move-code': await other.code(), ...(await fields?.()) };
      const text = await press(typed);
      for (const { gate } of [old, other]) gate.before = () => undefined;
      assert.match(said(text), words);
      const address = typed['move-address'] ?? other.gate.url;
      assert.equal(formWith(text, 'trousseau_move')!['move-address'], address);
      assert.equal(said((await admin(settings)).text), '', 'said once');
      await assertStays();
    });

  test('stays where it is if the new service fails after it has taken all, or has got gifts of its own since', async () => {
    let isFull = false;
    other.gate.before = (request) => {
      isFull ||= request === 'POST /import';
      return isFull && request.startsWith('GET /registries') ? 500 : undefined;
    };
    assert.match(said(await press()), /^Nothing has changed.*don’t work together yet/);
    other.gate.before = () => undefined;
    await assertStays();
    const [line] = (await other.command('list')).out.split('\n');
    const key = line!.split(' ')[0]!;
    const there = createClient({ env: {}, baseUrl: `${other.gate.url}/sites/${key}`, ...site.users.alice });
    await there.registries.items.create(list.id, { name: 'Fork', url: 'https://shop.example/fork' });
    assert.match(said(await press()), /^Nothing has changed.*has gifts of this site already, or /);
    await assertStays();
  });

  test('moves with everything, while guests and jobs wait and a second press is refused', async () => {
    // The one before has counted the attempts of this hour.
    other = await startMany();
    const page = `/registries/${list.id}/give/?item=${gift}`;
    const fields = fieldsOf((await bob(page)).text, 'give')!;
    const owner = createClient({ env: {}, baseUrl: base, ...site.users.alice });
    const gone = (await owner.registries.create({ title: 'Gone', status: 'publish' }))!.id;
    await owner.registries.items.create(gone, { name: 'Fork', url: 'https://shop.example/fork' });
    const form = formWith((await admin(settings)).text, 'trousseau_move')!;
    const password = await option(site, 'trousseau_app_password');

    let mode = 0;
    async function meanwhile() {
      const [file] = readdirSync(temp);
      mode = statSync(join(temp, file!)).mode & 0o777;
      const second = await send({ ...form, 'move-address': other.gate.url });
      assert.match(said(second), /This site is being moved already/);
      const refused = await bob(page, fields);
      assert.equal(refused.status, 422);
      assert.match(decoded(refused.text), /could not be marked just now\. Nothing is lost: press again/);
      assert.match((await bob(list.permalink)).text, /Glasses/, 'the list is shown as it was');
      await deletePost(site, gone);
      await addJob(site, 'deletion', String(gone));
      await makeDue(site, 'deletion');
      await runDueJobs(site, 'deletion');
      assert.ok(await hasJob(site, 'deletion', gone), 'a job waits');
    }
    let waited: Promise<void> = Promise.reject(new Error('nothing was sent'));
    waited.catch(() => {});
    other.gate.before = async (request) => {
      if (request !== 'POST /import') return undefined;
      other.gate.before = () => undefined;
      waited = meanwhile();
      return waited.then(
        () => undefined,
        () => 500,
      );
    };
    const words = said(await press({ 'move-code': await other.code() }));
    await waited;
    assert.match(words, /^This site has moved: .*notice nothing\.$/, words);
    assert.equal(mode, 0o600);
    assert.deepEqual(readdirSync(temp), []);

    const moved = await option(site, 'trousseau_base_url');
    assert.match(moved, new RegExp(`^${other.gate.url}/sites/[\\w-]{22}$`));
    assert.deepEqual(await stateAt(moved), state);
    const answer = await fetch(`${base}/health`);
    assert.equal(answer.status, 410);
    assert.deepEqual(await jobs(site, 'former-service'), []);
    assert.notEqual(
      await option(site, 'trousseau_app_password'),
      password,
      'the old service has lost its access',
    );
    assert.deepEqual(await testConnection(site), ['connected', '']);
    // A page that is late on a busy machine notes an outage, which the next one ends.
    await until('no outage is left', async () => {
      await bob(list.permalink);
      return (await keptRows(site, 'trouble')).length === 0;
    });

    await runDueJobs(site, 'deletion');
    assert.equal(await hasJob(site, 'deletion', gone), false);
    const keeper = createClient({ env: {}, baseUrl: moved, ...site.users.admin });
    assert.equal(await keeper.registries.get(gone), null);

    assert.equal((await bob(page, fields)).status, 303, 'the guest presses again');
    const { claims } = (await keeper.registries.claims.list(list.id))!;
    assert.deepEqual(claims.map(({ quantity }) => quantity).sort(), [1, 2]);
    assert.match((await bob(list.permalink)).text, /3 of 6 still needed/);
    const link = await site.call('claim_link', claim);
    const nobody = await visit(site, null);
    assert.match((await nobody(link)).text, /Glasses/, 'the link to one’s own gift');
    const alice = await visit(site, site.users.alice);
    assert.doesNotMatch((await alice(list.permalink)).text, /Aunt Ida|still needed/, 'the surprise goes on');
    assert.match((await alice(`/registries/${list.id}/gifts/`)).text, /Copper pan/);
    assert.equal(keyOf(moved).length, 22);
    state = await stateAt(moved);
  });

  test('moves on, tells of addresses that stay behind, and goes on telling a service that is away', async () => {
    const from = await option(site, 'trousseau_base_url');
    const third = await startMany();
    const keeper = createClient({ env: {}, baseUrl: from, ...site.users.admin });
    await keeper.webhooks.create({ url: receiver.url() });
    other.gate.before = (request) => (request === 'PUT /export' ? 503 : undefined);
    const text = await press({ 'move-address': third.gate.url, 'move-code': await third.code() });
    assert.match(said(text), /This site has moved.*The former service doesn’t know it yet/);
    assert.ok(said(text).endsWith(`enter the new secrets where they lead to: ${receiver.url()}`), text);
    const moved = await option(site, 'trousseau_base_url');
    assert.ok(moved.startsWith(third.gate.url));
    assert.deepEqual(await stateAt(moved), state);
    const [job] = await jobs(site, 'former-service');
    assert.ok(job && !JSON.stringify(job).includes(other.gate.url), 'encrypted');
    assert.equal((await fetch(`${from}/items`)).status, 503);

    // Meanwhile it has opened by itself: it is closed anew first.
    other.gate.before = () => undefined;
    const kept = await fetch(`${from}/export`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${btoa(`${site.users.admin.username}:${site.users.admin.password}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ state: 'kept' }),
    });
    assert.equal(kept.status, 204);
    assert.equal((await fetch(`${from}/items`)).status, 401);
    await runDueJobs(site, 'former-service');
    assert.deepEqual(await jobs(site, 'former-service'), []);
    assert.equal((await fetch(`${from}/health`)).status, 410);
    assert.deepEqual(readdirSync(temp), []);
    assert.deepEqual(await testConnection(site), ['connected', '']);

    await setOptions(site, { trousseau_base_url: from });
    assert.deepEqual(await testConnection(site), ['moved_away', '']);
    await setOptions(site, { trousseau_base_url: moved });
  });

  test('leaves nothing in the log', () => assert.deepEqual(complaints(site), []));
});

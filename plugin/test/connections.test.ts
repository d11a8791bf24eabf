// Settings → Trousseau → Connections: addresses that hear of what happens, added, tested, watched and deleted by the site's keeper.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { isSigned, type Receiver, startReceiver } from '../../api/test/receiver.ts';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { addUser, decoded, fieldsOf, formWith } from '../../dev/wordpress/site.ts';

const page = '/wp-admin/options-general.php?page=trousseau&part=connections';

describeSite('connections', {}, (site) => {
  const { admin } = site.visitors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let receiver: Receiver;
  site.startWith(async () => {
    receiver = await startReceiver();
    folder = await temporaryFolder();
    return { service: { LOOKUP_ALLOW: receiver.host, DATABASE_URL: `sqlite:${folder.path}/items.db` } };
  });

  after(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const shown = async () => decoded((await admin(page)).text);
  async function press(fields: Record<string, string>, to = 'add', person = admin) {
    const { text } = await admin(page);
    const form = to === 'add' ? fieldsOf(text, 'add') : formWith(text, 'webhook');
    const answer = await person('/wp-admin/admin-post.php', { ...form, do: to, ...fields });
    assert.equal(answer.status, 303, answer.text);
    return decoded((await person(answer.headers.get('location')!.replace(site.url, ''))).text);
  }
  const ids = async () => {
    const { username, password } = site.users.admin;
    return (await createClient({ env: {}, baseUrl: site.service.url, username, password }).webhooks.list())!;
  };

  test('an address is added, tested, hears of what happens, and is deleted', async () => {
    assert.match((await admin('/wp-admin/options-general.php?page=trousseau')).text, /part=connections/);
    const made = await press({ url: receiver.url(), items: '1', registry: '1' });
    const secret = /whsec_[\w+/=]+/.exec(made)![0];
    assert.doesNotMatch(await shown(), /whsec_/, 'shown once');
    const [webhook] = await ids();
    assert.deepEqual(
      [webhook!.url, [...webhook!.types].sort()],
      [receiver.url(), ['item.*', 'items.*', 'registry.*']],
    );
    assert.match(await shown(), /Gifts on lists, The lists themselves/);

    assert.match(
      await press({ webhook: webhook!.id }, 'test'),
      /answered with status 204 after \d+ milliseconds/,
    );
    assert.deepEqual(receiver.types(), ['ping']);
    assert.ok(isSigned(secret, receiver.received[0]!));

    const alice = site.client();
    const list = (await alice.registries.create({ title: 'Us' }))!;
    const item = { name: 'Lamp', url: 'https://shop.example/lamp' };
    const { data } = (await alice.registries.items.create(list.id, item))!;
    await alice.registries.items.claims.create(list.id, data.id, {});
    await until('the gift is told of', () => receiver.types().includes('item.created'));
    const { event } = receiver.received.find(({ event: { type } }) => type === 'item.created')!;
    assert.equal(event.data.name, 'Lamp');
    const messages = async () => decoded((await admin(`${page}&of=${webhook!.id}`)).text);
    await until('the message counts as received', async () => /received/.test(await messages()));
    assert.ok((await messages()).includes(event.id));
    assert.ok(!receiver.types().some((type) => type.startsWith('claim.')));

    receiver.answer(() => 500);
    assert.match(await press({ webhook: webhook!.id }, 'test'), /answered with status 500/);
    receiver.answer(() => undefined);
    assert.match(await press({ webhook: webhook!.id }, 'test'), /receiver can’t be reached/);
    receiver.answer(() => 204);

    const form = { webhook: webhook!.id };
    assert.match(await press(form, 'delete'), /Nothing is sent there any more/);
    assert.deepEqual(await ids(), []);
    const again = { ...fieldsOf((await admin(page)).text, 'add'), ...form };
    for (const [to, words] of [
      ['delete', /Nothing is sent there/],
      ['test', /no longer exists/],
    ] as const) {
      await admin('/wp-admin/admin-post.php', { ...again, do: to });
      assert.match(await shown(), words);
    }
  });

  test('faults are said in words, and what was typed stays', async () => {
    for (const [fields, words] of [
      [{ url: 'http://127.0.0.1:1/x', items: '1' }, /This address can’t be used/],
      [{ url: 'nothing', items: '1' }, /This address can’t be used/],
    ] as const) {
      const text = await press(fields);
      assert.match(text, words);
      const kept = fieldsOf(text, 'add')!;
      assert.deepEqual([kept.url, kept.items, kept.claims], [fields.url, '1', undefined]);
    }
    const form: Record<string, string> = await admin.form(page, 'add');
    const { items: _, registry: __, ...none } = form;
    await admin('/wp-admin/admin-post.php', { ...none, url: receiver.url() });
    assert.match(await shown(), /Nothing has been added yet\. Choose what to send/);
    assert.deepEqual(await ids(), []);

    const twice = { ...form, url: receiver.url('/twice'), claims: '1' };
    await Promise.all([1, 2].map(() => admin('/wp-admin/admin-post.php', twice)));
    const [webhook, ...others] = await ids();
    assert.deepEqual([webhook!.types, others], [[], []], 'two presses of one form add one address');
    assert.match(await shown(), /Everything/);
    assert.match(await press({ url: receiver.url('/twice'), claims: '1' }), /messages arrive twice/);
    for (const { id } of await ids()) await press({ webhook: id }, 'delete');
    assert.doesNotMatch(await press({ url: receiver.url('/twice'), claims: '1' }), /messages arrive twice/);
    await press({ webhook: (await ids())[0]!.id }, 'delete');
  });

  test('nobody but the keeper sees or presses anything', async () => {
    const form = { ...(await admin.form(page, 'add')), url: receiver.url() };
    const alice = await site.visit('alice');
    assert.notEqual((await alice(page)).status, 200);
    assert.equal((await alice('/wp-admin/admin-post.php', form)).status, 403);
    const late = await admin('/wp-admin/admin-post.php', { ...form, _wpnonce: 'x' });
    assert.match(
      decoded((await admin(late.headers.get('location')!.replace(site.url, ''))).text),
      /too long/,
    );
    const foreign = await admin(
      '/wp-admin/admin-post.php',
      { ...form, _wpnonce: 'x' },
      { origin: 'https://elsewhere.example' },
    );
    assert.equal(foreign.status, 303);
    assert.deepEqual(await ids(), []);
    assert.doesNotMatch(JSON.stringify(await site.storedOptions()), /whsec_/, 'no secret lies open');
  });

  test('an address that an administrator has added ends with their rights', async () => {
    const clientOf = (name: 'admin' | 'alice' | 'bob' | 'carol') => site.client(name);
    const setRole = (id: number, role: string) => site.call('wp_update_user', { ID: id, role });
    const names = ['bob', 'carol'] as const;
    for (const name of names) {
      await setRole(site.users[name].id, 'administrator');
      await clientOf(name).webhooks.create({ url: receiver.url(`/${name}`), types: ['registry.*'] });
    }
    await site.runJobs('roles');
    await setRole(site.users.bob.id, 'subscriber');
    assert.equal((await site.jobs('roles')).length, 1);
    // As by another program, of which nobody tells: the service asks the site.
    await site.setUserMeta(site.users.carol.id, 'wp_capabilities', { subscriber: true });
    const { key } = (await clientOf('admin').questionKey())!;
    // The service itself asks, and the site learns its key.
    const database = { HOST_URL: site.url, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    const asking = await startTestService(database, { limits: { jobsEveryMs: 200 } });
    await until('the question has come', async () => (await site.jobs('question-key')).length === 1);
    await site.runJobs('question-key');
    await until('its key is known', async () => (await site.jobs('roles')).length === 2);
    await asking.close();
    const look = (id: number | string, word: unknown = key) =>
      fetch(`${site.url}/wp-json/trousseau/v1/users/${id}/look`, {
        ...{ method: 'POST', body: JSON.stringify({ key: word }) },
        headers: { 'content-type': 'application/json' },
      });
    for (const word of ['x', '', [key], null])
      for (const id of [1, site.users.carol.id, 999]) assert.equal((await look(id, word)).status, 401);
    for (let id = 5_000; id < 5_200; id++) assert.equal((await look(id, 'x')).status, 401);
    assert.deepEqual(await site.jobs('question-key'), [], 'strangers have it asked for once in ten minutes');
    assert.equal((await site.jobs('roles')).length, 2, 'and fill no queue');
    for (const id of [site.users.carol.id, site.users.admin.id, 999]) {
      const answer = await look(id);
      assert.deepEqual([answer.status, await answer.json()], [200, { asked: true }]);
    }
    assert.equal((await look('x')).status, 404);
    await site.runJobs('roles');
    assert.deepEqual(await site.jobs('roles'), []);
    const mine = await clientOf('alice').registries.create({ title: 'Ann', status: 'private' });
    await clientOf('alice').registries.update(mine!.id, { title: 'Kim' });
    await until('both have ended', async () =>
      (await ids()).every(({ disabled_at }) => disabled_at !== null),
    );
    assert.match(await shown(), /can no longer see everything/);
    for (const name of names) assert.deepEqual(receiver.types(`/${name}`), []);
    for (const { id } of await ids()) await press({ webhook: id }, 'delete');
  });

  test('the address of an owner whose account is deleted ends', async () => {
    const clientOf = (name: 'alice' | 'bob') => site.client(name);
    const meta = { registry_owners: ['bob'] };
    const list = (await clientOf('alice').registries.create({ title: 'Ann', status: 'private', meta }))!;
    await clientOf('bob')
      .registries.webhooks(list.id)
      .create({ url: receiver.url('/co-owner') });
    await site.wp(
      `require_once ABSPATH . 'wp-admin/includes/user.php'; wp_delete_user( ${site.users.bob.id} );`,
    );
    await site.runJobs('roles');
    const [webhook] = (await clientOf('alice').registries.webhooks(list.id).list())!;
    assert.notEqual(webhook!.disabled_at, null);
  });

  test('what the site reports after a gift decides for good that its owner’s address hears nothing', async () => {
    const client = site.client();
    const alice = await site.visit('alice');
    const dora = await site.visit(await addUser(site, 'dora', 'subscriber'));
    const choose = async (id: number, surprise: string) => {
      const details = `/registries/${id}/details/`;
      const form = { ...(await alice.form(details, 'change')), surprise, end_surprise: 'end' };
      assert.equal((await alice(details, form)).status, 303);
    };
    const given = async (surprise: string) => {
      const { id } = (await client.registries.create({ title: surprise, status: 'publish' }))!;
      const item = { name: 'Lamp', url: 'https://shop.example/lamp' };
      const { data } = (await client.registries.items.create(id, item))!;
      await client.registries.webhooks(id).create({ url: receiver.url(`/${surprise}`), types: ['claim.*'] });
      await choose(id, surprise);
      const give = `/registries/${id}/give/?item=${data.id}`;
      assert.equal((await dora(give, fieldsOf((await dora(give)).text, 'give'))).status, 303);
      return id;
    };
    const [secret, open] = [await given('always'), await given('no')];
    await site.runJobs('rights');
    assert.deepEqual(await site.jobs('rights'), []);
    await choose(secret, 'no');
    const toldOf = async (id: number) => {
      const told = [];
      for await (const event of client.registries.events(id))
        if (event.type.startsWith('claim.')) told.push(event);
      return JSON.stringify(told);
    };
    assert.match(await toldOf(open), /"name":"dora"/);
    await until('the other list’s owner hears', async () => receiver.types('/no').length === 1);
    assert.deepEqual([await toldOf(secret), receiver.types('/always')], ['[]', []]);
  });

  test('a service that cannot be asked is said in words', async () => {
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:1');
    assert.match(await shown(), /The service can’t be reached right now/);
    await site.setOption('trousseau_base_url', site.service.url);
  });

  test('on a phone', { skip: skipWithoutChromium() }, async () => {
    await press({ url: receiver.url(`/${'long'.repeat(40)}`), items: '1' });
    const { id } = (await ids())[0]!;
    await press({ webhook: id }, 'test');
    await using browser = await launchChromium();
    const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await signIn(tab, site, site.users.admin);
    await tab.goto(`${site.url}${page}&of=${id}`);
    const wide = Number(await tab.evaluate('document.documentElement.scrollWidth'));
    assert.ok(wide <= 390, `${wide} pixels`);
    // Deleting is a press more than everything else: the secret is gone with it.
    const button = tab.getByRole('button', { name: 'Delete the address' });
    assert.equal(await button.isVisible(), false);
    await tab.locator('summary', { hasText: 'Delete' }).click();
    await Promise.all([tab.waitForEvent('framenavigated'), button.click()]);
    await tab.getByText('Nothing is sent there any more').waitFor();
  });
});

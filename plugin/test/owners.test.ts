// Several owners of one registry on a real WordPress, as far as it takes the service, a screen or presses at the same time. OwnersTest.php
// has their rights, PartnersTest.php their pages, emails and surprises.
// @again wordpress

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';

describeSite('owners', {}, (site) => {
  const registry = (...names: string[]) => site.list({ meta: { registry_owners: names } }, 'Glasses');
  const ownersOf = async (id: number): Promise<string[]> =>
    JSON.parse(await site.postMeta(id, 'registry_owners'));

  test('a co-owner takes only themselves off the list, by whatever way', async () => {
    const { id } = await registry('bob', site.users.carol.email);
    const owners = (...names: string[]) => ({ registry_owners: JSON.stringify(names) });
    const set = (meta: object, who: 'admin' | 'alice' | 'bob' = 'bob') =>
      site.rest(who, 'POST', `/wp/v2/registry/${id}`, { meta });
    for (const names of [
      [],
      ['bob'],
      [site.users.carol.email, 'bob'],
      ['bob', site.users.carol.email, 'admin'],
    ]) {
      const refused = await set(owners(...names));
      assert.deepEqual([refused.status, refused.json.code], [403, 'trousseau_cannot_change_owners']);
    }
    assert.equal((await set({ registry_owners: null })).status, 403);
    // The way of older programs.
    const fields = [
      ...['1', 'bob', site.users.bob.login].map(
        (text) => `<param><value><string>${text}</string></value></param>`,
      ),
      `<param><value><int>${id}</int></value></param>`,
      `<param><value><struct><member><name>post_status</name><value><string>trash</string></value></member><member>
       <name>custom_fields</name><value><array><data><value><struct><member><name>key</name><value><string>registry_owners</string>
       </value></member><member><name>value</name><value><string>["bob"]</string></value></member></struct></value></data></array>
       </value></member></struct></value></param>`,
    ].join('');
    const headers = { 'content-type': 'text/xml' };
    const body = `<methodCall><methodName>wp.editPost</methodName><params>${fields}</params></methodCall>`;
    const answer = await fetch(`${site.url}/xmlrpc.php`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    assert.equal(await site.postStatus(id), 'private');
    assert.deepEqual(await ownersOf(id), ['bob', site.users.carol.email]);
    assert.equal((await set(owners('Bob', site.users.carol.email))).status, 200);
    assert.equal((await set(owners(site.users.carol.email))).status, 200);
    assert.equal((await set({ registry_event_type: 'mine' })).status, 403);
    assert.equal((await set(owners('bob'), 'admin')).status, 200);
    assert.equal((await set(owners(), 'alice')).status, 200);
  });

  test('WordPress’s own screens let a co-owner edit, and put nothing into the bin', async () => {
    const { id } = await registry('bob');
    const { bob } = site.visitors;
    assert.equal((await bob(`/wp-admin/post.php?post=${id}&action=edit&classic-editor`)).status, 200);
    const screen = (await bob('/wp-admin/edit.php?post_type=registry')).text;
    assert.match(screen, /name="_inline_edit"/);
    assert.doesNotMatch(screen, new RegExp(`post=${id}&amp;action=trash`));
    assert.notEqual((await bob(`/wp-admin/post.php?post=${id}&action=trash`)).status, 302);
    assert.equal(await site.postStatus(id), 'private');
  });

  test('the service knows at once who is an owner no longer', async () => {
    const { id, items } = await registry('bob');
    const { items: gifts, registries } = site.client('bob');
    const isListed = async () => (await registries.list())!.some((one) => one.id === id);
    assert.equal((await gifts.get(items[0]!))!.name, 'Glasses');
    assert.equal(await isListed(), true);
    await site.client().registries.update(id, { meta: { registry_owners: [] } });
    await assert.rejects(gifts.update(items[0]!, { name: 'Mine' }), { data: { status: 403 } });
    assert.equal(await isListed(), false);
  });

  test('a list is taken once by a partner who presses twice, and the service knows its new owner', async () => {
    await site.mails();
    const { id } = await registry('bob');
    const { alice, bob } = site.visitors;
    const people = `/registries/${id}/people/`;
    assert.equal((await alice(people, { do: 'offer', person: 'bob' })).status, 303);
    await bob(people);
    await Promise.all([bob(people, { do: 'take' }), bob(people, { do: 'take' })]);
    assert.deepEqual(await ownersOf(id), ['alice']);
    assert.equal((await site.client('bob').registries.get(id))!.user_id, site.users.bob.id);
    const told = (await site.mails()).filter(({ subject }) => /bob has taken over the list/.test(subject));
    assert.deepEqual(
      told.map(({ to }) => to),
      [site.users.alice.email],
    );
  });
});

// People's data, erased by WordPress's own tools on the site and in the service. PersonalDataTest.php has everything else about them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from 'trousseau-client';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { inSeconds } from '../../dev/wordpress/set-up.ts';
import { addUser } from '../../dev/wordpress/site.ts';
import type { WordPressUser } from '../../dev/wordpress/wordpress.ts';

describeSite('people’s data', {}, (site) => {
  const client = ({ username, password }: Pick<WordPressUser, 'username' | 'password'>) =>
    createClient({ env: {}, baseUrl: site.service.url, username, password });
  const admin = () => client(site.users.admin);

  async function registry(owner: WordPressUser, title: string, meta = {}, gifts = ['Copper kettle']) {
    const made = (await client(owner).registries.create({ title, meta }))!;
    const items = [];
    for (const name of gifts)
      items.push(
        (await client(owner).registries.items.create(made.id, {
          name,
          url: 'https://shop.example/x',
          quantity_needed: 9,
        }))!.data,
      );
    return { id: made.id, items };
  }
  const give = async (
    { id, items }: Awaited<ReturnType<typeof registry>>,
    giver: { name: string; email?: string; user_id?: number },
  ) =>
    (await admin().registries.items.claims.create(id, items[0]!.id, {
      giver,
      state: 'purchased',
      message: `Love from ${giver.name}`,
    }))!.id;
  const givers = (...claims: string[]) =>
    Promise.all(claims.map(async (id) => (await admin().claims.get(id))!.giver.name));

  /** Runs every exporter or eraser page by page, as WordPress does. */
  const ask = (kind: 'exporter' | 'eraser', address: string, page = 1) =>
    site.personalData(kind, address, page);

  test('is erased everywhere, and nobody else’s with it', async () => {
    const { alice } = site.users;
    const dora = await addUser(site, 'dora', 'subscriber');
    const list = await registry(alice, 'Big day', {
      registry_invitees: ['dora', 'DORA@example.test', 'eve@example.org'],
    });
    const own = await registry(dora, 'Dora’s own');
    const claims = await Promise.all([
      give(list, { name: 'By mail', email: dora.email }),
      give(list, { name: 'By account', user_id: dora.id }),
      give(list, { name: 'Eve', email: 'eve@example.org' }),
      give(own, { name: 'Fay', email: 'fay@example.org' }),
    ]);
    for (const to of ['dora@example.test', 'eve@example.org'])
      await site.call('send_mail', to, 'my-gifts', { link: site.url }, inSeconds(86_400));
    const draft = 'a'.repeat(32);
    await site.setUserMeta(dora.id, '_trousseau_draft', draft);
    await site.call('keep_value', `draft_${draft}`, 'begun');
    const mails = () => site.waitingJobs('mail');
    const waiting = await mails();

    const erased = await ask('eraser', dora.email);
    assert.deepEqual(
      [erased.items_removed, erased.items_retained, erased.done, erased.messages.length],
      [true, false, true, 1],
    );
    assert.match(erased.messages[0], /^1 of their lists was moved to the trash/);
    assert.deepEqual(await givers(...claims), ['', '', 'Eve', 'Fay']);
    assert.deepEqual(
      [
        await site.invitees(list.id),
        await site.postStatus(own.id),
        await site.keptValue(`draft_${draft}`),
        await site.call('get_user_meta', dora.id, '_trousseau_draft', true),
      ],
      [['eve@example.org'], 'trash', null, ''],
    );
    assert.equal(await mails(), waiting, 'Dora’s is gone, and Fay hears that the list was deleted');
    assert.equal(
      (await admin().registries.items.list(list.id))![0]!.quantity_purchased,
      3,
      'the numbers stay',
    );
    assert.deepEqual((await ask('exporter', dora.email)).data, []);
    const again = await ask('eraser', dora.email);
    assert.deepEqual([again.items_removed, again.messages], [false, []]);
  });
});

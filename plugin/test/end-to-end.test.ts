// What the service stores on a real WordPress beyond the conformance suite: stories, lists that wait for approval, gifts added at once.
// @again wordpress
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { type EmptyStore, freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { freshSqlite, startTestService, type TestService } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { changePost, post, postMeta, setOption } from '../../dev/wordpress/set-up.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

const stores = [
  { name: 'SQLite', open: freshSqlite, skip: skipWithoutWordPress() },
  { name: 'PostgreSQL', open: freshPostgres, skip: skipWithoutWordPress() || (await withoutPostgres()) },
];

for (const { name, open, skip } of mostTelling(1, stores)) {
  describe(`end to end with ${name}`, { skip }, () => {
    let site: WordPress;
    let store: EmptyStore;
    let service: TestService;

    before(async () => {
      store = await open();
      site = await startWordPress();
      service = await startTestService({ HOST_URL: site.url, DATABASE_URL: store.url });
      await setOption(site, 'trousseau_base_url', service.url);
      const { username, password } = site.users.admin;
      await setOption(site, 'trousseau_username', username);
      await setOption(site, 'trousseau_app_password', password);
    });
    after(async () => {
      await service?.close();
      await site?.stop();
      await store?.[Symbol.asyncDispose]();
    });

    const as = (who: 'admin' | 'alice' | 'bob' | 'carol') =>
      createClient({ env: {}, baseUrl: service.url, ...site.users[who] });
    const _refused = { name: 'ApiError', data: { status: 403 } };

    test('a story stays what it is: plain text, or the markup that the site’s editor wrote', async () => {
      for (const who of ['alice', 'admin'] as const) {
        const { registries } = as(who);
        const { id } = (await registries.create({ title: 'Stories', story: 'We met.' }))!;
        const kept = async () => (await post(site, id)).post_content;
        const read = async () => (await registries.get(id))!.story;
        for (const plain of [
          '1 < 2 & <b>not bold</b> &amp;lt; "quoted"',
          'A &amp; B',
          '<script>x</script>',
          '',
        ]) {
          await registries.update(id, { story: plain });
          assert.equal(await read(), plain);
          assert.doesNotMatch(await kept(), /<b>|<script/);
        }
        const blocks = (words: string) =>
          `<!-- wp:paragraph -->\n<p>${words} <strong>Ann &amp; Bob</strong></p>\n<!-- /wp:paragraph -->`;
        const html = (words: string) => `<p>${words} <em>Ann &amp; Bob</em>, 1 &lt; 2</p>`;
        for (const markup of [blocks, html]) {
          await changePost(site, id, { post_content: markup('We met.') });
          assert.equal(await read(), markup('We met.'));
          await registries.update(id, { title: 'Other', story: markup('We met.') });
          await registries.update(id, { story: markup('We stayed.') });
          assert.deepEqual([await kept(), await read()], [markup('We stayed.'), markup('We stayed.')]);
          await registries.update(id, { story: 'Plain & simple again <3' });
          assert.equal(await read(), 'Plain & simple again <3');
        }
        await registries.update(id, { story: blocks('<script>alert(1)</script>Hello') });
        if (who === 'alice') assert.doesNotMatch(await kept(), /<script/);
        await registries.delete(id);
      }
    });

    test('a list that waits for approval is a private one to the service, with gifts and guests', async () => {
      await setOption(site, 'trousseau_approval', '1');
      try {
        const [alice, bob, carol] = [as('alice'), as('bob'), as('carol')];
        const made = (await alice.registries.create({
          title: 'Waiting',
          status: 'publish',
          meta: { registry_invitees: ['bob'] },
        }))!;
        assert.equal(made.status, 'private');
        await alice.registries.items.create(made.id, { name: 'Pan', url: 'https://shop.example/pan' });
        assert.equal((await bob.registries.items.list(made.id))!.length, 1);
        await assert.rejects(carol.registries.get(made.id), { data: { status: 403 } });
        assert.equal((await alice.registries.update(made.id, { status: 'publish' }))!.status, 'private');
        assert.equal(
          (await as('admin').registries.update(made.id, { status: 'publish' }))!.status,
          'publish',
        );
        assert.equal((await alice.registries.update(made.id, { title: 'Open' }))!.status, 'publish');
      } finally {
        await setOption(site, 'trousseau_approval', '');
      }
    });

    test('twenty additions at once to a registry on WordPress', async () => {
      const alice = as('alice');
      const { id } = (await alice.registries.create({ title: 'Twenty', status: 'publish' }))!;
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          alice.registries.items.create(id, { name: `Gift ${n}`, url: 'https://shop.example/gift' }),
        ),
      );
      const ids = added.map((answer) => answer!.data.id).sort((a, b) => a - b);
      const kept = JSON.parse(await postMeta(site, id, 'registry_item_ids'));
      assert.deepEqual(kept, ids);
    });
  });
}

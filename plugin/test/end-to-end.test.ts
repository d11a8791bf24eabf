// A registry's life on a real WordPress, through the service on either store, as owner, guests and strangers see it.
// @again wordpress
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { type EmptyStore, freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { freshSqlite, startTestService, type TestService } from '../../api/test/support.ts';
import { changePost, post, postMeta, setOption } from '../../dev/wordpress/set-up.ts';
import { visit } from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

const stores = [
  { name: 'SQLite', open: freshSqlite, skip: skipWithoutWordPress() },
  { name: 'PostgreSQL', open: freshPostgres, skip: skipWithoutWordPress() || (await withoutPostgres()) },
];

for (const { name, open, skip } of stores) {
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
    const refused = { name: 'ApiError', data: { status: 403 } };

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

    test('a private registry, its guests, a stranger, its order, a link and its end', async () => {
      const [alice, bob, carol, admin] = [as('alice'), as('bob'), as('carol'), as('admin')];
      const registry = await alice.registries.create({
        title: 'Ann & Bob <3',
        story: 'We met.\n\nAnd stayed.',
      });
      const { id, slug } = registry!;
      assert.deepEqual([registry!.title, registry!.status], ['Ann & Bob <3', 'private']);
      const add = async (item: string) =>
        (await alice.registries.items.create(id, { name: item, url: `https://shop.example/${item}` }))!.data
          .id;
      const [pan, pot, pie] = [await add('pan'), await add('pot'), await add('pie')];
      const meta = () => postMeta(site, id, 'registry_item_ids');
      assert.equal(await meta(), JSON.stringify([pan, pot, pie]));

      const page = async (who: 'alice' | 'bob' | 'carol' | null) =>
        (await visit(site, who && site.users[who]))(`/registry/${slug}/`);
      await assert.rejects(bob.registries.items.list(id), refused);
      assert.equal((await page('bob')).status, 404);

      await alice.registries.invitees.add(id, ['bob']);
      assert.equal((await bob.registries.items.list(id))!.length, 3);
      assert.match((await page('bob')).text, /Ann &(#0?38|amp); Bob &lt;3/);
      await assert.rejects(carol.registries.get(id), refused);
      await alice.registries.invitees.add(id, ['CAROL@example.test']);
      assert.equal((await carol.registries.get(id))!.title, 'Ann & Bob <3');
      assert.equal((await page('carol')).status, 200);
      await assert.rejects(carol.registries.update(id, { title: 'Mine' }), refused);
      await assert.rejects(bob.registries.items.delete(id, pan), refused);
      await alice.registries.invitees.remove(id, 'carol@example.test');
      await assert.rejects(carol.registries.items.list(id), refused);
      assert.deepEqual([(await page('carol')).status, (await page(null)).status], [404, 404]);

      await alice.registries.update(id, { meta: { registry_item_ids: [pie, pan] } });
      assert.equal(await meta(), JSON.stringify([pie, pan, pot]));
      assert.deepEqual(
        (await bob.registries.items.list(id))!.map((item) => item.id),
        [pie, pan, pot],
      );

      await alice.registries.items.affiliate.set(id, pan, { affiliate_url: 'https://partner.example/pan' });
      assert.equal((await admin.items.get(pan))!.affiliate_url, 'https://partner.example/pan');
      for (const client of [alice, bob])
        assert.equal('affiliate_url' in (await client.items.get(pan))!, false);
      assert.equal((await page('bob')).text.includes('partner.example'), false);

      const seen = (await bob.items.getWithEtag(pot))!;
      await bob.items.update(pot, { quantity_purchased: 1 }, { ifMatch: seen.etag! });
      await assert.rejects(bob.items.update(pot, { quantity_purchased: 1 }, { ifMatch: seen.etag! }), {
        data: { status: 412 },
      });
      assert.equal(await alice.registries.items.delete(id, pot), true);
      assert.equal(await meta(), JSON.stringify([pie, pan]));

      assert.equal(await alice.registries.delete(id), true);
      assert.deepEqual([await alice.registries.get(id), await bob.items.get(pan)], [null, null]);
      assert.equal(await post(site, id), null);
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

// A site of version 0.1.0, as that version left it in the database and in its store, with today's plugin and service: an
// update replaces files and runs no activation.
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createClient } from 'trousseau-client';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { deleteOption } from '../../dev/wordpress/set-up.ts';
import {
  complaints,
  decoded,
  evaluate,
  fieldsOf,
  php,
  visit,
  whenShowing,
} from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';

test('a site of version 0.1.0 goes on', { skip: skipWithoutWordPress() }, async () => {
  await using folder = await temporaryFolder();
  const site = await startWordPress({ plugins: false });
  await copyFile(
    new URL('../../api/test/fixtures/store-0.1.0.db', import.meta.url),
    `${folder.path}/items.db`,
  );
  const service = await startTestService({
    HOST_URL: site.url,
    DATABASE_URL: `sqlite:${folder.path}/items.db`,
    ITEM_ACCESS: 'registry',
    ADMIN_ROLES: 'administrator,trousseau_service',
  });
  try {
    const { admin, alice, bob, carol } = site.users;
    // The settings as its page stored them, giving without an account switched off; registry 1 and rules without the pages.
    const settings = {
      trousseau_base_url: service.url,
      trousseau_api_key: '',
      trousseau_username: admin.username,
      trousseau_app_password: admin.password,
      trousseau_anonymous_giving: '',
      trousseau_browser_client: '',
      trousseau_remove_data: '',
      active_plugins: ['trousseau/trousseau.php'],
      rewrite_rules: { 'registry/([^/]+)/?$': 'index.php?registry=$matches[1]' },
    };
    const meta = {
      registry_item_ids: '[2,1]',
      registry_invitees: '["bob","Aunt@example.test"]',
      registry_event_type: 'Wedding',
      registry_event_date: '2027-06-12',
    };
    await site.wp(`foreach ( ${php(settings)} as $name => $value ) { update_option( $name, $value ); }
      wp_delete_post( 1, true );
      register_post_type( 'registry' );
      $id = wp_insert_post( array( 'import_id' => 1, 'post_type' => 'registry', 'post_status' => 'private', 'post_author' => ${alice.id}, 'post_title' => 'Ann &amp; Bob', 'post_content' => 'Our story' ) );
      foreach ( ${php(meta)} as $key => $value ) { update_post_meta( $id, $key, wp_slash( $value ) ); }`);

    const address = '/?registry=1';
    await whenShowing(await visit(site, alice), address, 'Copper saucepan');
    for (const [user, status] of [
      [alice, 200],
      [bob, 200],
      [carol, 404],
      [null, 404],
    ] as const) {
      const { status: found, text } = await (await visit(site, user))(address);
      assert.equal(found, status, user?.username);
      assert.equal(text.includes('Copper saucepan'), status === 200, user?.username);
      assert.equal(text.includes('partner.example'), false, 'the affiliate link stays in its place');
    }
    const client = createClient({ env: {}, baseUrl: service.url, ...admin });
    const guest = await visit(site, bob);
    const page = decoded((await guest(address)).text);
    assert.ok(page.includes('Wedding'));
    assert.equal((await client.registries.items.list(1))![0]!.id, 2, 'in the order that it had');
    assert.match(page, /1 of 2 still needed/);

    // The pages that are new, with an address each, and giving.
    assert.equal((await (await visit(site, alice))('/registries/1/gifts/')).status, 200);
    // A request that the version before was still answering has written the rules once more.
    await site.wp(
      `Trousseau\\Support\\Lock::forget( 'page-rules' ); update_option( 'rewrite_rules', ${php(settings.rewrite_rules)} );`,
    );
    assert.equal((await guest('/registries/my-gifts/')).status, 200);
    const give = '/registries/1/give/?item=1';
    const sent = await guest(give, fieldsOf((await guest(give)).text, 'give')!);
    assert.equal(sent.status, 303, sent.text);
    assert.equal((await client.items.get(1))!.quantity_purchased, 2);
    assert.equal(
      ((await client.items.get(2)) as { affiliate_url?: string }).affiliate_url,
      'https://partner.example/x',
    );
    assert.equal((await client.registries.get(1))!.title, 'Ann & Bob');

    // What was switched off stays off; where nobody ever chose, giving without an account is on from now.
    const isOn = `return Trousseau\\Support\\Settings::is_on( 'trousseau_anonymous_giving' );`;
    assert.equal(await evaluate(site, isOn), false);
    await deleteOption(site, 'trousseau_anonymous_giving');
    assert.equal(await evaluate(site, isOn), true);
    assert.equal(await evaluate(site, `return (bool) wp_next_scheduled( 'trousseau_digest' );`), true);
    assert.deepEqual(complaints(site), []);
  } finally {
    await service.close();
    await site.stop();
  }
});

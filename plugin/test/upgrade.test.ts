// A site of version 0.1.0, as that version left it in the database and in its store, with today's plugin and service: an
// update replaces files and runs no activation.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from 'trousseau-client';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { deleteOption } from '../../dev/wordpress/set-up.ts';
import {
  complaints,
  decoded,
  due,
  evaluate,
  fieldsOf,
  php,
  visit,
  whenShowing,
  work,
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

    // The new pages and giving work.
    assert.equal((await (await visit(site, alice))('/registries/1/gifts/')).status, 200);
    // A request that the version before was still answering has written the rules once more.
    await site.wp(
      `Trousseau\\Plugin::get( Trousseau\\Support\\Lock::class )->forget( 'page-rules' ); update_option( 'rewrite_rules', ${php(settings.rewrite_rules)} );`,
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

    // A setting that was switched off stays off; giving without an account is on where nobody ever chose.
    const isOn = `return Trousseau\\Support\\Settings::is_on( 'trousseau_anonymous_giving' );`;
    assert.equal(await evaluate(site, isOn), false);
    await deleteOption(site, 'trousseau_anonymous_giving');
    assert.equal(await evaluate(site, isOn), true);
    assert.equal(await evaluate(site, `return (bool) wp_next_scheduled( 'trousseau_jobs' );`), true);
    assert.deepEqual(complaints(site), []);
  } finally {
    await service.close();
    await site.stop();
  }
});

/** The options and events of version 0.2.0 as a WordPress had them whose salts were all this text. */
const FIXTURE = new URL('fixtures/options-0.2.0.json', import.meta.url);
const SALT = 'the salt of the fixture';

test('all that version 0.2.0 kept among the options moves to the tables, once, whoever comes first and whatever dies', {
  skip: skipWithoutWordPress(),
}, async () => {
  await using folder = await temporaryFolder();
  const mail = join(folder.path, 'mail');
  const site = await startWordPress({
    plugins: false,
    mail,
    workers: 8,
    muPlugin: `add_filter( 'salt', static fn() => '${SALT}' );
      // The process ends after so many statements.
      add_filter( 'query', static function ( $query ) {
        static $count = 0;
        return isset( $_GET['test_die'] ) && str_contains( $query, 'trousseau' ) && ++$count > (int) $_GET['test_die'] ? exit : $query;
      } );`,
  });
  try {
    const { options, events } = JSON.parse(await readFile(FIXTURE, 'utf8'));
    await site.wp(
      `global $wpdb; foreach ( ${php(options)} as list( $option_name, $option_value, $autoload ) ) { $wpdb->insert( $wpdb->options, compact( 'option_name', 'option_value', 'autoload' ) ); }
      _set_cron_array( ${php(events)} + _get_cron_array() );
      update_option( 'active_plugins', array( 'trousseau/trousseau.php' ) );`,
    );
    for (let statements = 3; statements < 60; statements += 8)
      await fetch(`${site.url}/?test_die=${statements}`).catch(() => {});
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(site.url)).status));
    assert.deepEqual(
      answers,
      answers.map(() => 200),
    );

    const [left, bytes, jobs, hooks] = await evaluate(
      site,
      `global $wpdb;
      $hooks = array_unique( array_merge( ...array_map( 'array_keys', array_values( array_filter( _get_cron_array(), 'is_array' ) ) ) ) );
      return array(
        $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'trousseau%' ORDER BY option_name" ),
        (int) $wpdb->get_var( "SELECT SUM( LENGTH( option_name ) + LENGTH( option_value ) ) FROM $wpdb->options WHERE option_name LIKE 'trousseau%' AND autoload NOT IN ( 'no', 'off' )" ),
        array_count_values( $wpdb->get_col( "SELECT handler FROM {$wpdb->prefix}trousseau_jobs" ) ),
        array_values( array_filter( $hooks, static fn( $hook ) => str_starts_with( $hook, 'trousseau' ) ) ) );`,
    );
    assert.deepEqual(left, [
      'trousseau_affiliate_rules',
      'trousseau_app_password',
      'trousseau_base_url',
      'trousseau_schema',
      'trousseau_username',
    ]);
    assert.ok(bytes < 4096, `WordPress loads ${bytes} bytes with every page`);
    for (const [kind, count] of Object.entries({
      ...{ mail: 3, deletion: 1, import: 1, picture: 1, digest: 1, retention: 1 },
      ...{ 'affiliate-round': 1, 'repair-order': 1, 'affiliate-registry': 1 },
    }))
      assert.equal(jobs[kind], count, kind);
    assert.deepEqual(hooks, ['trousseau_jobs']);

    assert.deepEqual(
      await evaluate(
        site,
        `$kept = static fn( $name ) => Trousseau\\Plugin::get( Trousseau\\Support\\KeptValues::class )->get( $name );
        $draft = $GLOBALS['wpdb']->get_var( "SELECT value FROM {$GLOBALS['wpdb']->prefix}trousseau_values WHERE name LIKE 'draft\\_%'" );
        return array(
          array_map( array( 'Trousseau\\Jobs\\Mail', 'is_refused' ), array( 'dora@example.org', 'eve@example.org', 'ann@example.org' ) ),
          Trousseau\\Support\\Encryption::open( $draft )['title'],
          array_column( Trousseau\\Plugin::get( Trousseau\\Service\\GiftCache::class )->stored( 7 ), 'name' ),
          array_map( 'array_sum', Trousseau\\Plugin::get( Trousseau\\Jobs\\ShopClicks::class )->all() ),
          array( $kept( 'affiliate_found' )['checked'], $kept( 'affiliate_round' )['check'], (int) $kept( 'forgotten_at' ), $kept( 'gone_4' ) > 0 ),
          Trousseau\\Plugin::get( Trousseau\\Support\\JobQueue::class )->claim( 'import', 60, 0 )->payload[0]['name'],
          Trousseau\\Plugin::get( Trousseau\\Support\\JobQueue::class )->claim( 'picture', 60, 0 )->payload );`,
      ),
      [
        [true, true, false],
        'Begun',
        ['Pan'],
        { 'küche.example': 2, 'linen.example': 1 },
        [4, '', 1_700_000_000, true],
        'Jug',
        'https://shop.example/pan.png',
      ],
    );

    // Two of the mails are due by now, and leave once; the third is planned.
    for (let runs = 0; runs < 3; runs++) await site.wp(`${due('mail', 1)} ${work('mail')}`);
    const sent = await Promise.all(readdirSync(mail).map((name) => readFile(join(mail, name), 'utf8')));
    assert.deepEqual(sent.map((text) => /^To: .*?([\w.]+@[\w.]+)/m.exec(text)![1]).sort(), [
      'ann@example.org',
      'cem@example.org',
    ]);
    assert.equal(
      await evaluate(
        site,
        `return Trousseau\\Plugin::get( Trousseau\\Support\\JobQueue::class )->count( 'mail' );`,
      ),
      1,
    );
    assert.deepEqual(complaints(site), []);
  } finally {
    await site.stop();
  }
});

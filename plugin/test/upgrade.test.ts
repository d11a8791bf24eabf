// A site of version 0.1.0, as that version left it in the database and in its store, with today's plugin and service: an
// update replaces files and runs no activation.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from 'trousseau-client';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import {
  deleteOption,
  inTurn,
  jobs,
  nextRun,
  rows,
  runDueJobs,
  setClockAhead,
} from '../../dev/wordpress/set-up.ts';
import { complaints, decoded, fieldsOf, visit, whenShowing } from '../../dev/wordpress/site.ts';
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
    await inTurn(
      site,
      ['set_options', settings],
      ['wp_delete_post', 1, true],
      ['register_post_type', 'registry'],
      [
        'add_post',
        {
          ...{ import_id: 1, post_type: 'registry', post_status: 'private', post_author: alice.id },
          ...{ post_title: 'Ann &amp; Bob', post_content: 'Our story' },
        },
      ],
      ['set_post_meta', 1, meta],
    );

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
    await inTurn(
      site,
      ['forget_locks', 'page-rules'],
      ['update_option', 'rewrite_rules', settings.rewrite_rules],
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
    const isOn = () => site.call('is_setting_on', 'trousseau_anonymous_giving');
    assert.equal(await isOn(), false);
    await deleteOption(site, 'trousseau_anonymous_giving');
    assert.equal(await isOn(), true);
    assert.ok(await nextRun(site, 'trousseau_jobs'));
    assert.deepEqual(complaints(site), []);
  } finally {
    await service.close();
    await site.stop();
  }
});

/** The options and events of version 0.2.0, as a WordPress had them whose salts are those of `test-upgrade`. */
const FIXTURE = new URL('fixtures/options-0.2.0.json', import.meta.url);

test('all that version 0.2.0 kept among the options moves to the tables, once, whoever comes first and whatever dies', {
  skip: skipWithoutWordPress(),
}, async () => {
  await using folder = await temporaryFolder();
  const mail = join(folder.path, 'mail');
  const site = await startWordPress({
    plugins: false,
    mail,
    workers: 8,
    muPlugins: ['clock', 'test-upgrade'],
  });
  try {
    const { options, events } = JSON.parse(await readFile(FIXTURE, 'utf8'));
    await site.call('upgrade.restore', options, events);
    for (let statements = 3, ahead = 0; statements < 60; statements += 8) {
      await fetch(`${site.url}/?test_die=${statements}`).catch(() => {});
      // The lock of a process that has died ends after half a minute.
      ahead += 31;
      setClockAhead(site, ahead);
    }
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(site.url)).status));
    assert.deepEqual(
      answers,
      answers.map(() => 200),
    );

    const left = (await rows(site, 'options'))
      .filter(({ option_name }) => option_name!.startsWith('trousseau'))
      .sort((one, other) => one.option_name!.localeCompare(other.option_name!));
    const bytes = left
      .filter(({ autoload }) => !['no', 'off'].includes(autoload!))
      .reduce((sum, row) => sum + Buffer.byteLength(row.option_name! + row.option_value!), 0);
    assert.deepEqual(
      left.map(({ option_name }) => option_name),
      [
        'trousseau_affiliate_rules',
        'trousseau_app_password',
        'trousseau_base_url',
        'trousseau_key',
        'trousseau_schema',
        'trousseau_username',
      ],
    );
    assert.ok(bytes < 4096, `WordPress loads ${bytes} bytes with every page`);
    for (const [kind, count] of Object.entries({
      ...{ mail: 3, deletion: 1, import: 1, picture: 1, digest: 1, retention: 1 },
      ...{ 'affiliate-round': 1, 'repair-order': 1, 'affiliate-registry': 1 },
    }))
      assert.equal((await jobs(site, kind)).length, count, kind);
    const times: Record<string, object>[] = Object.values(await site.call('_get_cron_array'));
    const hooks = new Set(times.flatMap((time) => Object.keys(time)));
    assert.deepEqual(
      [...hooks].filter((hook) => hook.startsWith('trousseau')),
      ['trousseau_jobs'],
    );

    assert.deepEqual(await site.call('upgrade.kept'), {
      refused: [true, true, false],
      draft: 'Begun',
      gifts: ['Pan'],
      clicks: { 'küche.example': 2, 'linen.example': 1 },
      ...{ checked: 4, check: '', at: 1_700_000_000, gone: true },
      import: 'Jug',
      picture: 'https://shop.example/pan.png',
    });

    // Two of the mails are due by now, and leave once; the third is planned.
    for (let runs = 0; runs < 3; runs++) await runDueJobs(site, 'mail', 1);
    const sent = await Promise.all(readdirSync(mail).map((name) => readFile(join(mail, name), 'utf8')));
    assert.deepEqual(sent.map((text) => /^To: .*?([\w.]+@[\w.]+)/m.exec(text)![1]).sort(), [
      'ann@example.org',
      'cem@example.org',
    ]);
    assert.equal((await jobs(site, 'mail')).length, 1);
    assert.deepEqual(complaints(site), []);
  } finally {
    await site.stop();
  }
});

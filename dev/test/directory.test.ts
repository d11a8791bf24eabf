// The rules of WordPress's plugin directory, from its Detailed Plugin Guidelines and its Plugin Check: each test is named
// after the rule that it checks. CONTRIBUTING.md says where the others are tested.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAssets } from '../build/plugin.ts';
import { findComponent } from '../release/components.ts';
import { folder, screenshots } from '../screenshots/directory.ts';

const plugin = join(import.meta.dirname, '../../plugin');
const read = (file: string) => readFileSync(join(plugin, file), 'utf8');
const readme = read('readme.txt');
const filesIn = (folder: string, end: string) =>
  readdirSync(join(plugin, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => `${folder}/${file}`)
    .sort();
const php = ['trousseau.php', 'autoload.php', 'uninstall.php', ...filesIn('src', '.php')];
const templates = php.filter((file) => file.includes('/templates/'));
/** Fails if a text contains such words, without printing all of it. */
const lacks = (text: string, words: RegExp, file = 'readme.txt') =>
  assert.equal(words.exec(text)?.[0], undefined, file);
const part = (heading: string) => readme.split(`== ${heading} ==\n`)[1]!.split(/^== /m)[0]!;
const bytes = (file: string) => readFileSync(join(folder, file));

test('the pictures are there, of the right size, and small', () => {
  const expected = ['icon-128x128', 'icon-256x256', 'banner-772x250', 'banner-1544x500'];
  for (const name of expected) {
    const png = bytes(`${name}.png`);
    assert.ok(name.endsWith(`-${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`), name);
  }
  const found = bytes('icon.svg');
  assert.deepEqual(found, readFileSync(join(import.meta.dirname, '../../plugin/assets/gift.svg')));
  const shots = screenshots.map((_, place) => `screenshot-${place + 1}.jpg`);
  const files = readdirSync(folder).filter((name) => name !== 'blueprints');
  assert.deepEqual(files.sort(), [...expected.map((name) => `${name}.png`), 'icon.svg', ...shots].sort());
  const whole = files.reduce((sum, file) => sum + bytes(file).length, 0);
  assert.ok(whole < 700_000, `${whole} bytes`);
  const captions = [...part('Screenshots').matchAll(/^(\d+)\. .+$/gm)].map(([, n]) => `screenshot-${n}.jpg`);
  assert.deepEqual(captions, shots);
});

test('the changelog has an entry for the released version', () => {
  const version = /^Stable tag: (\S+)$/m.exec(readme)![1]!;
  const found = readme.split('== Changelog ==')[1]!;
  assert.match(found, new RegExp(`^= ${version.replaceAll('.', '\\.')} =\n\n\\* `, 'm'));
});

test('1. everything that ships may be used under the GPL: the license is MIT, and so is the one library in it', async () => {
  assert.match(read('trousseau.php'), /^ \* License: +MIT$/m);
  assert.match(read('../LICENSE'), /^MIT License/);
  await buildAssets();
  const libraries = filesIn('assets/readable', '.js').flatMap((script) =>
    [...read(script).matchAll(/^ *\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name]) => name!),
  );
  assert.deepEqual([...new Set(libraries)], ['qr']);
  const { license, version } = JSON.parse(read('../node_modules/qr/package.json'));
  assert.match(license, /\bMIT\b/);
  assert.ok(part('Source of the scripts').includes(`\`qr\` ${version}`), version);
  assert.match(read('assets/readable/pages.js'), /@license|\bMIT\b/i);
});

test('4. each minified script ships with its readable form, which names its sources', async () => {
  const [artifact] = findComponent('plugin').artifacts;
  assert.ok(artifact?.kind === 'zip' && artifact.build);
  assert.ok(artifact.build.makes.includes('assets/readable/*.js'));
  const built = (await buildAssets()).filter((name) => !name.startsWith('readable/'));
  const shipped = artifact.build.makes.filter((name) => name.endsWith('.js') && !name.includes('*'));
  assert.deepEqual(shipped.map((name) => name.slice('assets/'.length)).sort(), built.sort());
  for (const name of built) {
    const text = read(`assets/readable/${name}`);
    assert.match(text, new RegExp(`^ *// plugin/src/\\w+/scripts/${name.replace('.js', '.ts')}$`, 'm'));
    assert.ok(text.split('\n').length > 20, name);
    assert.ok(text.length > read(`assets/${name}`).length, name);
  }
  assert.match(part('Source of the scripts'), /`assets\/readable\/NAME\.js`/);
});

test('6. each class that asks another server is named with its service in the readme', () => {
  const asks =
    /\b(?:wp_(?:safe_)?remote_\w*(?:get|post|head|request)|download_url|fsockopen|stream_socket_client|curl_(?:init|exec)|file_get_contents\( '?http|wp_get_http|WP_Http)\b(?!_)/;
  const asking = php.filter((file) => {
    const text = read(file).replaceAll(/wp_remote_retrieve_\w+/g, '');
    return asks.test(text) || /->public_web->|PublicWeb::get/.test(text);
  });
  const services = new Map([
    ['src/Service/HttpClient.php', 'The item service'],
    ['src/Platform/PublicWeb.php', 'Shops that owners name'],
    ['src/Gifts/PictureFetch.php', 'Shops that owners name'],
    ['src/Affiliate/LinkCheck.php', 'Shops that owners name'],
    ['src/Admin/ConnectionTest.php', 'This site itself'],
    ['src/Admin/MenuPages.php', 'This site itself'],
    ['src/Connections/NetworkJoin.php', 'This site itself'],
    ['src/PageCaching/CacheProbe.php', 'This site itself'],
  ]);
  assert.deepEqual(asking, [...services.keys()].sort());
  const external = part('External services');
  for (const service of new Set(services.values())) assert.ok(external.includes(`= ${service} =`), service);
  for (const file of asking.filter((name) => services.get(name) === 'This site itself'))
    assert.match(
      read(file),
      /wp_remote_\w+\(\s*(?:add_query_arg\([^;]*?home_url|(?:home_url|rest_url|get_rest_url|get_site_url)\(|\$\w+)/,
      file,
    );
  for (const words of ['When: ', 'Content of the requests: ', 'Terms and privacy: '])
    assert.equal(external.split(words).length - 1, 2, words);
  const paypal = 'https:\\/\\/www\\.paypal\\.com\\/\\S+';
  assert.match(external, new RegExp(`PayPal's terms: ${paypal} and privacy: ${paypal}`));
});

test('7. nothing is sent before an administrator has entered a service, and no page loads anything from elsewhere', () => {
  const found = read('src/Service/HttpClient.php');
  assert.match(found, /if \( ! \$this->is_configured\(\) \) \{\s*throw new Unavailable/);
  const named =
    /https:\/\/(?:www\.php\.net\/date|opensource\.org\/license\/mit|wa\.me\b|(?:\w+\.)*(?:example|invalid)\b)/g;
  const elsewhere = /\bhttps?:\/\/(?:[\w-]+\.)+[a-z]{2,}|@import|url\( *["']?(?:https?:)?\/\//;
  const styles = ['assets/trousseau.css', 'src/Affiliate/affiliate.css'];
  for (const file of [...php, ...filesIn('src', '.ts'), ...styles])
    lacks(read(file).replaceAll(named, ''), elsewhere, file);
});

for (const [rule, files, words] of [
  [
    '8. no code comes from elsewhere',
    php,
    /\beval\(|create_function|gzinflate|pre_set_site_transient_update|update_plugins|auto_update_plugin|plugins_api|Plugin_Upgrader/,
  ],
  ['8. WordPress alone updates the plugin', ['trousseau.php'], /^ \* Update URI:/m],
  ['10. no page carries a credit or a link to the plugin’s makers', templates, /powered by|made with/i],
  ['12. the readme has no affiliate link', ['readme.txt'], /[?&](?:ref|aff|tag|affiliate)=/],
  [
    '17. the plugin’s name is nobody else’s',
    ['readme.txt'],
    /^=== .*(?:wordpress|\bwp\b|woo|gutenberg|plugin|amazon|paypal|google).* ===$/im,
  ],
] as const)
  test(rule, () => {
    for (const file of files) lacks(read(file), words, file);
  });

test('10. guests are told wherever a link may earn something, and search engines, too', () => {
  const linked = templates.filter(
    (file) => /esc_url\( \$(?:shop|onward)\b|\$shop \./.test(read(file)) && !file.includes('/Affiliate/'),
  );
  const known = ['Display/item', 'Gifts/shop-link', 'Gifts/to-shop', 'Giving/mail/claim-reserved'];
  const paths = known.map((name) => `src/${name.replace('/', '/templates/')}.php`);
  assert.deepEqual(linked, paths);
  for (const file of linked)
    if (!file.includes('mail/')) assert.match(read(file), /ShopLink::relation\(/, file);
  const showing = templates.filter((file) => read(file).includes("'shop-link'"));
  assert.deepEqual(
    showing,
    ['pieces', 'subject', 'ways'].map((name) => `src/Giving/templates/${name}.php`),
  );
  for (const file of ['src/Display/templates/registry.php', ...paths.slice(2), ...showing])
    assert.match(read(file), /ShopLink::disclosure\(|'shop-disclosure'|\$disclosure/, file);
});

test('11. notices of the plugin in WordPress’s screens are those of its set-up, for administrators', () => {
  const hooks = php.filter((file) => file.endsWith('/hooks.php')).map(read);
  const notices = hooks.join('').matchAll(/add_action\( '(\w*admin_notices)', Plugin::hook\( (\w+)::/g);
  const found = [...notices].map(([, hook, by]) => `${hook} ${by}`);
  assert.deepEqual(found, ['admin_notices SetupNotice', 'network_admin_notices NetworkScreen']);
  assert.match(read('src/Admin/SetupNotice.php'), /current_user_can\( '/);
});

test('12. the readme repeats no tag, and is not long', () => {
  const tags = /^Tags: (.*)$/m.exec(readme)![1]!.split(', ');
  assert.equal(new Set(tags).size, tags.length);
  assert.ok(readme.split(/\s+/).length < 5000);
});

test('everything that WordPress keeps for all plugins begins with the plugin’s own name', () => {
  const named: [RegExp, RegExp][] = [
    [
      /\bregister_(?:block_type|block_pattern|block_pattern_category|post_meta|rest_route|block_template)\(\s*'([^']*)'/g,
      /^trousseau|^registry$/,
    ],
    [/\badd_shortcode\(\s*'([^']*)'/g, /^trousseau_/],
    [/\bwp_(?:register|enqueue)_(?:script|style)\(\s*'([^']*)'/g, /^trousseau(?:-|$)/],
    [/\bconst (?:ACTION|HOOK)\s*= '([^']*)'/g, /^trousseau/],
    [/\b(?:set_transient|set_site_transient|add_role)\(\s*'([^']*)'/g, /^(?:trousseau|settings_errors$)/],
    [/\bdefine\(\s*'([^']*)'/g, /^TROUSSEAU_/],
  ];
  let found = 0;
  for (const file of php)
    for (const [call, prefix] of named)
      for (const [, name] of read(file).matchAll(call)) {
        assert.match(name!, prefix, `${file}: ${name}`);
        found++;
      }
  assert.ok(found > 20, `${found} names`);
  for (const file of php.filter((name) => name.startsWith('src/') && !templates.includes(name)))
    assert.match(read(file), /^namespace Trousseau(?:\\|;)/m, file);
  // The plugin fires these actions and filters of others because it does what they would have done.
  const others =
    /^(?:wp_login|illegal_user_logins|https_local_ssl_verify|http_request_host_is_external|login_form|the_content|litespeed_|wpfc_|wphb_|cache_enabler_|swcfpc_|breeze_|purge_post_cache$|rocket_|w3tc_|sg_|kinsta|comet_cache|user_registration_email|registration_errors|register_post|login_)/;
  for (const file of php)
    for (const [, name] of read(file).matchAll(/\b(?:do_action|apply_filters)(?:_ref_array)?\(\s*'([^']*)'/g))
      assert.ok(/^trousseau_/.test(name!) || others.test(name!), `${file}: ${name}`);
});

test('WordPress loads with every page no more of the plugin’s options than a page needs', () => {
  const loaded = new Map([
    // The connection, which every page with gifts needs, and its fingerprint.
    ['ServiceAccount', ['Settings::USERNAME', 'Settings::APP_PASSWORD']],
    ['Joining', ['Settings::BASE_URL', 'Settings::API_KEY']],
    ['ConnectionState', ['self::STANDS']],
    // On every page, a network's site checks whether its network has another service for it.
    ['NetworkJoin', ['self::PLANNED']],
    // The slugs of all addresses.
    ['Slugs', ['self::OPTION']],
    // The version of the tables, 1 byte.
    ['Tables', ['self::SCHEMA']],
  ]);
  const found = new Map<string, string[]>();
  for (const file of php)
    for (const [, rest] of read(file).matchAll(/\b(?:add|update)_option\(\s*(.*?)\s*\)?\s*(?:\);|\) \))/gs)) {
      if (/,\s*false$/.test(rest!)) continue;
      const by = file.replace(/.*\/|\.php/g, '');
      found.set(by, [...(found.get(by) ?? []), /^[\w:]+/.exec(rest!)![0]]);
    }
  assert.deepEqual([...found].sort(), [...loaded].sort());
});

test('each block has a block.json of API version 3, and is registered from it', () => {
  const names = readdirSync(join(plugin, 'blocks')).sort();
  assert.deepEqual(names, ['event', 'page', 'registries', 'registry']);
  for (const name of names) {
    const block = JSON.parse(read(`blocks/${name}/block.json`));
    assert.equal(block.name, `trousseau/${name}`);
    assert.equal(block.apiVersion, 3);
    assert.equal(block.textdomain, 'trousseau');
    for (const field of ['title', 'description', 'category', 'icon'])
      assert.ok(block[field], `${name}: ${field}`);
    assert.ok(readme.includes(`\`trousseau/${name}\``), name);
  }
  for (const file of php) lacks(read(file), /register_block_type\(\s*'/, file);
});

// The rooms of `plugin/src`: a folder is a feature, and `MAY_USE` says which others it uses. This test reads the sources and needs no PHP.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** What every feature may use. The first of these uses nobody, the second only the first. */
const common = ['Platform', 'Service', 'Lists'];
/** The features that a feature uses besides those. */
const MAY_USE: Record<string, string[]> = {
  Lists: [],
  Display: ['Gifts', 'Giving', 'Guests'],
  Gifts: [],
  Giving: ['Gifts', 'Guests'],
  GroupGifts: ['Gifts', 'Giving'],
  Guests: [],
  Owners: [],
  Thanks: ['Gifts', 'Giving'],
  Affiliate: ['Gifts'],
  Connections: ['Gifts', 'Giving', 'Admin'],
  Abilities: ['Gifts', 'Giving'],
  Visibility: ['Guests'],
  Home: ['Gifts', 'Guests'],
  PageCaching: ['Display', 'Gifts', 'Giving', 'Guests'],
  Privacy: ['Gifts', 'Giving', 'Guests', 'Owners'],
  Admin: ['Gifts', 'Giving', 'Privacy', 'Visibility'],
};
const rooms = [...common.slice(0, 2), ...Object.keys(MAY_USE)];

const plugin = join(import.meta.dirname, '..');
const phpIn = (folder: string) =>
  readdirSync(join(plugin, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.php'))
    .sort();

const isTemplate = (file: string) => file.includes('/templates/');

/** PHP without comments and without the contents of texts, in which names of classes are words. */
const bare = (source: string) =>
  source.replace(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs, (found) =>
    /^['"]/.test(found) ? "''" : '',
  );

const imported = (code: string) => [...code.matchAll(/^use Trousseau\\(.+);$/gm)].map(([, name]) => name!);
/** The plugin's objects are made there; it names no class. */
const maker = 'Plugin.php';

/** Classes, and the hooks of each feature, which are none. */
const files = phpIn('src')
  .filter((file) => file !== maker && !isTemplate(file))
  .map((file) => {
    const code = bare(readFileSync(join(plugin, 'src', file), 'utf8'));
    const [room = '', name = ''] = file.replace(/\.php$/, '').split('/');
    const imports = imported(code).map((name) => name.replaceAll('\\', '/'));
    const body = code.replace(/^(namespace|use) [^\n]*$/gm, '');
    return { file, room, name, id: `${room}/${name}`, code, imports, body };
  });
const classes = files.filter(({ name }) => name !== 'hooks');
const known = new Set(['Plugin', ...classes.map(({ id }) => id)]);

/** Names of classes in code: variables, members and the names of functions are none. */
const namesIn = (body: string) =>
  new Set([...body.matchAll(/(?<![\w\\$>]|::|function )[A-Z]\w*/g)].map(([name]) => name));

test('each class and each page of hooks names its room', () => {
  assert.ok(classes.length > 80, `${classes.length} classes`);
  for (const { file, room, code } of files) {
    assert.match(file, /^\w+\/\w+\.php$/);
    assert.ok(rooms.includes(room), file);
    assert.match(code, new RegExp(`^namespace Trousseau\\\\${room};$`, 'm'), file);
  }
});

test('classes of other rooms are imported by name, once and in order, and are used', () => {
  for (const { file, room, imports, body } of files) {
    assert.deepEqual(imports, [...new Set(imports)].sort(), file);
    for (const id of imports) assert.ok(known.has(id), `${file} imports no class ${id}`);
    assert.doesNotMatch(body, /Trousseau\\/, `${file} imports each class`);
    const names = namesIn(body);
    const unused = imports.filter((id) => !names.has(id.split('/').pop()!));
    assert.deepEqual(unused, [], `${file} uses its imports`);
    for (const { room: other, name, id } of classes)
      assert.ok(other === room || !names.has(name) || imports.includes(id), `${file} lacks ${id}`);
  }
});

test('classes of WordPress and constants of the plugin are imported, or PHP would look for them in the room', () => {
  for (const { file, code, body } of files) {
    const names = [...namesIn(body)].filter((name) => /^(WP_\w*[a-z]\w*|VERSION|PLUGIN_FILE)$/.test(name));
    const isImported = (name: string) => new RegExp(`^use (const Trousseau\\\\)?${name};$`, 'm').test(code);
    const missing = names.filter((name) => !isImported(name));
    assert.deepEqual(missing, [], file);
  }
});

test('a room uses what every feature may use, and what the table says, which says no more', () => {
  const mayUse = (room: string) => [
    ...common.slice(0, room in MAY_USE || room === '..' ? common.length : common.indexOf(room)),
    ...(room === '..' ? ['Admin', 'Guests'] : (MAY_USE[room] ?? [])),
  ];
  // Their folders may be deleted, so they are named nowhere, in templates, texts and comments neither.
  const deletable = ['Affiliate', 'PageCaching', 'Thanks', 'Connections', 'Abilities', 'GroupGifts'];
  for (const other of Object.values(MAY_USE).flat()) assert.ok(!deletable.includes(other), other);
  for (const file of ['../trousseau.php', '../uninstall.php', ...phpIn('src')]) {
    const [room = ''] = file.split('/');
    const source = readFileSync(join(plugin, 'src', file), 'utf8');
    for (const [name, other] of source.matchAll(/\bTrousseau\\+(\w+)\\+\w+/g))
      assert.ok([room, ...mayUse(room)].includes(other!), `${file} names ${name}`);
  }
  for (const [room, others] of Object.entries(MAY_USE)) {
    const used = files.filter((one) => one.room === room).flatMap(({ imports }) => imports);
    const unused = others.filter((other) => !used.some((id) => id.startsWith(`${other}/`)));
    assert.deepEqual(unused, [], room);
  }
});

test('no classes use each other in a circle', () => {
  // A class may name its parent, which may make its children.
  const uses = new Map(
    classes.map(({ name, body }) => [name, [...namesIn(body.replace(/\bextends \w+/, ''))]]),
  );
  for (const [start] of uses) {
    const reached = new Set<string>();
    const next = (uses.get(start) ?? []).filter((name) => name !== start && uses.has(name));
    for (let name = next.pop(); name; name = next.pop()) {
      assert.notEqual(name, start, `${start} is used by ${[...reached].join(', ')}`);
      if (!reached.has(name))
        next.push(...(uses.get(name) ?? []).filter((other) => other !== name && uses.has(other)));
      reached.add(name);
    }
  }
});

test('objects are made by hooks and templates, and by classes that choose one at run time or that WordPress calls themselves', () => {
  const naming = classes.filter(({ imports }) => imports.includes('Plugin')).map(({ id }) => id);
  const reasons = [
    // These use what features have added to lists, gifts, owners, jobs, mails and checks.
    ...['Admin/JobsScreen', 'Display/Blocks', 'Gifts/ShopRedirect', 'Lists/DetailsPage', 'Lists/ListField'],
    ...['Lists/MailDelivery', 'Lists/OwnerPage', 'Lists/RegistryForm', 'Lists/RegistryImport'],
    ...['Giving/Claims', 'Giving/ClaimKind', 'Lists/Digest', 'Privacy/PersonalData'],
    ...['Lists/Page', 'Lists/PostType'],
    ...['Owners/FormerOwners', 'Admin/HealthChecks', 'Admin/SettingsPage'],
    // A job's handler is made when it has something to do, and each request has one page.
    ...['Platform/JobRunner', 'Lists/Router'],
    // It sends the form of the page that an ability names.
    'Abilities/PageForm',
    // Other plugins and templates of themes call these without an object.
    ...['Lists/Registries', 'Platform/InterruptedForm'],
    // WordPress makes it.
    'Visibility/RegistryRestController',
    // It offers the way to a page that another feature may have.
    'Home/HomePage',
  ];
  assert.deepEqual(naming, reasons.sort());
});

test('each kind of job that a class names has a handler', () => {
  const read = (file: string) => readFileSync(join(plugin, 'src', file), 'utf8');
  const isHooks = (file: string) => file.endsWith('/hooks.php');
  const source = phpIn('src').filter(isHooks).map(read).join('\n');
  const named = /const (?:JOB|REMOVED|REPAIR|RIGHTS|DELETED|ASKED)\s*= '([\w-]+)'/g;
  const kinds = phpIn('src').flatMap((file) => [...read(file).matchAll(named)].map(([, kind]) => kind!));
  assert.ok(kinds.length > 15, `${kinds.length} kinds`);
  for (const kind of kinds) assert.match(source, new RegExp(`'${kind}' +=> \\w+::class`), kind);
});

test('a static method depends on its arguments and on WordPress’s answers only', () => {
  const remembering = [
    ...['Keys::own', 'Keys::made', 'Keys::stored', 'MetaList::read', 'MetaList::stored', 'Template::html'],
    ...['Currency::format', 'Meta::guest_list'],
  ];
  const forOthers = ['Registries::flatten', 'InterruptedForm::is_kept'];
  // They make what features have added.
  const choosing = ['ClaimKind::of', 'ClaimKind::all'];
  const pattern = /^\t(?:\w+ )*static (?:\w+ )*function (\w+)\(.*?^\t\}/gms;
  const methods = classes.flatMap(({ name, body }) =>
    [...body.matchAll(pattern)].map(([text, method]) => ({ id: `${name}::${method}`, text })),
  );
  assert.ok(methods.length > 200, `${methods.length} methods`);
  const effects =
    /self::\$|\bstatic \$|\$this\b|\$_[A-Z]+\b|\$wpdb|\bPlugin::(?!parts\b)|\bexit\b|(?<!function )\b(?:setcookie|header|do_action|wp_redirect|wp_safe_redirect|wp_mail|(?:add|update|delete)_(?:option|post_meta|user_meta)|wp_remote_\w*get|wp_cache_delete|usleep)\(/;
  for (const { id, text } of methods)
    assert.ok(!effects.test(text) || [...remembering, ...forOthers, ...choosing].includes(id), id);
});

test('an error of the service is caught where its meaning is told, and nowhere else', () => {
  const catching = classes.filter(({ code }) => /catch \( ServiceError\b/.test(code)).map(({ id }) => id);
  const places = [
    // A round goes on later.
    'Affiliate/AffiliateRound',
    // These show failures to people and to the site's keeper.
    ...['Admin/Commands', 'Admin/HealthChecks', 'Admin/ConnectionTest', 'Connections/ConnectionsScreen'],
    ...['Connections/Joining', 'Privacy/PersonalData'],
    // These pages work without the service, too; the router shows all other failures.
    ...['Connections/CalendarPage', 'Connections/ExtensionAnswer', 'Gifts/ShopLookup', 'Gifts/ShopRedirect'],
    ...['Giving/ClaimView', 'Giving/MyGiftPage', 'Lists/DetailsPage', 'Lists/Router'],
    'Lists/Page',
    'Lists/Surprise',
    // Mails leave without a gift’s name; a refused registry delays no other’s mail; a list is deleted all the same.
    ...['Giving/ClaimMails', 'Giving/GoneLists', 'Lists/Digest'],
    // The note about a gift that was taken back or removed goes or stays.
    'Giving/UninvitedGifts',
    // A refused gift keeps no other one from being moved or published.
    ...['Gifts/GiftLinks', 'Gifts/GiftTransfer', 'Lists/GiftDrafts'],
    // A reservation counts, even if it can’t be read again.
    'Abilities/GuestAbilities',
    // These answer other plugins.
    ...['Abilities/Ability', 'Gifts/RemovedGifts', 'Lists/Registries', 'Service/ApiClient'],
    ...['Service/GiftCache', 'Service/ItemService'],
  ];
  assert.deepEqual(catching, places.sort());
});

test('the client that answers failures by null is for other plugins only', () => {
  for (const { id, name, body } of classes)
    assert.ok(name === 'ApiClient' || !namesIn(body).has('ApiClient'), id);
});

test('hooks and templates name classes that exist', () => {
  const templates = phpIn('src')
    .filter(isTemplate)
    .map((name) => `src/${name}`);
  for (const file of ['trousseau.php', 'uninstall.php', ...templates]) {
    const source = readFileSync(join(plugin, file), 'utf8');
    for (const [, name] of source.matchAll(/\bTrousseau\\(\w+\\\w+)/g))
      assert.ok(known.has(name!.replace('\\', '/')), `${file}: ${name}`);
    const names = namesIn(bare(source.replace(/\?>.*?(?=<\?php|$)/gs, '')).replace(/^use [^\n]*$/gm, ''));
    for (const name of imported(source))
      assert.ok(names.has(name.split('\\').pop()!), `${file} uses ${name}`);
  }
});

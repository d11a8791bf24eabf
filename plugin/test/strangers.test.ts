// Strangers to a private registry ask everything that this WordPress offers. The routes, methods, screens and actions
// come from WordPress itself, so those that a newer version adds are asked, too. StrangersTest.php asks at addresses of pages.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { isNight, mostTelling } from '../../dev/night.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { addUser } from '../../dev/wordpress/site.ts';
import type { WordPressUser } from '../../dev/wordpress/wordpress.ts';

/** Words of registries that aren't public; one of them is only searched for, since a page may repeat it. */
const words = { title: 'Thistledown', story: 'zmarigold', file: 'zgossamer', guest: 'insider@example' };
const slug = 'zhearthside';
const sought = 'quicksilver';

// Every nonce is valid here, so actions that a nonce alone guards are open to everybody.
describeWordPress('strangers', { muPlugins: ['no-nonces'] }, (site) => {
  let editor: WordPressUser;
  type Hidden = 'closed' | 'draft' | 'future' | 'trash' | 'revision' | 'autosave';
  let ids: Record<Hidden | 'picture' | 'locked' | 'shown', number>;
  let slugs: string[];

  before(async () => {
    editor = await addUser(site, 'edith', 'editor');
    const { title, story, file, guest } = words;

    ids = await site.inTurn(
      // These numbers stand nowhere else in a page.
      ['next_post', 7_654_321],
      ['wp_set_current_user', site.users.alice.id],
      ['strangers.make', title, slug, `${sought} ${story}`, guest, file],
    );
    slugs = await Promise.all(
      [ids.closed, ids.draft, ids.future, ids.trash].map(async (id) => (await site.post(id)).post_name),
    );
    const open = { title: 'Open to all', status: 'publish', content: 'An open story' };
    assert.equal((await site.rest('alice', 'POST', '/wp/v2/registry', open)).status, 201);
  });

  const secret = (...also: string[]) => [...Object.values(words), ...also].join('|');

  /** The rows of these registries and of everything attached to them, field by field, so that a test names the change. */
  const kept = async (): Promise<Record<string, string>> => {
    const rows: Record<string, string>[] = await site.call('strangers.rows', ...Object.values(ids));
    const fieldsOf = ({ row_name, ...row }: Record<string, string>) =>
      Object.entries(row).map(([field, value]) => [`${row_name} ${field}`, value]);
    return Object.fromEntries(rows.flatMap(fieldsOf));
  };
  const changes = (before: Record<string, string>, after: Record<string, string>) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => before[name] !== after[name])
      .map((name) => `${name}: ${before[name]} → ${after[name]}`);

  /** Asks from inside WordPress. Returns the leaks, and how many requests were answered. */
  async function crawl(what: 'rest' | 'xmlrpc', user: WordPressUser | null, isChanging = true) {
    const { draft, future, trash, autosave, ...most } = ids;
    const asker = { user: user?.id ?? 0, author: site.users.alice.id, changes: isChanging };
    const about = { ...asker, secret: secret(slug), sought, slugs, ids: isNight ? ids : most };
    const lines = ((await site.call('crawl', what, about)) as string).split('\n');
    return { told: lines.slice(0, -1), answered: Number(lines.at(-1)) };
  }

  /** Asks over HTTP, four requests at a time; returns the leaks. */
  async function ask(
    user: WordPressUser | null,
    questions: [path: string, form?: Record<string, string>][],
    hidden: string,
  ) {
    const visitor = await site.visit(user);
    const left = [...questions];
    const told: string[] = [];
    const one = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { headers, text } = await visitor(...next);
        const found = new RegExp(`.{0,150}(${hidden}).{0,150}`, 'is').exec(
          `${headers.get('location')} ${headers.get('link')} ${text}`,
        );
        if (found) told.push(`${user?.username} ${next[0]} ${next[1]?.action ?? ''}: …${found[0]}…`);
      }
    };
    await Promise.all([one(), one(), one(), one()]);
    return told;
  }

  test('find nothing by any route of the REST API, and change nothing', async () => {
    const before = await kept();
    for (const user of mostTelling(2, [null, editor, site.users.carol])) {
      const { told, answered } = await crawl('rest', user);
      assert.deepEqual(told, [], user?.username ?? 'nobody');
      assert.ok(answered > 100, `${answered} answers`);
    }
    assert.deepEqual(changes(before, await kept()), []);
    for (const user of mostTelling(1, [site.users.alice, site.users.admin]))
      assert.ok((await crawl('rest', user, false)).told.length > 50, 'whom it concerns is told');
  });

  test('find and change nothing by any method of XML-RPC', async () => {
    const before = await kept();
    for (const user of mostTelling(1, [editor, site.users.carol])) {
      const { told, answered } = await crawl('xmlrpc', user);
      assert.deepEqual(told, [], user.username);
      assert.ok(answered > 100, `${answered} answers`);
    }
    assert.deepEqual(changes(before, await kept()), []);
    assert.ok((await crawl('xmlrpc', site.users.alice, false)).told.length > 5, 'its owner is told');
  });

  test('find nothing by trackbacks', async () => {
    const blind = Object.values(ids).flatMap((id): [string][] => [
      [`/wp-trackback.php?tb_id=${id}`],
      [`/wp-trackback.php?x=/${id}`],
    ]);
    const named = slugs.map((name): [string] => [`/registry/${name}/trackback/`]);
    for (const user of [null, site.users.carol]) {
      assert.deepEqual(await ask(user, blind, secret(slug)), []);
      assert.deepEqual(await ask(user, named, secret()), []);
    }
  });

  test('find and change nothing on WordPress’s screens or by its actions, whatever the nonce', async () => {
    const before = await kept();
    const parameters = (id: number) => {
      const number = String(id);
      const names =
        'post p post_id post_ID id ID attachment_id comment_post_ID parent post_parent thumbnail_id revision image_id found_post_id attachment ids[] post[] media[] query[post_parent] data[wp-refresh-post-lock][post_id]';
      const searches = 's ps q search term query[s]';
      return {
        ...Object.fromEntries(names.split(' ').map((name) => [name, number])),
        ...Object.fromEntries(searches.split(' ').map((name) => [name, sought])),
        ...{ post_type: 'registry', type: 'image', fetch: '3', do: 'save' },
        shortcode: `[gallery id="${id}"]`,
        ...{ title: 'Spoilt', post_title: 'Spoilt', content: 'Spoilt', 'changes[title]': 'Spoilt' },
        ...{ 'data[wp-check-locked-posts][]': `post-${id}`, _wpnonce: 'x', _ajax_nonce: 'x', nonce: 'x' },
      };
    };
    const ajax = readFileSync(join(site.folder, 'wp-admin/admin-ajax.php'), 'utf8');
    const actions = [...ajax.matchAll(/\$core_actions_(?:get|post)\s*=\s*array\(([^)]*)\)/g)]
      .flatMap(([, list]) => [...list!.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!))
      // This action would sign the user out.
      .filter((name) => name !== 'destroy-sessions');
    assert.ok(actions.length > 80);
    const screens = readdirSync(join(site.folder, 'wp-admin')).filter(
      (name) => name.endsWith('.php') && !/^(install|upgrade|setup-config|load-|admin-)/.test(name),
    );
    assert.ok(screens.length > 60);
    const asked = [ids.closed, ids.picture, ids.locked, ids.shown];
    for (const user of mostTelling(1, [editor, site.users.carol])) {
      const pressed = mostTelling(1, [...asked, ids.draft, ids.revision]).flatMap((id) =>
        actions.map((action): [string, Record<string, string>] => [
          '/wp-admin/admin-ajax.php',
          { ...parameters(id), action },
        ]),
      );
      // Some screens read a negative number as a positive one.
      const opened = mostTelling(1, [...asked, ...asked.map((id) => -id)]).flatMap((id) =>
        screens.flatMap((screen) =>
          ['edit', ''].map((action): [string] => [
            `/wp-admin/${screen}?${new URLSearchParams({ ...parameters(id), action })}`,
          ]),
        ),
      );
      assert.deepEqual(await ask(user, [...pressed, ...opened], secret(slug)), []);
    }
    assert.deepEqual(changes(before, await kept()), []);
  });
});

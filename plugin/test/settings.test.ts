// The settings page as an administrator uses it: forms, accounts and the menu. SettingsTest.php has the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import {
  addUser,
  decoded,
  formWith,
  type RecordingService,
  recordingService,
} from '../../dev/wordpress/site.ts';

const page = '/wp-admin/options-general.php?page=trousseau';

describeWordPress('settings', {}, (site) => {
  const { admin, alice, nobody } = site.visitors;
  let service: RecordingService;

  site.startWith(async () => {
    const health = { status: 'healthy', service: 'trousseau-api' };
    service = site.use(await recordingService(({ path }) => ({ body: path === '/health' ? health : [] })));
    return { muPlugins: ['no-passwords'] };
  });

  const form = async (text: string) => formWith((await admin(page)).text, text)!;

  test('is for administrators, and for forms of its own', async () => {
    const fields = { ...(await form('option_page')), trousseau_username: 'taken' };
    assert.equal((await alice(page)).status, 403);
    assert.equal((await nobody(page)).status, 302);
    await site.setOptions({ trousseau_username: 'kept' });
    for (const visitor of [alice, nobody])
      assert.notEqual((await visitor('/wp-admin/options.php', fields)).status, 200);
    const forged = await admin('/wp-admin/options.php', { ...fields, _wpnonce: 'forged' });
    assert.equal(forged.status, 403);
    assert.equal(await site.option('trousseau_username'), 'kept');
    const { status, text } = await site.rest('admin', 'GET', '/wp/v2/settings');
    assert.deepEqual([status, text.includes('trousseau_')], [200, false], 'not in the REST API’s settings');
  });

  test('a form that came too late does nothing and leads on; its fields keep their text, except secrets', async () => {
    const user = await addUser(site, 'keeper', 'administrator');
    const keeper = await site.visit(user);
    await site.setOptions({ trousseau_base_url: service.url, trousseau_username: 'kept' });
    const everything = async () => JSON.stringify([await site.rows('options'), await site.rows('usermeta')]);
    const typed = { 'join-address': 'https://typed.example', key: 'typed key', code: 'typed word' };
    const late =
      /notice-warning"><p>This form was open for too long, so nothing was saved[^<]*press again\. Enter passwords again\./;
    const isFilledIn = (text: string) => text.includes('value="https://typed.example"');
    service.requests.length = 0;
    const action = 'trousseau_join';
    /** Whether the screen to which the late form leads has its fields. */
    const isFilledAt = async (location: string) => {
      assert.ok(location.startsWith(site.url + page), location);
      const { text } = await keeper(location);
      assert.match(text, late);
      assert.doesNotMatch(`${location} ${text}`, /typed (key|word)/);
      return isFilledIn(text);
    };
    const press = async (fields: Record<string, string>, headers?: Record<string, string>) => {
      const answer = await keeper('/wp-admin/admin-post.php', fields, headers);
      assert.equal(answer.status, 303, answer.text);
      assert.doesNotMatch(`${answer.headers.getSetCookie()} ${await everything()}`, /typed (key|word)/);
      return answer.headers.get('location')!;
    };

    // This form's session is over.
    const fields = { ...formWith((await keeper(page)).text, action), ...typed };
    await site.endSessions(user.id);
    const login = new URL(await press(fields));
    assert.equal(login.pathname, '/wp-login.php');
    const redirect_to = login.searchParams.get('redirect_to')!;
    const signIn = { log: user.username, pwd: user.login, redirect_to };
    const next = (await keeper('/wp-login.php', signIn)).headers.get('location')!;
    assert.equal(next, redirect_to);
    assert.ok(await isFilledAt(next));
    assert.equal(isFilledIn((await keeper(page)).text), false, 'once');

    // This form's nonce is over, or it came from another site and fills in nothing.
    const over = { ...fields, _wpnonce: 'over' };
    assert.ok(await isFilledAt(await press(over)));
    assert.equal(await isFilledAt(await press(over, { origin: 'https://elsewhere.example' })), false);
    assert.doesNotMatch((await keeper(page)).text, late);

    // Users without the right are told so.
    const refusal = await alice('/wp-admin/admin-post.php', fields);
    assert.equal(refusal.status, 403);
    assert.match(decoded(refusal.text), /Your account can’t do that on this site/);
    assert.match(refusal.text, new RegExp(`href=['"]${site.url}/['"]>Back to the site<`));

    assert.deepEqual(service.requests, [], 'nobody was asked');
    const stored = ['trousseau_base_url', 'trousseau_username'].map((name) => site.option(name));
    assert.deepEqual(await Promise.all(stored), [service.url, 'kept']);
  });

  test('one press makes the account of the plugin and its password, which no page shows', async () => {
    await site.setOptions({ trousseau_username: 'before', trousseau_app_password: 'before' });
    // A person who registers under the account's name gets none of its rights.
    const { id: squatter } = await addUser(site, 'trousseau-service', 'subscriber');
    // A person who has the role beside another one is not the plugin's account, and loses nothing.
    const { bob } = site.users;
    await site.call('settings.second_role', bob.id, true);
    const button = await form('trousseau_make_account');
    const press = async () => {
      const text = await admin.pressScreen(page, 'trousseau_make_account');
      const username = await site.option('trousseau_username');
      const password = await site.option('trousseau_app_password');
      assert.ok(password.length > 20 && !text.includes(password), 'never shown');
      assert.match(text, /notice-success[\s\S]*ADMIN_ROLES=administrator,trousseau_service/);
      return { username, password };
    };
    const first = await press();
    const me = (account: { username: string; password: string }) =>
      site.rest({ ...site.users.bob, ...account }, 'GET', '/wp/v2/users/me?context=edit');
    const { status, json } = await me(first);
    assert.deepEqual([status, json.roles], [200, ['trousseau_service']]);
    assert.notEqual(json.id, squatter);
    assert.deepEqual(await site.call('get_userdata', squatter).then(({ roles }) => roles), ['subscriber']);
    assert.equal(json.capabilities.manage_options, undefined);

    // The password changes nothing of the account: no password, no address, no profile.
    const leaked = { ...site.users.bob, ...first };
    for (const [method, path, body] of [
      ['POST', '/wp/v2/users/me/application-passwords', { name: 'mine' }],
      ['GET', '/wp/v2/users/me/application-passwords', undefined],
      ['DELETE', '/wp/v2/users/me/application-passwords', undefined],
      ['POST', '/wp/v2/users/me', { password: 'mine now', email: 'mine@example.test' }],
    ] as const)
      assert.equal((await site.rest(leaked, method, path, body)).status, 403, `${method} ${path}`);
    assert.equal((await site.call('settings.account', json.id, '')).reset, false);

    // The second press makes a new password for the same account, and ends the old ones.
    const [made, session] = await site.call('settings.open_account', json.id);
    const second = await press();
    assert.equal(second.username, first.username);
    assert.notEqual(second.password, first.password);
    assert.deepEqual([(await me(first)).status, (await me(second)).status], [401, 200]);
    assert.equal((await me({ username: first.username, password: made })).status, 401);
    assert.equal((await site.rest(bob, 'GET', '/wp/v2/users/me')).status, 200);
    assert.equal((await site.call('get_userdata', bob.id)).data.user_email, bob.email);
    await site.call('settings.second_role', bob.id, false);
    assert.deepEqual(await site.call('settings.account', json.id, session), {
      ...{ passwords: 1, leaked: false, email: '', session: false, reset: false },
    });

    // The button refuses other users, requests without its form, and sites where passwords are switched off.
    const link = `/wp-admin/admin-post.php?${new URLSearchParams(button)}`;
    assert.equal((await alice('/wp-admin/admin-post.php', button)).status, 403);
    assert.equal((await admin('/wp-admin/admin-post.php', { ...button, _wpnonce: 'forged' })).status, 303);
    assert.equal((await admin(link)).status, 303);
    assert.equal(await site.option('trousseau_app_password'), second.password);
    await site.setOptions({ test_no_passwords: '1' });
    assert.match(await admin.pressScreen(page, 'trousseau_make_account'), /notice-error[\s\S]*turned off/);
    assert.equal(await site.option('trousseau_app_password'), second.password);
    await site.setOptions({ test_no_passwords: '' });
  });

  test('the probe tells whether the caller’s own header arrived, and the version to the signed in', async () => {
    const probe = (headers: Record<string, string>) =>
      fetch(`${site.url}/wp-json/trousseau/v1/authorization`, { headers }).then((answer) => answer.json());
    assert.deepEqual(await probe({}), { arrived: false });
    assert.deepEqual(await probe({ authorization: 'Basic eDp5' }), { arrived: true });
    const own = await site.rest('alice', 'GET', '/trousseau/v1/authorization');
    assert.deepEqual(Object.keys(own.json), ['arrived', 'version']);
  });

  test('each page of the list opens, and goes into the menu of the theme once, for an administrator alone', async () => {
    await site.setOptions({ trousseau_base_url: '' });
    assert.doesNotMatch((await admin(page)).text, /name="page" value=/);
    const account = { trousseau_username: 'admin', trousseau_app_password: 'word' };
    await site.setOptions({ trousseau_base_url: service.url, ...account });
    const { text } = await admin(`${page}&test=1`);
    const addresses = [...text.matchAll(/<th scope="row"><a href="([^"]+)">/g)].map(([, at]) => decoded(at!));
    assert.equal(addresses.length, 5);
    for (const at of addresses) assert.equal((await admin(at)).status, 200, at);
    const offered = [...text.matchAll(/name="page" value="([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(offered, ['new', 'mine', 'my-gifts', 'find', 'registries']);

    const add = (name: string) => admin.pressScreen(page, 'value="trousseau_add_to_menu"', { page: name });
    const linked = (html: string) => [...html.matchAll(/In your menu/g)].length;
    for (const theme of ['twentytwentythree', 'twentytwentyone']) {
      await site.switchTheme(theme);
      const first = await add('new');
      assert.match(first, /“Create your list” is in your menu\./);
      assert.equal(linked(first), 1, theme);
      assert.equal(linked(await add('new')), 1, `${theme}: twice pressed, once there`);
      assert.equal(linked(await add('my-gifts')), 2, theme);
      const front = (await nobody('/')).text;
      assert.equal([...front.matchAll(/href="[^"]*registries\/new\/"/g)].length, 1, theme);
      assert.match(front, /registries\/my-gifts\//, theme);
      assert.match(front, /Sample Page/, `${theme}: the pages that stood there before still do`);
    }
    assert.equal((await site.call('wp_get_nav_menus')).length, 1, 'both went into the same menu');
    await site.switchTheme('trousseau');
    assert.match(await add('registries'), /Your front page doesn’t show that menu\. Open Appearance/);
    await site.switchTheme('twentytwentyone');
    const count = async () => Number((await site.call('wp_count_posts', 'nav_menu_item')).publish);
    const before = await count();
    const pressed = { action: 'trousseau_add_to_menu', page: 'mine' };
    assert.equal((await alice('/wp-admin/admin-post.php', pressed)).status, 403);
    assert.doesNotMatch(await add('wp-login'), /is in your menu/);
    assert.equal(await count(), before);
    await site.setOptions({ trousseau_base_url: '' });
    await site.switchTheme('plain');
  });

  test('addresses begin with the keeper’s words in any language, and former ones lead on', async () => {
    const screen = '/wp-admin/options-permalink.php';
    const save = async (pages: string, lists: string) => {
      const fields = formWith((await admin(screen)).text, 'name="trousseau_slug_pages"')!;
      const words = { trousseau_slug_pages: pages, trousseau_slug_lists: lists };
      const answer = await admin(screen, { ...fields, ...words });
      return decoded((await admin(answer.headers.get('location')!)).text);
    };
    const leadsTo = async (path: string) => {
      const { status, headers } = await nobody(path);
      return status === 301 ? decodeURI(headers.get('location')!.replace(site.url, '')) : status;
    };
    const list = async (title: string, status: string) =>
      (await site.rest('alice', 'POST', '/wp/v2/registry', { title, status })).json;
    const [open, closed] = [await list('Open', 'publish'), await list('Closed', 'private')];
    assert.match(decoded((await admin(screen)).text), /value="registries".*value="registry"/s);
    assert.equal(await leadsTo('/registries/find/'), 200);

    await save('Wunsch Listen', 'Wunschliste');
    assert.equal(await leadsTo('/wunsch-listen/find/'), 200);
    assert.equal(await leadsTo('/wunschliste/open/'), 200);
    assert.equal(await leadsTo('/wunschliste/'), 200);
    // Twice within a minute.
    await save('قوائم', 'liste');
    assert.equal(await leadsTo('/%D9%82%D9%88%D8%A7%D8%A6%D9%85/find/?find=open'), 200);
    for (const former of ['registries', 'wunsch-listen']) {
      assert.equal(await leadsTo(`/${former}/find/?find=a%26b`), '/قوائم/find/?find=a%26b');
      assert.equal(await leadsTo(`/${former}/${open.id}/give/?item=1`), `/قوائم/${open.id}/give/?item=1`);
      assert.equal(await leadsTo(`/${former}/nothing/`), 404);
    }
    // A form that was open meanwhile, or a mail program that unsubscribes, follows no redirect.
    const [now, former] = ['/قوائم/lost-invitation/', '/registries/lost-invitation/'];
    assert.equal((await nobody.send(now, 'send', { email: '' }, former)).status, 422);
    for (const former of ['registry', 'wunschliste']) {
      assert.equal(await leadsTo(`/${former}/?a=b`), '/liste/?a=b');
      assert.equal(await leadsTo(`/${former}/open/feed/`), '/liste/open/feed/');
      // Whether there is a list isn't told by it.
      assert.equal(await leadsTo(`/${former}/${closed.slug}/`), `/liste/${closed.slug}/`);
      assert.equal(await leadsTo(`/${former}/nothing/`), '/liste/nothing/');
    }
    // A page of the site's own at a former address comes first.
    const page = { post_type: 'page', post_status: 'publish', post_title: 'Gift list' };
    const own = await site.addPost({ ...page, post_name: 'registry' });
    assert.equal(await leadsTo('/registry/'), 200);

    for (const [pages, lists, words] of [
      ['liste', 'liste', /Choose two different words/],
      ['', 'registries', /Choose two different words/],
      // Its old addresses lead on to lists.
      ['wunschliste', 'liste', /Another page already/],
      ['registry', 'liste', /Another page already/],
      ['2027', 'liste', /Another page already/],
      ['wp-json', 'liste', /Another page already/],
      ['قوائم', 'category', /Another page already/],
    ] as const) {
      assert.match(await save(pages, lists), words, pages);
      const kept = await site.option('trousseau_slugs');
      assert.deepEqual([kept.pages[0], kept.lists[0]], ['قوائم', 'liste'], pages);
    }
    await site.deletePost(own);
    await save('', '');
    assert.equal(await leadsTo('/registries/find/'), 200);
    assert.equal(await leadsTo('/liste/open/'), '/registry/open/');
    await site.setOptions({ permalink_structure: '/blog/%postname%/', rewrite_rules: null });
    assert.equal(await leadsTo('/blog/liste/open/'), '/blog/registry/open/');
    await site.setOptions({ permalink_structure: '/%postname%/', rewrite_rules: null });
    const taken = { trousseau_slug_pages: 'taken', trousseau_slug_lists: '', _wpnonce: 'forged' };
    for (const visitor of [alice, admin]) assert.equal((await visitor(screen, taken)).status, 403);
    assert.equal(await leadsTo('/registries/find/'), 200);
  });

  test('uninstalling removes registries and settings only when asked', async () => {
    const mine = { title: 'Mine', status: 'private', meta: { registry_invitees: '["bob"]' } };
    const { id } = (await site.rest('alice', 'POST', '/wp/v2/registry', mine)).json;
    const post = await site.addPost({ post_title: 'A post', post_status: 'publish', post_author: 1 });
    await site.setOptions({ trousseau_base_url: service.url });
    await site.call('settings.store_all', id);
    const files = await site.call('settings.draw_pictures', id, site.users.alice.id, post);
    const made = await site.call('settings.make_accounts');
    assert.match(made, /^trousseau-service/);
    const there = async () => ({
      pictures: await site.call('settings.pictures_left', files),
      account: Boolean(await site.call('username_exists', made)),
      human: Boolean(await site.call('username_exists', 'human')),
    });
    const uninstall = async () => {
      await site.deactivate('trousseau');
      const invitation = await site.inTurn(['record_mails'], ['settings.uninstall', id, 'bob']);
      return {
        invitation,
        address: await site.option('trousseau_base_url'),
        registry: await site.postStatus(id),
        post: await site.postStatus(post),
        ...(await site.call('settings.stored')),
      };
    };
    const { post_meta, options: optionsLeft, ...kept } = await uninstall();
    assert.ok(post_meta > 0 && optionsLeft > 0);
    assert.deepEqual(kept, {
      invitation: 'failed',
      ...{ address: service.url, registry: 'private', post: 'publish', pictures: true, user_meta: 2 },
      ...{ jobs: 0, values: 0, cron: false },
    });
    const all = { account: true, human: true };
    assert.deepEqual(await there(), { pictures: Object.keys(files), ...all });
    await site.setOptions({ trousseau_remove_data: '1' });
    assert.deepEqual(await uninstall(), {
      ...{ invitation: '', address: false, registry: false, post: 'publish', post_meta: 0, options: 0 },
      ...{ pictures: false, user_meta: 0, jobs: 0, values: 0, cron: false },
    });
    // No file of a private list is everybody's; the account that the button made goes, and no other.
    assert.deepEqual(await there(), { pictures: ['shown', 'else', 'nobodys'], account: false, human: true });
  });
});

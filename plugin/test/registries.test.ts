// Registries on a real WordPress: who may do what, what meta may hold, and that no page shows who is invited.
// @again wordpress
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  addPosts,
  ageValues,
  can,
  deletePosts,
  forgetValues,
  inSeconds,
  keptRows,
  option,
  registryIds,
  revisionOf,
  runJobs,
  setOption,
  storeMeta,
} from '../../dev/wordpress/set-up.ts';
import { addUser, complaints, rest, visit } from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

describe('registries', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  before(async () => {
    site = await startWordPress();
  });
  after(() => site.stop());

  const create = async (user: keyof WordPress['users'], registry: Record<string, unknown>) => {
    const answer = await rest(site, site.users[user], 'POST', '/wp/v2/registry', registry);
    assert.equal(answer.status, 201, answer.text);
    return answer.json as { id: number; link: string; slug: string; meta: Record<string, string> };
  };

  test('a subscriber makes, edits and deletes a registry of their own', async () => {
    const { alice } = site.users;
    for (const status of ['private', 'publish']) {
      const { id } = await create('alice', { title: 'Mine', status });
      const edited = await rest(site, alice, 'PATCH', `/wp/v2/registry/${id}`, { title: 'Still mine' });
      assert.equal(edited.status, 200);
      assert.equal(edited.json.title.raw, 'Still mine');
      const deleted = await rest(site, alice, 'DELETE', `/wp/v2/registry/${id}?force=true`);
      assert.deepEqual([deleted.status, deleted.json.deleted], [200, true]);
      assert.equal((await rest(site, alice, 'GET', `/wp/v2/registry/${id}`)).status, 404);
    }
  });

  test('every signed-in user has the rights, whatever their role', async () => {
    await site.call('add_role', 'guest_of_another_plugin', 'Guest', { read: true });
    const { id } = await addUser(site, 'dora', 'guest_of_another_plugin');
    const rights: [number, string, boolean][] = [
      [id, 'publish_registries', true],
      [id, 'edit_others_registries', false],
      [id, 'edit_posts', false],
      [0, 'edit_registries', false],
      [1, 'delete_others_registries', true],
    ];
    for (const [user, right, may] of rights) assert.equal(await can(site, user, right), may, right);
    const { trousseau_service, ...roles } = await option(site, 'wp_user_roles');
    assert.ok(roles.subscriber);
    assert.doesNotMatch(JSON.stringify(roles), /registr/);
  });

  test('only permitted users read and write a registry over REST', async () => {
    const invitees = '["BOB"]';
    const ids = {
      private: (
        await create('alice', { title: 'P', status: 'private', meta: { registry_invitees: invitees } })
      ).id,
      publish: (
        await create('alice', { title: 'O', status: 'publish', meta: { registry_invitees: invitees } })
      ).id,
      draft: (await create('alice', { title: 'D', status: 'draft', meta: { registry_invitees: invitees } }))
        .id,
    };
    const users = { ...site.users, nobody: null };
    // user: [view, edit context, update, delete]
    const expected = {
      private: {
        alice: [200, 200],
        admin: [200, 200],
        bob: [200, 200, 403, 403],
        carol: [403, 403, 403, 403],
        nobody: [401, 401, 401, 401],
      },
      publish: {
        alice: [200, 200],
        admin: [200, 200],
        bob: [200, 200, 403, 403],
        carol: [200, 403, 403, 403],
        nobody: [200, 401, 401, 401],
      },
      draft: {
        alice: [200, 200],
        admin: [200, 200],
        bob: [403, 403, 403, 403],
        carol: [403, 403, 403, 403],
        nobody: [401, 401, 401, 401],
      },
    };
    for (const [status, byUser] of Object.entries(expected)) {
      const path = `/wp/v2/registry/${ids[status as keyof typeof ids]}`;
      for (const [name, [view, edit, update, remove]] of Object.entries(byUser)) {
        const user = users[name as keyof typeof users];
        const label = `${name} at the ${status} one`;
        assert.equal((await rest(site, user, 'GET', path)).status, view, `${label}, view`);
        assert.equal((await rest(site, user, 'GET', `${path}?context=edit`)).status, edit, `${label}, edit`);
        if (update)
          assert.equal(
            (await rest(site, user, 'POST', path, { title: 'x' })).status,
            update,
            `${label}, update`,
          );
        if (remove)
          assert.equal(
            (await rest(site, user, 'DELETE', `${path}?force=true`)).status,
            remove,
            `${label}, delete`,
          );
      }
    }
  });

  test('an invitee by e-mail address, whatever the case, reads the whole registry without its password', async () => {
    const { id } = await create('alice', {
      title: 'Ann & Bob',
      status: 'publish',
      password: 'knock',
      meta: { registry_invitees: '["Carol@Example.TEST"]' },
    });
    const seen = await rest(site, site.users.carol, 'GET', `/wp/v2/registry/${id}?context=edit`);
    assert.equal(seen.json.title.raw, 'Ann &amp; Bob');
    assert.equal(seen.json.meta.registry_invitees, '["Carol@Example.TEST"]');
    assert.equal('password' in seen.json, false);
    assert.equal(
      (await rest(site, site.users.alice, 'GET', `/wp/v2/registry/${id}?context=edit`)).json.password,
      'knock',
    );
  });

  test('nobody creates a registry in another name, or without signing in', async () => {
    const { alice, bob } = site.users;
    const forged = await rest(site, alice, 'POST', '/wp/v2/registry', { title: 'x', author: bob.id });
    assert.deepEqual([forged.status, forged.json.code], [403, 'rest_cannot_edit_others']);
    assert.equal((await rest(site, null, 'POST', '/wp/v2/registry', { title: 'x' })).status, 401);
  });

  test('meta that cannot be used is refused, and nothing is stored', async () => {
    const { alice } = site.users;
    const { id } = await create('alice', { title: 'Kept', meta: { registry_event_type: 'Wedding' } });
    const count = async () => (await registryIds(site)).length;
    const before = await count();
    const cases: [string, unknown, string][] = [
      ['registry_item_ids', 'rubbish', 'rest_invalid_param'],
      ['registry_item_ids', '{"a":1}', 'rest_invalid_param'],
      ['registry_item_ids', '[1,"2"]', 'rest_invalid_param'],
      ['registry_item_ids', '[0]', 'rest_invalid_param'],
      ['registry_item_ids', '', 'rest_invalid_param'],
      ['registry_item_ids', [1, 2], 'rest_invalid_type'],
      ['registry_invitees', '["ok", 5]', 'rest_invalid_param'],
      ['registry_invitees', '["  "]', 'rest_invalid_param'],
      ['registry_invitees', JSON.stringify(['x'.repeat(255)]), 'rest_invalid_param'],
      [
        'registry_invitees',
        JSON.stringify(Array.from({ length: 1001 }, (_, i) => `guest${i}`)),
        'rest_invalid_param',
      ],
      ['registry_event_type', 'x'.repeat(1001), 'rest_invalid_param'],
      ['registry_event_date', '2027-02-30', 'rest_invalid_param'],
      ['registry_event_date', '30.05.2027', 'rest_invalid_param'],
      ['registry_event_date', 20270530, 'rest_invalid_type'],
      ['registry_currency', 'eur', 'rest_invalid_param'],
      ['registry_currency', 'EURO', 'rest_invalid_param'],
      ['registry_reserved_for', '15', 'rest_invalid_param'],
      ['registry_surprise_until', 'soon', 'rest_invalid_param'],
      ['registry_surprise_until', '2027-02-30', 'rest_invalid_param'],
    ];
    for (const [key, value, code] of cases) {
      for (const path of ['/wp/v2/registry', `/wp/v2/registry/${id}`]) {
        const answer = await rest(site, alice, 'POST', path, { title: 'Lost', meta: { [key]: value } });
        assert.deepEqual(
          [answer.status, answer.json.code],
          [400, code],
          `${key} ${JSON.stringify(value).slice(0, 60)}`,
        );
      }
    }
    assert.equal(await count(), before);
    const kept = await rest(site, alice, 'GET', `/wp/v2/registry/${id}?context=edit`);
    assert.deepEqual([kept.json.title.raw, kept.json.meta.registry_event_type], ['Kept', 'Wedding']);
  });

  test('meta is cleaned when written and complete when read', async () => {
    const long = `${'é'.repeat(241)}@example.test`;
    const odd = 'Ann "A" O\'Neil \\ 🎁@example.test';
    const { id, meta } = await create('alice', {
      title: 'Clean',
      meta: {
        registry_item_ids: '[3, 1, 3, 9007199254740991]',
        registry_invitees: JSON.stringify([' Bob ', 'bob', odd, long, '12@example.test']),
        registry_event_type: 'x'.repeat(100),
        registry_event_date: '2028-02-29',
        registry_currency: 'CHF',
        registry_surprise_until: 'always',
      },
    });
    assert.equal(meta.registry_item_ids, '[3,1,9007199254740991]');
    assert.deepEqual(JSON.parse(meta.registry_invitees!), ['Bob', odd, long, '12@example.test']);
    assert.equal(meta.registry_event_date, '2028-02-29');
    assert.deepEqual([meta.registry_currency, meta.registry_surprise_until], ['CHF', 'always']);

    const again = await rest(site, site.users.alice, 'POST', `/wp/v2/registry/${id}`, { meta });
    assert.deepEqual([again.status, again.json.meta], [200, meta]);
    const cleared = await rest(site, site.users.alice, 'POST', `/wp/v2/registry/${id}`, {
      meta: {
        registry_item_ids: '[]',
        registry_invitees: null,
        registry_event_type: '',
        registry_event_date: '',
        registry_currency: '',
        registry_surprise_until: '',
        registry_reserved_for: '',
      },
    });
    // Newer versions of WordPress add a key of their own.
    const { footnotes, ...read } = cleared.json.meta;
    assert.deepEqual(read, {
      registry_item_ids: '[]',
      registry_invitees: '[]',
      registry_event_type: '',
      registry_event_date: '',
      registry_currency: '',
      registry_owners: '[]',
      registry_surprise_keeps: '',
      registry_surprise_until: '',
      registry_reserved_for: '',
      registry_pay_to: '',
    });
  });

  test('values of an older version or another plugin are read tolerantly', async () => {
    const { id } = await create('alice', { title: 'Old', status: 'private' });
    const stored: [string, unknown, string][] = [
      ['registry_item_ids', ['5', 6, 'x'], '[5,6]'],
      ['registry_invitees', ['bob', 7, ' bob '], '["bob"]'],
      ['registry_event_type', ['x'], ''],
      ['registry_surprise_until', 'soon', 'always'],
    ];
    for (const [key, value, read] of stored) {
      await storeMeta(site, id, key, value);
      const answer = await rest(site, site.users.alice, 'GET', `/wp/v2/registry/${id}?context=edit`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.meta[key], read, `${key} ${JSON.stringify(value)}`);
    }
  });

  test('lists show owners their own registries of every status, and no count answers a search in private ones', async () => {
    const { alice, bob, admin } = site.users;
    const { id } = await create('alice', { title: 'Zanzibar honeymoon', status: 'private' });
    const list = (user: typeof alice, query: string) =>
      rest(site, user, 'GET', `/wp/v2/registry?search=zanzibar&${query}`);
    const own = await list(alice, `author=${alice.id}&status=publish,private&context=edit`);
    assert.deepEqual([own.json.length, own.json[0]?.id, own.headers.get('x-wp-total')], [1, id, '1']);
    assert.equal((await list(admin, 'status=publish,private&context=edit')).json.length, 1);
    for (const query of [
      'context=edit',
      'status=private',
      'status=publish,private',
      'status=any',
      `author=${alice.id}&status=private`,
      '',
    ]) {
      const others = await list(bob, query);
      assert.deepEqual([others.json, others.headers.get('x-wp-total')], [[], '0'], query);
    }
    assert.equal((await rest(site, null, 'GET', '/wp/v2/registry?status=private')).status, 400);
  });

  test('the site shows public registries to all, private ones to owner, administrator and invitees', async () => {
    const open = await create('alice', { title: 'Open house', status: 'publish' });
    const closed = await create('alice', {
      title: 'Closed circle',
      status: 'private',
      meta: { registry_invitees: '["bob"]' },
    });
    const visitors = { nobody: null, ...site.users };
    for (const [name, user] of Object.entries(visitors)) {
      const visitor = await visit(site, user);
      const invited = name !== 'nobody' && name !== 'carol';
      for (const path of [
        closed.link,
        `/?registry=${closed.id}`,
        `/?registry=${closed.slug}`,
        `/?p=${closed.id}&post_type=registry`,
      ]) {
        const page = await visitor(path);
        const arrived = page.status === 301 ? await visitor(page.headers.get('location')!) : page;
        assert.equal(arrived.status, invited ? 200 : 404, `${name} ${path}`);
        assert.equal(arrived.text.includes('Closed circle'), invited, `${name} ${path}`);
      }
      assert.equal((await visitor(open.link)).status, 200);
      const archive = (await visitor('/registry/')).text;
      assert.match(archive, /Open house/);
      assert.doesNotMatch(archive, /Closed circle/, 'the archive is the public list for everybody');
    }
  });

  test('people who sign in come back to where they were, or to their lists', async () => {
    const arrive = async (user: WordPress['users']['alice'], fields: Record<string, string> = {}) => {
      const visitor = await visit(site, null);
      await visitor('/wp-login.php');
      const form = { log: user.username, pwd: user.login, testcookie: '1', ...fields };
      return (await visitor('/wp-login.php', form)).headers.get('location');
    };
    const { alice, admin } = site.users;
    assert.equal(await arrive(alice), `${site.url}/registries/mine/`);
    const registry = `${site.url}/registry/some/`;
    assert.equal(await arrive(alice, { redirect_to: registry }), registry);
    assert.equal(await arrive(admin), `${site.url}/wp-admin/`);
  });

  test('a list that an administrator has begun goes to no account that they make for somebody else', async () => {
    const admin = await visit(site, null);
    const begun = { do: 'make', title: 'Mine alone', occasion: 'other', status: 'private', surprise: 'no' };
    assert.equal((await admin('/registries/new/', begun)).status, 303);
    const { username, login } = site.users.admin;
    await admin('/wp-login.php');
    await admin('/wp-login.php', { log: username, pwd: login, testcookie: '1' });
    const form = (await admin('/wp-admin/user-new.php')).text;
    const nonce = /name="_wpnonce_create-user" value="(\w+)"/.exec(form)![1]!;
    const user = {
      user_login: 'erna',
      email: 'erna@example.test',
      pass1: 'long enough 1',
      pass2: 'long enough 1',
    };
    const sent = {
      ...user,
      action: 'createuser',
      '_wpnonce_create-user': nonce,
      role: 'subscriber',
      pw_weak: 'on',
    };
    const created = await admin('/wp-admin/user-new.php', sent);
    assert.equal(created.status, 302, /<div class="error">.*?<\/div>/s.exec(created.text)?.[0]);
    const erna = await visit(site, { ...site.users.alice, username: 'erna', login: 'long enough 1' });
    assert.doesNotMatch((await erna('/registries/new/')).text, /Mine alone/);
    assert.match((await admin('/registries/new/')).text, /Mine alone/);
  });

  test('a begun list that nobody came back for is gone after a week, however many others were begun', async () => {
    await forgetValues(site, 'draft_');
    await site.call('registries.begin', 501);
    const week = 7 * 86_400;
    await ageValues(site, 'draft_', 2 * week, 1);
    await runJobs(site, 'sweep');
    const left = await keptRows(site, 'draft_');
    await forgetValues(site, 'draft_');
    const ends = left.map(({ expires_at }) => Number(expires_at) / 1000);
    assert.equal(left.length, 500);
    for (const end of ends) assert.ok(end > inSeconds(week - 86_400));
  });

  test('a guest finds their lists however many others have guests with a name like theirs', async () => {
    await create('alice', {
      title: 'For Bob',
      status: 'private',
      date: '2020-01-01T00:00:00',
      meta: { registry_invitees: '["bob"]' },
    });
    const other = {
      ...{ post_type: 'registry', post_status: 'publish', post_author: 1, post_title: 'Other' },
      meta_input: { registry_invitees: '["bobby@example.org"]' },
    };
    const others = await addPosts(site, 101, other);
    const bob = await visit(site, site.users.bob);
    const page = (await bob('/registries/mine/')).text;
    await deletePosts(site, others);
    assert.match(page, /For Bob/);
    assert.doesNotMatch(page, />Other</);
  });

  test('the admin list of a subscriber holds their own registries only', async () => {
    await create('bob', { title: 'Draft of Bob', status: 'draft' });
    await create('carol', { title: 'Draft of Carol', status: 'draft' });
    const seen = (
      await (
        await visit(site, site.users.bob)
      )('/wp-admin/edit.php?post_type=registry&all_posts=1')
    ).text;
    assert.match(seen, /Draft of Bob/);
    assert.doesNotMatch(seen, /Draft of Carol/);
  });

  test('no public answer of the site holds a guest, or anything of a private registry', async () => {
    await addUser(site, 'hiddenguest', 'subscriber');
    const secrets = ['secret.guest@leak.test', 'hiddenguest', '987654321', 'Whisperwood', 'Murmur'];
    const meta = {
      registry_invitees: '["secret.guest@leak.test", "hiddenguest"]',
      registry_item_ids: '[987654321]',
    };
    const open = await create('alice', {
      title: 'Leaky',
      content: 'Findable story',
      status: 'publish',
      meta,
    });
    const closed = await create('alice', {
      title: 'Whisperwood',
      slug: 'behind-the-door',
      content: 'Murmur, a findable story',
      status: 'private',
      meta,
    });
    await rest(site, site.users.alice, 'POST', `/wp/v2/registry/${open.id}`, {
      content: 'Findable story, revised',
    });
    const revision = await revisionOf(site, open.id);
    assert.ok(revision, 'the story keeps revisions');
    assert.deepEqual(
      Object.keys(await site.call('get_post_custom', revision)).filter((key) =>
        ['registry_invitees', 'registry_item_ids'].includes(key),
      ),
      [],
    );

    const encoded = encodeURIComponent;
    // The searches are for parts of the words: a page repeats the text that was searched for.
    const paths = [
      '/',
      '/registry/',
      '/?s=story',
      '/?s=secret.gu',
      '/?s=whisperw',
      '/feed/',
      '/registry/feed/',
      '/?feed=atom&post_type=registry',
      '/comments/feed/',
      '/author/alice/',
      '/wp-sitemap.xml',
      '/wp-sitemap-posts-registry-1.xml',
      '/wp-sitemap-users-1.xml',
      '/wp-json/',
      '/registries/new/',
      '/registries/mine/',
      '/registries/my-gifts/',
      '/registries/add/',
      '/wp-json/wp/v2/types/registry',
      '/wp-json/wp/v2/users',
      '/wp-json/wp/v2/search?search=story&subtype=any',
      '/wp-json/wp/v2/search?search=whisperw',
      '/wp-json/wp/v2/search?search=secret.gu',
      '/wp-json/wp/v2/registry',
      '/wp-json/wp/v2/registry?context=embed',
      '/wp-json/wp/v2/registry?context=edit',
      '/wp-json/wp/v2/registry?_embed=1',
      '/wp-json/wp/v2/registry?search=whisperw',
      '/wp-json/wp/v2/registry?meta_key=registry_invitees&orderby=meta_value',
      `/wp-json/wp/v2/registry?slug=${closed.slug}`,
    ];
    for (const { id, link } of [open, closed]) {
      paths.push(
        link,
        `${link}embed/`,
        `${link}feed/`,
        `/?p=${id}&post_type=registry&preview=true`,
        `/?registry=${id}`,
        ...['gifts', 'guests', 'given', 'details', 'give'].map((page) => `/registries/${id}/${page}/`),
      );
      paths.push(
        `/wp-json/oembed/1.0/embed?url=${encoded(link)}`,
        `/wp-json/oembed/1.0/embed?format=xml&url=${encoded(link)}`,
      );
      for (const context of ['view', 'embed', 'edit']) {
        paths.push(
          `/wp-json/wp/v2/registry/${id}?context=${context}`,
          `/wp-json/wp/v2/registry/${id}/revisions?context=${context}`,
          `/wp-json/wp/v2/registry/${id}/autosaves?context=${context}`,
        );
      }
      paths.push(`/wp-json/wp/v2/registry/${id}/revisions/${revision}?context=edit`);
    }
    const nobody = await visit(site, null);
    const carol = await visit(site, site.users.carol);
    let seen = 0;
    for (const path of paths) {
      const answers = [await nobody(path), await carol(path)];
      if (path.startsWith('/wp-json'))
        answers.push(await rest(site, site.users.carol, 'GET', path.slice('/wp-json'.length)));
      for (const answer of answers) {
        assert.notEqual(answer.status, 500, path);
        if (answer.status === 200 && answer.text.includes('Leaky')) seen++;
        for (const secret of path.includes(closed.slug) ? secrets : [...secrets, closed.slug]) {
          assert.equal(answer.text.includes(secret), false, `${path} shows ${secret}`);
        }
      }
    }
    assert.ok(seen > 20, `the public registry itself was seen ${seen} times: the search did look somewhere`);
    assert.equal((await nobody(`/wp-json/oembed/1.0/embed?url=${encoded(closed.link)}`)).status, 404);
    assert.equal((await nobody(`/wp-json/oembed/1.0/embed?url=${encoded(open.link)}`)).status, 200);
  });

  test('no page shows a guest who else is invited, and no text promises more than that', async () => {
    const guests = '["bob", "grandmother@family.test", "carol"]';
    const { id, link } = await create('alice', {
      title: 'Ours',
      status: 'private',
      meta: { registry_invitees: guests },
    });
    const bob = await visit(site, site.users.bob);
    for (const path of [
      link,
      '/registry/',
      `/?registry=${id}`,
      '/wp-admin/edit.php?post_type=registry',
      '/',
    ]) {
      const first = await bob(path);
      const { text } = first.status === 301 ? await bob(first.headers.get('location')!) : first;
      assert.doesNotMatch(text, /grandmother|carol/i, path);
    }
    const asked = await rest(site, site.users.bob, 'GET', `/wp/v2/registry/${id}?context=edit`);
    assert.equal(
      asked.json.meta.registry_invitees,
      guests.replaceAll(' ', ''),
      'by the API guests read the list',
    );
    const words = ['../readme.txt', '../../theme/readme.txt', '../../theme/patterns/how-it-works.php'].map(
      (file) => readFileSync(join(import.meta.dirname, file), 'utf8'),
    );
    assert.doesNotMatch(words.join(), /nobody (else )?(sees|knows|can see)|seen by nobody/i);
    assert.match(words[2]!, /Its page never shows who is invited/);
  });

  test('nobody passes for a guest invited by e-mail', async () => {
    const { bob, admin } = site.users;
    const { id } = await create('alice', {
      title: 'By address',
      status: 'private',
      meta: { registry_invitees: '["erin@example.test"]' },
    });
    const seen = () => rest(site, bob, 'GET', `/wp/v2/registry/${id}?context=edit`);
    for (const me of ['me', `${bob.id}`, 'ME']) {
      await rest(site, bob, 'POST', `/wp/v2/users/${me}`, { email: 'erin@example.test' });
      assert.equal((await seen()).status, 403, me);
    }
    const refused = await rest(site, bob, 'PATCH', '/wp/v2/users/me', { email: 'Erin@example.test' });
    assert.deepEqual([refused.status, refused.json.code], [403, 'trousseau_unconfirmed_address']);
    const same = await rest(site, bob, 'POST', '/wp/v2/users/me', {
      email: bob.email,
      description: 'Still Bob',
    });
    assert.equal(same.status, 200);

    await setOption(site, 'users_can_register', 1);
    const register = async (login: string, email: string) =>
      (
        await (
          await visit(site, null)
        )('/wp-login.php?action=register', { user_login: login, user_email: email })
      ).status;
    assert.equal(
      await register('erin@example.test', 'mallory@example.test'),
      200,
      'shown again, with the fault',
    );
    assert.equal(await site.call('username_exists', 'erin@example.test'), false);
    assert.equal(await register('frida@example.test', 'frida@example.test'), 302);
    assert.equal(await register('gustav', 'gustav@example.test'), 302);

    const changed = await rest(site, admin, 'POST', `/wp/v2/users/${bob.id}`, { email: 'erin@example.test' });
    assert.equal(changed.status, 200);
    assert.equal((await seen()).status, 200);
    await rest(site, admin, 'POST', `/wp/v2/users/${bob.id}`, { email: bob.email });
  });

  test('the meta keys stay out of custom fields', async () => {
    const { id } = await create('alice', { title: 'Fields', meta: { registry_invitees: '["bob"]' } });
    assert.equal(await site.call('is_protected_meta', 'registry_invitees', 'post'), true);
    assert.equal(await site.call('registries.shown_meta', id), '');
    const edit = (await (await visit(site, site.users.admin))(`/wp-admin/post.php?post=${id}&action=edit`))
      .text;
    assert.doesNotMatch(edit, /name="meta\[\d+\]\[key\]"[^>]*registry_invitees/);
  });

  test('no block of a newer WordPress shows what is stored with a registry', async () => {
    const bound = (key: string) =>
      `<!-- wp:paragraph {"metadata":{"bindings":{"content":{"source":"core/post-meta","args":{"key":"${key}"}}}}} --><p>unbound</p><!-- /wp:paragraph -->`;
    const { link } = await create('alice', {
      title: 'Bound',
      status: 'publish',
      content: ['registry_invitees', 'registry_item_ids', '_trousseau_guests'].map(bound).join(''),
      meta: { registry_invitees: '["grandmother@family.test"]', registry_item_ids: '[424242]' },
    });
    for (const user of [null, site.users.bob, site.users.alice]) {
      const { text } = await (await visit(site, user))(link);
      assert.match(text, /Bound/);
      assert.doesNotMatch(text, /grandmother|424242/);
    }
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});

// People's data by WordPress's own tools: taken along and erased for owners, guests and givers, forgotten in time, and what
// becomes of registries whose owner's account is deleted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import {
  type Call,
  deleteOption,
  deletePost,
  deletePostMeta,
  forgetValues,
  inSeconds,
  inTurn,
  invitees,
  keptRows,
  keptValue,
  option,
  personalData,
  post,
  postStatus,
  privacyPolicy,
  runJobs,
  setOption,
  setPostMeta,
  setUserMeta,
  storePost,
  waitingJobs,
} from '../../dev/wordpress/set-up.ts';
import { addUser, complaints, decoded, formWith, visit } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';

interface Entry {
  group_id: string;
  item_id: string;
  data: { name: string; value: string }[];
}

describe('people’s data', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  before(async () => {
    site = await startWholeSite({ muPlugins: ['recorder'] });
  });
  after(() => site?.stop());

  const client = ({ username, password }: Pick<WordPressUser, 'username' | 'password'>) =>
    createClient({ env: {}, baseUrl: site.service.url, username, password });
  const admin = () => client(site.users.admin);

  async function registry(owner: WordPressUser, title: string, meta = {}, gifts = ['Copper kettle']) {
    const made = (await client(owner).registries.create({ title, meta }))!;
    const items = [];
    for (const name of gifts)
      items.push(
        (await client(owner).registries.items.create(made.id, {
          name,
          url: 'https://shop.example/x',
          quantity_needed: 9,
        }))!.data,
      );
    return { id: made.id, items };
  }
  const give = async (
    { id, items }: Awaited<ReturnType<typeof registry>>,
    giver: { name: string; email?: string; user_id?: number },
  ) =>
    (await admin().registries.items.claims.create(id, items[0]!.id, {
      giver,
      state: 'purchased',
      message: `Love from ${giver.name}`,
    }))!.id;
  const givers = (...claims: string[]) =>
    Promise.all(claims.map(async (id) => (await admin().claims.get(id))!.giver.name));

  /** Runs every exporter or eraser page by page, as WordPress does. */
  const ask = (kind: 'exporter' | 'eraser', address: string, page = 1) =>
    personalData(site, kind, address, page);
  const exported = async (address: string) => {
    const { data, done } = (await ask('exporter', address)) as { data: Entry[]; done: boolean };
    assert.equal(done, true);
    const entries = data.map(({ group_id, data }) => ({
      group: group_id,
      ...Object.fromEntries(data.map(({ name, value }) => [name, value])),
    })) as Record<string, string>[];
    return {
      of: (group: string) => entries.filter((entry) => entry.group === `trousseau-${group}`),
      text: JSON.stringify(data),
    };
  };

  test('is taken along: an owner’s registries, a guest’s invitations, a giver’s gifts, with and without an account', async () => {
    const { alice, bob } = site.users;
    const list = await registry(
      alice,
      'Ann <3 Bob',
      {
        registry_event_date: '2027-06-12',
        registry_invitees: ['BOB', 'aunt@example.org', 'other@example.org'],
      },
      ['Copper kettle', 'Linen'],
    );
    await give(list, { name: 'Aunt May', email: 'Aunt@Example.org' });
    await give(list, { name: 'Bobby', user_id: bob.id });
    await give(list, { name: 'Bob', email: bob.email });
    await give(list, { name: 'Else', email: 'else@example.org' });

    const owner = await exported(alice.email);
    assert.deepEqual(owner.of('gifts'), []);
    const [own] = owner.of('registries');
    assert.deepEqual(
      [own!.Name, own!.Day, own!.Gifts],
      ['Ann &lt;3 Bob', '2027-06-12', 'Copper kettle<br />\nLinen'],
    );
    assert.match(own!.Guests!, /aunt@example\.org/);

    const guest = await exported('aunt@example.org');
    assert.deepEqual(guest.of('registries'), []);
    assert.deepEqual(
      guest.of('invitations').map((entry) => [entry.Registry, entry['Invited as']]),
      [['Ann &lt;3 Bob', 'aunt@example.org']],
    );
    assert.deepEqual(
      guest.of('gifts').map((entry) => [entry.Gift, entry['Your name'], entry['A message'], entry.State]),
      [['Copper kettle', 'Aunt May', 'Love from Aunt May', 'bought']],
    );
    for (const others of ['Bobby', 'other@', 'else@', 'Linen'])
      assert.ok(!guest.text.includes(others), others);

    const member = await exported(bob.email);
    assert.deepEqual(
      member
        .of('gifts')
        .map((entry) => entry['Your name'])
        .sort(),
      ['Bob', 'Bobby'],
      'also what has only the number of the account',
    );
    assert.equal(member.of('invitations')[0]!['Invited as'], 'bob');
    assert.equal((await exported('nobody@example.org')).text, '[]');
  });

  test('does not tell a surprised owner that somebody typed their address', async () => {
    const { carol } = site.users;
    const list = await registry(carol, 'Hush', { registry_surprise_until: 'always' });
    await give(list, { name: 'Prankster', email: carol.email });
    const { of, text } = await exported(carol.email);
    assert.equal(of('registries').length, 1);
    assert.doesNotMatch(text, /Prankster/);
  });

  test('comes in pages', async () => {
    const list = await registry(site.users.alice, 'Many gifts', {}, ['Spoon']);
    await admin().items.update(list.items[0]!.id, { quantity_needed: 500 });
    for (let n = 0; n < 101; n++) await give(list, { name: `Gift ${n}`, email: 'many@example.org' });
    const first = await ask('exporter', 'many@example.org');
    assert.deepEqual([first.data.length, first.done], [100, false]);
    const second = await ask('exporter', 'many@example.org', 2);
    assert.deepEqual([second.data.length, second.done], [1, true]);
    assert.equal((await ask('eraser', 'many@example.org')).items_removed, true);
    assert.deepEqual((await ask('exporter', 'many@example.org')).data, []);
  });

  test('is erased everywhere, and nobody else’s with it', async () => {
    const { alice } = site.users;
    const dora = await addUser(site, 'dora', 'subscriber');
    const list = await registry(alice, 'Big day', {
      registry_invitees: ['dora', 'DORA@example.test', 'eve@example.org'],
    });
    const own = await registry(dora, 'Dora’s own');
    const claims = await Promise.all([
      give(list, { name: 'By mail', email: dora.email }),
      give(list, { name: 'By account', user_id: dora.id }),
      give(list, { name: 'Eve', email: 'eve@example.org' }),
      give(own, { name: 'Fay', email: 'fay@example.org' }),
    ]);
    for (const to of ['dora@example.test', 'eve@example.org'])
      await site.call('send_mail', to, 'my-gifts', { link: site.url }, inSeconds(86_400));
    const draft = 'a'.repeat(32);
    await setUserMeta(site, dora.id, '_trousseau_draft', draft);
    await site.call('keep_value', `draft_${draft}`, 'begun');
    const mails = () => waitingJobs(site, 'mail');
    const waiting = await mails();

    const erased = await ask('eraser', dora.email);
    assert.deepEqual(
      [erased.items_removed, erased.items_retained, erased.done, erased.messages.length],
      [true, false, true, 1],
    );
    assert.match(erased.messages[0], /^1 registry of theirs was moved to the trash/);
    assert.deepEqual(await givers(...claims), ['', '', 'Eve', 'Fay']);
    assert.deepEqual(
      [
        await invitees(site, list.id),
        await postStatus(site, own.id),
        await keptValue(site, `draft_${draft}`),
        await site.call('get_user_meta', dora.id, '_trousseau_draft', true),
      ],
      [['eve@example.org'], 'trash', null, ''],
    );
    assert.equal(await mails(), waiting, 'Dora’s is gone, and Fay hears that the list was deleted');
    assert.equal(
      (await admin().registries.items.list(list.id))![0]!.quantity_purchased,
      3,
      'the numbers stay',
    );
    assert.deepEqual((await ask('exporter', dora.email)).data, []);
    const again = await ask('eraser', dora.email);
    assert.deepEqual([again.items_removed, again.messages], [false, []]);
  });

  test('is never half erased: without the service it says so', async () => {
    await setOption(site, 'trousseau_base_url', 'http://127.0.0.1:9');
    try {
      for (const kind of ['exporter', 'eraser'] as const)
        assert.match((await ask(kind, site.users.alice.email)).error, /Try again once it answers/);
    } finally {
      await setOption(site, 'trousseau_base_url', site.service.url);
    }
    assert.ok((await exported(site.users.alice.email)).of('registries').length > 0);
  });

  test('a policy is suggested with the months that are set', async () => {
    const text = () => privacyPolicy(site);
    assert.match(await text(), /erased 12 months after the event/);
    await setOption(site, 'trousseau_keep_givers', '0');
    assert.match(await text(), /kept until you ask us to erase them/);
    await deleteOption(site, 'trousseau_keep_givers');
  });

  test('the months are a setting', async () => {
    const keeper = await visit(site, site.users.admin);
    const page = '/wp-admin/options-general.php?page=trousseau';
    const html = (await keeper(page)).text;
    assert.match(
      html,
      /id="trousseau_keep_givers" name="trousseau_keep_givers" value="12" min="0" max="120"/,
    );
    const { _wpnonce } = formWith(html, 'option_page')!;
    for (const [typed, stored] of [
      ['6', '6'],
      ['-3', '0'],
      ['', '12'],
      ['9999', '120'],
      ['x', '12'],
    ] as const) {
      await keeper('/wp-admin/options.php', {
        option_page: 'trousseau',
        action: 'update',
        _wpnonce: _wpnonce!,
        trousseau_base_url: site.service.url,
        trousseau_username: 'admin',
        trousseau_keep_givers: typed,
      });
      const shown = formWith((await keeper(page)).text, 'option_page')!.trousseau_keep_givers;
      assert.equal(shown, stored, typed);
    }
    await deleteOption(site, 'trousseau_keep_givers');
  });

  describe('in time', () => {
    /** The time when a whole round ended last. */
    const round = async () => {
      await runJobs(site, 'retention');
      return Number((await keptValue(site, 'forgotten_at')) ?? 0);
    };
    /** Makes a registry an old one that no round has looked at. */
    const old = async (id: number, day: string) => {
      await storePost(site, id, { post_date_gmt: '2020-01-01 00:00:00' });
      await setPostMeta(site, id, { registry_event_date: day });
      await deletePostMeta(site, id, '_trousseau_givers_forgotten');
    };
    const roundAsking = async (): Promise<string[]> => {
      await setOption(site, 'test_asked', []);
      await runJobs(site, 'retention');
      return option(site, 'test_asked');
    };

    test('only registries whose day is long over are looked at, each once a month', async () => {
      const { alice } = site.users;
      const [over, coming, endless] = [
        await registry(alice, 'Over'),
        await registry(alice, 'To come'),
        await registry(alice, 'Without a day'),
      ];
      await old(over.id, '2020-06-12');
      await old(coming.id, '2999-06-12');
      await old(endless.id, '');
      const year = Math.round((Date.now() - new Date().setMonth(new Date().getMonth() - 12)) / 1000);
      const requests = await roundAsking();
      const numbers = requests.map((path) => Number(/registry_id=(\d+)/.exec(path)![1])).sort();
      assert.deepEqual(numbers, [over.id, endless.id].sort());
      for (const path of requests)
        assert.ok(Math.abs(Number(/unchanged_for=(\d+)/.exec(path)![1]) - year) < 3 * 86_400, path);
      assert.deepEqual(await roundAsking(), [], 'looked at already');
      await setPostMeta(site, over.id, { _trousseau_givers_forgotten: String(inSeconds(-31 * 86_400)) });
      assert.equal((await roundAsking()).length, 1);
    });

    test('givers of a deleted registry are forgotten as long after its deletion', async () => {
      const list = await registry(site.users.alice, 'Deleted');
      const other = await registry(site.users.alice, 'Beside it');
      const [gone, stays] = [
        await give(list, { name: 'Gone', email: 'g@example.org' }),
        await give(other, { name: 'Stays', email: 's@example.org' }),
      ];
      await deletePost(site, list.id);
      await round();
      assert.deepEqual(await givers(gone, stays), ['Gone', 'Stays']);
      await site.call('keep_value', `gone_${list.id}`, String(inSeconds(-367 * 86_400)));
      await round();
      assert.deepEqual(await givers(gone, stays), ['', 'Stays']);
      assert.equal(await keptValue(site, `gone_${list.id}`), null);
    });

    test('a run forgets more than one batch of givers; nothing is lost where the service is away', async () => {
      const gone = Array.from({ length: 25 }, (_, n) => `gone_${900_000 + n}`);
      await inTurn(site, ...gone.map((name): Call => ['keep_value', name, '1']));
      await forgetValues(site, 'forgotten_at');
      await setOption(site, 'trousseau_base_url', 'http://127.0.0.1:9');
      const left = async () => (await keptRows(site, 'gone_9000')).length;
      assert.equal(await round(), 0);
      assert.equal(await left(), 25);
      await setOption(site, 'trousseau_base_url', site.service.url);
      const before = inSeconds(0);
      assert.ok((await round()) >= before);
      assert.equal(await left(), 0);
    });
  });

  describe('an owner’s account', () => {
    /** Deletes an account on WordPress's own screen, as an administrator does. */
    async function deleteAccount(user: WordPressUser, heir?: WordPressUser): Promise<string> {
      const keeper = await visit(site, site.users.admin);
      const page = await keeper(`/wp-admin/users.php?action=delete&user=${user.id}`);
      // The link to this screen carries a nonce of its own.
      const list = (await keeper('/wp-admin/users.php')).text;
      const link = new RegExp(
        `users\\.php\\?action=delete&#?\\w*;user=${user.id}&#?\\w*;_wpnonce=(\\w+)`,
      ).exec(list);
      const ask = link
        ? await keeper(`/wp-admin/users.php?action=delete&user=${user.id}&_wpnonce=${link[1]}`)
        : page;
      const nonce = /name="_wpnonce" value="([^"]+)"/.exec(ask.text)?.[1];
      assert.ok(nonce, ask.text.slice(0, 2000));
      // Newer WordPresses have a field for each account: `delete_option[7]`.
      const field = (name: string) => new RegExp(`name=["'](${name}[^"']*)`).exec(ask.text)?.[1] ?? name;
      const answer = await keeper('/wp-admin/users.php', {
        _wpnonce: nonce,
        action: 'dodelete',
        'users[]': String(user.id),
        [field('delete_option')]: heir ? 'reassign' : 'delete',
        [field('reassign_user')]: String(heir?.id ?? ''),
      });
      assert.equal(answer.status, 302, answer.text);
      assert.match(answer.headers.get('location')!, /update=del/);
      return decoded(ask.text);
    }

    test('takes registries with it, where that is asked: items go, and what was reserved is free', async () => {
      const gil = await addUser(site, 'gil', 'subscriber');
      const lists = [await registry(gil, 'Gil & Guy'), await registry(gil, 'Second')];
      const claim = await give(lists[0]!, { name: 'Aunt', email: 'aunt@example.org' });
      const screen = await deleteAccount(gil);
      assert.match(screen, /Among the content are gift registries: (Gil & Guy, Second|Second, Gil & Guy)\./);
      for (const { id, items } of lists) {
        assert.equal(await post(site, id), null);
        for (let tries = 0; (await admin().items.get(items[0]!.id)) !== null; tries++)
          assert.ok(tries < 200, 'the service learns of it');
      }
      assert.equal((await admin().claims.get(claim))!.state, 'released');
    });

    test('hands them on, where that is asked: nothing is lost, and the new owner may do everything', async () => {
      const hal = await addUser(site, 'hal', 'subscriber');
      const ida = await addUser(site, 'ida', 'subscriber');
      const list = await registry(hal, 'Hal’s', { registry_invitees: ['bob'] });
      const claim = await give(list, { name: 'Aunt', email: 'aunt@example.org' });
      await assert.rejects(client(ida).registries.get(list.id), { data: { status: 403 } });
      await deleteAccount(hal, ida);
      const { user_id, meta } = (await client(ida).registries.get(list.id))!;
      assert.deepEqual([user_id, meta.registry_invitees], [ida.id, ['bob']]);
      await client(ida).registries.items.create(list.id, { name: 'More', url: 'https://shop.example/more' });
      assert.equal((await client(ida).registries.items.list(list.id))!.length, 2);
      const { claims } = (await client(ida).registries.claims.list(list.id))!;
      assert.deepEqual(
        claims.map(({ id, state }) => [id, state]),
        [[claim, 'purchased']],
      );
      assert.equal((await client(site.users.bob).registries.get(list.id))!.id, list.id);
    });

    test('without registries is deleted without a word about them', async () => {
      const jan = await addUser(site, 'jan', 'subscriber');
      assert.doesNotMatch(await deleteAccount(jan), /Among the content are gift registries/);
    });
  });

  test('PHP logged no complaint', () => assert.deepEqual(complaints(site), []));
});

// Several owners of one registry on a real WordPress with the service: screens, forms, and a surprise for all of them. OwnersTest.php has their rights.
// @again wordpress

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { basic, decoded, fieldsOf, formWith, type Visitor } from '../../dev/wordpress/site.ts';

type Name = 'admin' | 'alice' | 'bob' | 'carol';
type Meta = Record<string, string>;

describeSite('owners', {}, (site) => {
  const ask = (as: Name | null, method: string, path: string, body?: unknown) =>
    site.rest(as && site.users[as], method, `/wp/v2/registry${path}`, body);
  async function registry(meta: Meta = {}, status = 'private', as: Name = 'alice') {
    const made = await ask(as, 'POST', '', { title: 'Us', status, meta });
    assert.equal(made.status, 201, made.text);
    return made.json as { id: number; link: string };
  }
  const owners = (...names: string[]) => ({ registry_owners: JSON.stringify(names) });
  const ownersOf = async (id: number): Promise<string[]> =>
    JSON.parse(await site.postMeta(id, 'registry_owners'));
  const as = (name: Name) => site.client(name);
  const gift = async (id: number, fields: object = {}) =>
    (await as('alice').registries.items.create(id, {
      ...{ name: 'Glasses', url: 'https://shop.example/glasses', ...fields },
    }))!.data.id;

  test('a co-owner takes only themselves off the list, by whatever way', async () => {
    const { id } = await registry(owners('bob', site.users.carol.email));
    const set = (meta: object, who: Name = 'bob') => ask(who, 'POST', `/${id}`, { meta });
    for (const names of [
      [],
      ['bob'],
      [site.users.carol.email, 'bob'],
      ['bob', site.users.carol.email, 'admin'],
    ]) {
      const refused = await set(owners(...names));
      assert.deepEqual([refused.status, refused.json.code], [403, 'trousseau_cannot_change_owners']);
    }
    assert.equal((await set({ registry_owners: null })).status, 403);
    // The way of older programs.
    const fields = [
      ...['1', 'bob', site.users.bob.login].map(
        (text) => `<param><value><string>${text}</string></value></param>`,
      ),
      `<param><value><int>${id}</int></value></param>`,
      `<param><value><struct><member><name>post_status</name><value><string>trash</string></value></member><member>
       <name>custom_fields</name><value><array><data><value><struct><member><name>key</name><value><string>registry_owners</string>
       </value></member><member><name>value</name><value><string>["bob"]</string></value></member></struct></value></data></array>
       </value></member></struct></value></param>`,
    ].join('');
    const headers = { 'content-type': 'text/xml' };
    const body = `<methodCall><methodName>wp.editPost</methodName><params>${fields}</params></methodCall>`;
    const answer = await fetch(`${site.url}/xmlrpc.php`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    assert.equal(await site.postStatus(id), 'private');
    assert.deepEqual(await ownersOf(id), ['bob', site.users.carol.email]);
    assert.equal((await set(owners('Bob', site.users.carol.email))).status, 200);
    assert.equal((await set(owners(site.users.carol.email))).status, 200);
    assert.equal((await set({ registry_event_type: 'mine' })).status, 403);
    assert.equal((await set(owners('bob'), 'admin')).status, 200);
    assert.equal((await set(owners(), 'alice')).status, 200);
  });

  test('WordPress’s own screens let a co-owner edit and keep the author', async () => {
    const { id } = await registry(owners('bob'));
    const bob = await site.visit('bob');
    const page = await bob(`/wp-admin/post.php?post=${id}&action=edit&classic-editor`);
    assert.equal(page.status, 200, page.text.slice(0, 300));
    const screen = (await bob('/wp-admin/edit.php?post_type=registry')).text;
    assert.doesNotMatch(screen, new RegExp(`post=${id}&amp;action=trash`));
    const nonce = formWith(screen, 'inline-edit') ?? {};
    const inline = /name="_inline_edit" value="(\w+)"/.exec(screen)?.[1] ?? nonce._inline_edit;
    assert.ok(inline);
    for (const also of [
      {},
      { post_author: `${site.users.alice.id}` },
      { post_author: `${site.users.bob.id}` },
      { post_author_override: `${site.users.bob.id}` },
    ]) {
      const title = `Renamed with ${Object.entries(also).join() || 'nothing'}`;
      const answer = await bob('/wp-admin/admin-ajax.php', {
        ...{ action: 'inline-save', post_ID: `${id}`, post_type: 'registry', _inline_edit: inline },
        ...{
          post_title: title,
          post_name: 'us',
          _status: 'private',
          post_view: 'list',
          screen: 'edit-registry',
        },
        ...also,
      });
      assert.equal(answer.status, 200);
      const stored = await site.post(id);
      assert.equal(stored.post_title, title);
      assert.equal(Number(stored.post_author), site.users.alice.id);
    }
    assert.notEqual((await bob(`/wp-admin/post.php?post=${id}&action=trash`)).status, 302);
    assert.equal(await site.postStatus(id), 'private');
    const details = `/registries/${id}/details/`;
    assert.equal(fieldsOf((await bob(details)).text, 'delete'), undefined);
    assert.match(
      (await bob(details, { do: 'delete', sure: '1' })).text,
      /Only the first owner can delete this list/,
    );
    assert.equal(await site.postStatus(id), 'private');
    const alice = await site.visit('alice');
    assert.ok(fieldsOf((await alice(details)).text, 'delete'));
    assert.equal((await alice(details, { do: 'delete', sure: '1' })).status, 303);
    assert.equal(await site.postStatus(id), false);
  });

  test('a co-owner’s rights end at once when they are taken off', async () => {
    const { id, link } = await registry(owners('bob'));
    const item = await gift(id);
    const bob = await site.visit('bob');
    const places = ['gifts', 'guests', 'given', 'details'].map((name) => `/registries/${id}/${name}/`);
    assert.equal((await bob(new URL(link).pathname)).status, 200);
    for (const place of places) assert.equal((await bob(place)).status, 200, place);
    assert.equal((await as('bob').items.get(item))!.name, 'Glasses');
    assert.equal(
      (await as('bob').registries.list())!.some((one) => one.id === id),
      true,
    );
    await as('alice').registries.update(id, { meta: { registry_owners: [] } });
    for (const place of places) assert.equal((await bob(place)).status, 404, place);
    assert.equal((await bob(new URL(link).pathname)).status, 404);
    assert.equal((await ask('bob', 'GET', `/${id}?context=edit`)).status, 403);
    const put = await fetch(`${site.service.url}/items/${item}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: basic(site.users.bob) },
      body: '{"name":"Mine"}',
    });
    assert.equal(put.status, 403);
    assert.equal(
      (await as('bob').registries.list())!.some((one) => one.id === id),
      false,
    );
    assert.doesNotMatch((await bob('/registries/mine/')).text, new RegExp(`/registries/${id}/`));
  });

  for (const keeps of ['all', 'names'])
    test(`all owners see the same of a surprise that hides ${keeps}`, async () => {
      const { id, link } = await registry(
        {
          ...owners('bob'),
          ...{
            registry_surprise_until: 'always',
            registry_surprise_keeps: keeps,
            registry_invitees: '["carol"]',
          },
        },
        'publish',
      );
      const item = await gift(id, { quantity_needed: 5 });
      const places = [
        new URL(link).pathname,
        ...['gifts', 'guests', 'given', 'details'].map((name) => `/registries/${id}/${name}/`),
        ...['/registries/mine/', '/registries/my-gifts/', `/registries/${id}/give/?item=${item}`],
        `/registries/${id}/gifts/?item=${item}`,
      ];
      const people: Visitor[] = [await site.visit('alice'), await site.visit('bob')];
      const seen = async () => {
        const pages: string[] = [];
        for (const who of people)
          for (const place of places) {
            const { status, text } = await who(place);
            // A form has a key, a time and a name of its own each time.
            const same = text.replace(/(name="(key|since|sent)"|nonce"|"nonce":) ?(value=)?"[^"]*"/g, '');
            pages.push(
              `${place} ${status} ${same.replace(/(name="opened" value=")\d+ [0-9a-f]{12}/g, '$1')}`,
            );
          }
        return pages;
      };
      const before = await seen();
      assert.deepEqual(await seen(), before);
      /** Waits for a page that counts three as needed, or does no longer; the service tells the site a moment later. */
      const threeNeeded = (isSo: boolean) =>
        until('the page counts', async () => {
          const { text } = await people[0]!(places[0]!);
          return keeps === 'all' || text.includes('3 needed') === isSo;
        });
      const claim = async (quantity: number, message: string, giver: object) => {
        const made = await fetch(`${site.service.url}/registries/${id}/items/${item}/claims`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: basic(site.users.admin) },
          body: JSON.stringify({ quantity, message, giver }),
        });
        assert.equal(made.status, 201);
        await site.inTurn(['wp_set_current_user', 0], ['run_jobs', 'digest']);
        return ((await made.json()) as { id: string }).id;
      };
      // Somebody typed an owner's own address.
      const first = await claim(2, 'Soup', { name: 'Bob', email: site.users.bob.email.toUpperCase() });
      await threeNeeded(true);
      const after = await seen();
      if (keeps === 'all') assert.deepEqual(after, before);
      else {
        assert.match(after[0]!, /3 needed/);
        assert.match(after[places.length]!, /3 needed/);
      }
      for (const page of after) assert.doesNotMatch(page.replace(/<(script|style).*?<\/\1>/gs, ''), /Soup/);
      const release = (claimId: string) =>
        fetch(`${site.service.url}/claims/${claimId}`, {
          method: 'DELETE',
          headers: { authorization: basic(site.users.admin) },
        });
      assert.equal((await release(first)).status, 204);
      await threeNeeded(false);
      await claim(1, 'Other', { name: 'Carol', user_id: site.users.carol.id, email: site.users.carol.email });
      await claim(1, 'Words', { name: 'Bob', user_id: site.users.bob.id, email: site.users.bob.email });
      await threeNeeded(true);
      assert.deepEqual(await seen(), after, 'others give the same number');
      for (const name of ['alice', 'bob'] as const) {
        const seenBy = await as(name).registries.items.list(id);
        assert.equal(seenBy![0]!.quantity_purchased, keeps === 'names' ? 2 : 0, name);
      }
      const mails = await site.mails();
      const told = mails.filter(
        ({ to }) => to.includes(site.users.bob.email) || to.includes(site.users.alice.email),
      );
      assert.deepEqual(told, []);
    });

  test('every owner gets the day’s mail', async () => {
    await site.mails();
    const { id } = await registry({
      ...owners('bob', 'not-yet@example.test'),
      registry_invitees: '["carol"]',
    });
    const item = await gift(id);
    const carol = await site.visit('carol');
    const path = `/registries/${id}/give/?item=${item}`;
    const fields = formWith((await carol(path)).text, 'name="do" value="give"')!;
    assert.equal((await carol(path, fields)).status, 303);
    await site.inTurn(['run_jobs', 'digest'], ['run_jobs', 'mail']);
    const to = (await site.mails())
      .filter(({ subject }) => /was chosen/.test(subject))
      .flatMap((mail) => mail.to);
    assert.deepEqual(to.sort(), [site.users.alice.email, site.users.bob.email].sort());
  });

  test('a partner is added by a page, hears of it by mail, changes the surprise and leaves', async () => {
    await site.mails();
    const { id } = await registry({ registry_event_date: '2035-05-30' });
    const people = `/registries/${id}/people/`;
    const alice = await site.visit('alice');
    const send = async (who: Visitor, fields: Record<string, string>) => {
      const answer = await who(people, fields);
      assert.equal(answer.status, 303, answer.text);
      return (await who(new URL(answer.headers.get('location')!).pathname)).text;
    };
    const faulty = await alice(people, {
      ...fieldsOf((await alice(people)).text, 'add'),
      person: 'nobody-here',
    });
    assert.equal(faulty.status, 422);
    assert.match(decoded(faulty.text), /Enter an email for \W?nobody-here\W?, who has no account here/);
    assert.match(faulty.text, /checked='checked'/, 'the choice below stays');
    assert.match(decoded(faulty.text), /<strong>alice<\/strong> <small>you · can delete the list/);
    assert.match(await send(alice, { do: 'add', person: 'bob' }), /bob<\/strong>/);
    await send(alice, { do: 'add', person: 'sam@example.org' });
    assert.deepEqual(await ownersOf(id), ['bob', 'sam@example.org']);
    const mails = (await site.mails()).filter(({ subject }) => /“Us” is your list, too/.test(subject));
    assert.deepEqual(mails.flatMap(({ to }) => to).sort(), [site.users.bob.email, 'sam@example.org'].sort());
    assert.match(
      mails.find(({ to }) => to.includes('sam@example.org'))!.text,
      /with this email, sam@example\.org/,
    );
    const bob = await site.visit('bob');
    const seen = (await bob(people)).text;
    assert.equal(fieldsOf(seen, 'add'), undefined);
    assert.equal(fieldsOf(seen, 'remove'), undefined);
    for (const denied of [
      { do: 'add', person: 'carol' },
      { do: 'remove', person: 'sam@example.org' },
    ])
      await bob(people, denied);
    assert.deepEqual(await ownersOf(id), ['bob', 'sam@example.org']);
    for (const [surprise, until, keeps] of [
      ['names', '2035-05-31', 'names'],
      ['all', '2035-05-31', 'all'],
      ['no', '', 'all'],
    ] as const) {
      await send(bob, { do: 'surprise', surprise, end_surprise: until || 'end' });
      assert.equal((await bob.form(people, 'surprise')).surprise, surprise);
      assert.equal(await site.postMeta(id, 'registry_surprise_until'), until);
      assert.equal(await site.postMeta(id, 'registry_surprise_keeps'), keeps);
    }
    assert.match(await send(bob, { do: 'leave' }), /You have left the list/);
    assert.deepEqual(await ownersOf(id), ['sam@example.org']);
    await send(alice, { do: 'remove', person: 'sam@example.org' });
    assert.deepEqual(await ownersOf(id), []);
  });

  test('the list is given to a partner, who takes it', async () => {
    await site.mails();
    const listed = owners('bob', site.users.carol.email, 'sam@example.org');
    const { id } = await registry({ ...listed, registry_pay_to: 'Alice, at home' });
    const people = `/registries/${id}/people/`;
    const [alice, bob, carol] = await Promise.all([
      site.visit('alice'),
      site.visit('bob'),
      site.visit('carol'),
    ]);
    const send = async (who: Visitor, fields: Record<string, string>) => {
      const answer = await who(people, fields);
      assert.equal(answer.status, 303, answer.text);
      return (await who(new URL(answer.headers.get('location')!).pathname)).text;
    };
    const author = async () => Number((await site.post(id)).post_author);
    const before = (await alice(people)).text;
    assert.equal(before.match(/name="do" value="offer"/g)?.length, 2, 'not to somebody without an account');

    await send(alice, { do: 'offer', person: 'sam@example.org' });
    await send(alice, { do: 'offer', person: 'admin' });
    assert.doesNotMatch((await alice(people)).text, /We’ve (asked|emailed)/);
    await send(bob, { do: 'offer', person: 'bob' });
    assert.match(
      await send(bob, { do: 'take' }),
      /You’re no longer being asked to take over this list/,
      'nobody has offered it',
    );

    assert.match(await send(alice, { do: 'offer', person: 'bob' }), /We’ve emailed bob/);
    const asked = (await site.mails()).filter(({ subject }) =>
      /wants to hand over the list “Us” to you/.test(subject),
    );
    assert.deepEqual(
      asked.flatMap(({ to }) => to),
      [site.users.bob.email],
    );
    assert.ok(asked[0]!.text.includes(people));
    assert.match((await bob(`/registries/${id}/gifts/`)).text, /Someone wants to hand this list over to you/);
    assert.doesNotMatch(
      (await carol(`/registries/${id}/gifts/`)).text,
      /Someone wants to hand this list over to you/,
    );
    assert.match(await send(carol, { do: 'take' }), /You’re no longer being asked to take over this list/);
    await send(carol, { do: 'end-offer' });
    assert.match((await bob(people)).text, /alice wants to hand this list over to you/);

    assert.match(await send(bob, { do: 'end-offer' }), /You declined\. Nothing has changed/);
    assert.match(await send(bob, { do: 'take' }), /You’re no longer being asked to take over this list/);
    await send(alice, { do: 'offer', person: 'bob' });
    assert.match(await send(alice, { do: 'end-offer' }), /The list stays yours/);
    assert.match(await send(bob, { do: 'take' }), /You’re no longer being asked to take over this list/);
    await send(alice, { do: 'offer', person: 'bob' });
    await send(alice, { do: 'remove', person: 'bob' });
    assert.equal((await bob(people, { do: 'take' })).status, 404, 'no owner any more');
    assert.equal(await author(), site.users.alice.id);

    await send(alice, { do: 'add', person: 'bob' });
    assert.match(
      await send(bob, { do: 'take' }),
      /You’re no longer being asked to take over this list/,
      'the former offer is over',
    );
    await send(alice, { do: 'offer', person: 'bob' });
    await send(alice, { do: 'offer', person: site.users.carol.email });
    assert.match(
      await send(carol, { do: 'take' }),
      /You’re no longer being asked to take over this list/,
      'one is asked at a time',
    );
    await Promise.all([bob(people, { do: 'take' }), bob(people, { do: 'take' })]);
    assert.equal(await author(), site.users.bob.id);
    const taken = (await bob(people)).text;
    assert.match(taken, /The list is yours now\. Shares still go to “\S*Alice, at home/);
    assert.deepEqual(await ownersOf(id), [site.users.carol.email, 'sam@example.org', 'alice']);
    const told = (await site.mails()).filter(({ subject }) =>
      /bob has taken over the list “Us”/.test(subject),
    );
    assert.deepEqual(
      told.flatMap(({ to }) => to),
      [site.users.alice.email],
    );
    assert.equal((await site.post(id)).post_status, 'private');
    assert.equal(fieldsOf((await alice(people)).text, 'add'), undefined, 'only the new owner adds people');
    assert.ok(fieldsOf((await bob(people)).text, 'add'));
    assert.equal((await ask('alice', 'DELETE', `/${id}`)).status, 403);
    assert.equal((await as('bob').registries.get(id))!.user_id, site.users.bob.id);
    await gift(id, { name: 'Bowl' });
    assert.match((await alice(`/registries/${id}/gifts/`)).text, /Bowl/);
  });
});

import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce } from './kit.ts';

// A site may refuse unknown user names, so invented people have addresses.
const at = (name: string) => `${name}@guests.invalid`;
const names = (count: number) => Array.from({ length: count }, (_, n) => `guest${n}@example.test`);

/** Makes a registry without invitees, and functions for requests about them. */
async function invitationsOf(world: World) {
  const { id } = await world.registry({ meta: { registry_invitees: [] } });
  const path = `/registries/${id}/invitees`;
  return {
    id,
    path,
    add: (...invitees: unknown[]) => world.call('owner', `POST ${path}`, { invitees }),
    remove: (encoded: string) => world.call('owner', `DELETE ${path}/${encoded}`),
    list: async (): Promise<string[]> => {
      const { invitees } = ok(200, await world.call('owner', `GET ${path}`));
      const { meta } = ok(200, await world.call('owner', `GET /registries/${id}`));
      assert.deepEqual(meta.registry_invitees, invitees, 'both tell the same');
      return invitees;
    },
  };
}

export const invitees = [
  ...section('registries.md#invitees', {
    'invitees-are-added-read-and-removed': async (world) => {
      const { username } = world.people.guest;
      const { path, add, remove, list } = await invitationsOf(world);
      const aunt = 'aunt@example.test';
      assert.deepEqual(ok(200, await add(username, aunt)), { invitees: [username, aunt] });
      assert.deepEqual(ok(200, await remove(encodeURIComponent(username))), { invitees: [aunt] });
      assert.deepEqual(await list(), [aunt]);
      const mine = await world.call('administrator', `GET ${path}`);
      assert.deepEqual(ok(200, mine), { invitees: [aunt] });
    },

    'invitation-counts-at-once-and-so-does-its-end': async (world) => {
      const { username, email } = world.people.guest;
      const { id, path, add } = await invitationsOf(world);
      const reads = async () => (await world.call('guest', `GET /registries/${id}/items`)).status;
      assert.equal(await reads(), 403);
      await add(email.toUpperCase());
      assert.equal(await reads(), 200);
      ok(200, await world.call('owner', `DELETE ${path}/${encodeURIComponent(email.toLowerCase())}`));
      assert.equal(await reads(), 403);
      const invite = async (registry_invitees: string[]) =>
        ok(200, await world.call('owner', `PATCH /registries/${id}`, { meta: { registry_invitees } }));
      await invite([username]);
      assert.equal(await reads(), 200);
      await invite([]);
      assert.equal(await reads(), 403);
    },

    'invitees-are-kept-in-order-trimmed-as-given-and-once': async (world) => {
      const { add, list } = await invitationsOf(world);
      const { username } = world.people.guest;
      const [given, upper] = [username, username.toUpperCase()];
      assert.deepEqual(await list(), []);
      const three = [given, 'Aunt@Example.Test', at('carol')];
      const steps: [string[], string[]][] = [
        [[given], [given]],
        [['  Aunt@Example.Test\t', at('carol')], three],
        [[given, `${upper} `, 'AUNT@example.test', at('Carol')], three],
        [[], three],
        [['dora', 'Dora', 'DORA'].map(at), [...three, at('dora')]],
      ];
      for (const [added, expected] of steps) {
        assert.deepEqual(ok(200, await add(...added)), { invitees: expected });
        assert.deepEqual(await list(), expected);
      }
    },

    'invitees-are-replaced-by-sending-the-list-with-the-registry': async (world) => {
      const { id, add, list } = await invitationsOf(world);
      await add(at('bob'), at('carol'));
      const send = async (registry_invitees: string[]) =>
        ok(200, await world.call('owner', `PATCH /registries/${id}`, { meta: { registry_invitees } })).meta;
      const { registry_invitees } = await send([` ${at('Dora')} `, at('dora'), at('bob')]);
      assert.deepEqual(registry_invitees, [at('Dora'), at('bob')]);
      assert.deepEqual(await list(), registry_invitees);
      await send([]);
      assert.deepEqual(await list(), []);
    },

    'invitees-refuse-what-is-no-name-and-no-address': async (world) => {
      const { path, add, list } = await invitationsOf(world);
      await add(at('bob'));
      const bad = [
        ...['', ' ', '\u00a0', 'a'.repeat(255), '😀'.repeat(255)],
        ...[5, null, ['x'], {}, 'a\0b', '\ud800'],
      ];
      for (const one of bad) assert.match(ok(422, await add(at('dora'), one)).detail, /^invitees[.:]/);
      const noLists = [null, at('dora'), { 0: at('dora') }].map((invitees) => ({ invitees }));
      for (const body of [{}, ...noLists, [at('dora')]])
        ok(422, await world.call('owner', `POST ${path}`, body));
      assert.deepEqual(await list(), [at('bob')]);
    },

    'invitees-are-at-most-a-thousand': async (world) => {
      const { add, list } = await invitationsOf(world);
      ok(200, await add(...names(999)));
      assert.equal(ok(200, await add(at('last'), 'guest0@example.test')).invitees.length, 1000);
      assert.match(ok(422, await add(at('one-too-many'))).detail, /^invitees: .*1000/);
      ok(200, await add(...names(999)));
      ok(422, await add(...names(1001)));
      assert.equal((await list()).length, 1000);
    },

    'invitees-are-removed-without-regard-to-case': async (world) => {
      const { add, remove, list } = await invitationsOf(world);
      const { username } = world.people.guest;
      const three = [username, 'Aunt@Example.Test', at('carol')];
      await add(...three);
      const steps: [string, string[]][] = [
        ['nobody', three],
        [username.slice(0, -1), three],
        ['aunt@EXAMPLE.test', [username, at('carol')]],
        ['aunt@example.test', [username, at('carol')]],
        [username.toUpperCase(), [at('carol')]],
        [at('carol'), []],
        [at('carol'), []],
      ];
      for (const [removed, expected] of steps) {
        assert.deepEqual(ok(200, await remove(encodeURIComponent(removed))), { invitees: expected }, removed);
        assert.deepEqual(await list(), expected);
      }
    },

    'invitees-are-found-in-a-path-however-they-are-spelled': async (world) => {
      const { add, remove, list } = await invitationsOf(world);
      const odd = ['a+b', 'a/b', 'a?b#c', '100%', '%41', 'a b', 'Zoë 👩‍👩‍👧', 'a\nb', '"\'<>&;=,'];
      const spelled = [...odd.map(at), ...['a', '/', '😀'].map((letter) => `${letter.repeat(252)}@x`)];
      await add(...spelled);
      assert.deepEqual(await list(), spelled);
      for (const name of spelled)
        assert.ok(!ok(200, await remove(encodeURIComponent(name))).invitees.includes(name), name);
      assert.deepEqual(await list(), []);
    },

    'invitees-whose-spelling-is-broken-are-404': async (world) => {
      const { add, remove, list } = await invitationsOf(world);
      await add(at('bob'));
      for (const broken of ['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80', '', 'bob/x'])
        ok(404, await remove(broken));
      for (const odd of ['%00', 'b%00ob', '%EF%BB%BFbob2'])
        assert.deepEqual(ok(200, await remove(odd)), { invitees: [at('bob')] }, odd);
      assert.deepEqual(await list(), [at('bob')]);
    },

    'invitees-added-by-many-at-once-are-all-there': async (world) => {
      const { add, remove, list } = await invitationsOf(world);
      const all = names(6);
      for (const answer of await atOnce(6, (n) => add(all[n]))) ok(200, answer);
      assert.deepEqual((await list()).toSorted(), all.toSorted());
      await Promise.all(all.slice(0, 3).map((name) => remove(encodeURIComponent(name))));
      assert.deepEqual((await list()).toSorted(), all.slice(3).toSorted());
    },
  }),
];

// Permissions on every route, as every role, for a private and a public registry.
import assert from 'node:assert/strict';
import type { Role } from '../accounts.ts';
import type { Answer } from '../answers.ts';
import { type Case, type Section, section, type Test } from '../case.ts';
import { ok, unique, type World } from '../world.ts';
import { pan } from './kit.ts';

type Part = 'owner' | 'admin' | 'invitee by name' | 'invitee by e-mail' | 'stranger' | 'nobody';

const SIGNED_IN: Part[] = ['owner', 'admin', 'invitee by name', 'invitee by e-mail', 'stranger'];
const ANYONE: Part[] = [...SIGNED_IN, 'nobody'];
const READERS = SIGNED_IN.filter((part) => part !== 'stranger');
const WRITERS: Part[] = ['owner', 'admin'];

/** The body of a success: `item` and `items` in the form that the viewer may see. */
type Form = 'plain' | 'nothing' | 'item' | 'items' | 'affiliate';

type Route = {
  name: string;
  target: string;
  allowed: Part[];
  /** Roles allowed if only a registry's owners and guests may see its items; `allowed` by default. */
  closed?: Part[];
  status: number;
  form: Form;
  body?: object | ((registry: number) => object);
};

const newItem = {
  name: 'Pot',
  url: 'https://shop.example/pot',
  affiliate_url: 'https://partner.example/pot',
};
const link = { affiliate_url: 'https://partner.example/new', affiliate_status: 'paused' };

// R stands for a registry of the owner's, and I for an item in it.
const ROUTES: Record<Section, Route[]> = {
  'errors-and-limits.md#health': [
    { name: 'be-welcomed', target: 'GET /', allowed: ANYONE, status: 200, form: 'plain' },
    { name: 'ask-for-health', target: 'GET /health', allowed: ANYONE, status: 200, form: 'plain' },
  ],
  'items.md#item-endpoints': [
    {
      name: 'list-all-items',
      target: 'GET /items?limit=1',
      allowed: SIGNED_IN,
      closed: ['admin'],
      status: 200,
      form: 'items',
    },
    {
      name: 'read-an-item',
      target: 'GET /items/I',
      allowed: SIGNED_IN,
      closed: READERS,
      status: 200,
      form: 'item',
    },
    {
      ...{ name: 'create-an-item', target: 'POST /items', allowed: SIGNED_IN, closed: WRITERS, status: 201 },
      ...{ form: 'item', body: (registry_id) => ({ registry_id, ...newItem }) },
    },
    {
      ...{ name: 'update-an-item', target: 'PUT /items/I', allowed: SIGNED_IN, closed: WRITERS, status: 200 },
      ...{ form: 'item', body: { name: 'Pot', affiliate_url: 'https://partner.example/pot' } },
    },
    {
      name: 'delete-an-item',
      target: 'DELETE /items/I',
      allowed: SIGNED_IN,
      closed: WRITERS,
      status: 200,
      form: 'item',
    },
  ],
  'registries.md#endpoints': [
    {
      name: 'list-their-registries',
      target: 'GET /registries',
      allowed: SIGNED_IN,
      status: 200,
      form: 'plain',
    },
    {
      ...{
        name: 'create-a-registry',
        target: 'POST /registries',
        allowed: SIGNED_IN,
        status: 201,
        form: 'plain',
      },
      body: { title: '[conformance] New' },
    },
    { name: 'read-a-registry', target: 'GET /registries/R', allowed: READERS, status: 200, form: 'plain' },
    {
      ...{
        name: 'update-a-registry',
        target: 'PATCH /registries/R',
        allowed: WRITERS,
        status: 200,
        form: 'plain',
      },
      body: { story: 'Changed' },
    },
    {
      name: 'delete-a-registry',
      target: 'DELETE /registries/R',
      allowed: WRITERS,
      status: 204,
      form: 'nothing',
    },
  ],
  'items.md#items-of-a-registry': [
    {
      name: 'list-items-of-a-registry',
      target: 'GET /registries/R/items',
      allowed: READERS,
      status: 200,
      form: 'items',
    },
    {
      ...{
        name: 'add-an-item-to-a-registry',
        target: 'POST /registries/R/items',
        allowed: WRITERS,
        status: 201,
      },
      ...{ form: 'item', body: newItem },
    },
    {
      ...{ name: 'take-an-item-off-a-registry', target: 'DELETE /registries/R/items/I', allowed: WRITERS },
      ...{ status: 204, form: 'nothing' },
    },
  ],
  'registries.md#invitees': [
    {
      name: 'read-invitees',
      target: 'GET /registries/R/invitees',
      allowed: READERS,
      status: 200,
      form: 'plain',
    },
    {
      ...{
        name: 'add-invitees',
        target: 'POST /registries/R/invitees',
        allowed: WRITERS,
        status: 200,
        form: 'plain',
      },
      body: { invitees: ['dora@guests.invalid'] },
    },
    {
      ...{
        name: 'remove-an-invitee',
        target: 'DELETE /registries/R/invitees/xavier@guests.invalid',
        allowed: WRITERS,
      },
      ...{ status: 200, form: 'plain' },
    },
  ],
  'items.md#affiliate-links': [
    {
      ...{ name: 'read-an-affiliate-link', target: 'GET /registries/R/items/I/affiliate', allowed: READERS },
      ...{ status: 200, form: 'affiliate' },
    },
    {
      ...{ name: 'set-an-affiliate-link', target: 'PUT /registries/R/items/I/affiliate', allowed: WRITERS },
      ...{ status: 200, form: 'affiliate', body: link },
    },
    {
      ...{
        name: 'clear-an-affiliate-link',
        target: 'DELETE /registries/R/items/I/affiliate',
        allowed: WRITERS,
      },
      ...{ status: 204, form: 'nothing' },
    },
  ],
  'claims.md#claim-endpoints': [
    {
      ...{ name: 'claim-an-item', target: 'POST /registries/R/items/I/claims', allowed: READERS },
      ...{ status: 201, form: 'plain', body: {} },
    },
    {
      name: 'list-claims-of-a-registry',
      target: 'GET /registries/R/claims',
      allowed: READERS,
      status: 200,
      form: 'plain',
    },
    {
      name: 'list-their-claims',
      target: 'GET /claims?limit=1',
      allowed: SIGNED_IN,
      status: 200,
      form: 'plain',
    },
    {
      ...{ name: 'ask-for-somebody-elses-claims', target: 'GET /claims?email=nobody@example.invalid' },
      ...{ allowed: ['admin'], status: 200, form: 'plain' },
    },
    {
      ...{
        name: 'erase-a-person',
        target: 'DELETE /claims?email=nobody@example.invalid',
        allowed: ['admin'],
      },
      ...{ status: 200, form: 'plain' },
    },
  ],
};

type Scene = { R: number; I: number; cast: Partial<Record<Part, Role>> };

/** Makes the owner's registry with an item; one account is invited, and names similar to the other's. */
async function stage(world: World, status: 'private' | 'publish'): Promise<Scene> {
  const [invited, other]: [Role, Role] = status === 'private' ? ['guest', 'stranger'] : ['stranger', 'guest'];
  const { username, email } = world.people[invited];
  const { email: otherEmail } = world.people[other];
  const byName = status === 'private';
  const registry_invitees = [
    ...(byName ? [username.toUpperCase()] : [` ${email.toUpperCase()} `]),
    // Names similar to the other account's.
    ...[`x${otherEmail}`, `${otherEmail}.example`, otherEmail.slice(1)],
    'xavier@guests.invalid',
  ];
  const meta = { registry_invitees };
  const registry = await world.registry({ title: 'Secret Garden', status, meta });
  const item = await world.item(registry, { ...link, affiliate_status: 'active', quantity_needed: 9 });
  const invitee: Part = byName ? 'invitee by name' : 'invitee by e-mail';
  const cast = { owner: 'owner', admin: 'administrator', [invitee]: invited, stranger: other } as const;
  return { R: registry.id, I: item.id, cast };
}

/** Returns everything that an administrator can see of the scene. */
async function stateOf({ call }: World, { R, I }: Scene): Promise<string> {
  const targets = [`/registries/${R}`, `/registries/${R}/items`, `/items/${I}`, `/registries/${R}/claims`];
  const answers = await Promise.all(targets.map((target) => call('administrator', `GET ${target}`)));
  return answers.map(({ text }) => text).join('\n');
}

function hasForm(form: Form, isAdmin: boolean, { text, body }: Answer, who: string): void {
  if (form === 'nothing') assert.equal(text, '', who);
  if (form === 'affiliate') assert.deepEqual(Object.keys(body), ['affiliate_url', 'affiliate_status'], who);
  if (form !== 'item' && form !== 'items') return;
  for (const item of form === 'item' ? [body.data] : body)
    assert.deepEqual(['affiliate_url' in item, 'affiliate_status' in item], [isAdmin, isAdmin], who);
}

const mayBy =
  ({ target, allowed, closed = allowed, status, form, body }: Route): Test =>
  async (world) => {
    const parts = world.itemAccess === 'registry' ? closed : allowed;
    for (const kind of ['private', 'publish'] as const) {
      let scene = await stage(world, kind);
      const parcel = (): [string, unknown] => [
        target.replace('/R', `/${scene.R}`).replace('/I', `/${scene.I}`),
        typeof body === 'function' ? body(scene.R) : body,
      ];
      const refused = Object.entries({ ...scene.cast, nobody: undefined }).filter(
        ([part]) => !parts.includes(part as Part),
      );
      const before = refused.length > 0 ? await stateOf(world, scene) : '';
      for (const [part, as] of refused) {
        const who = `${target} at a ${kind} registry as ${part}`;
        const answer = await world.call(as, ...parcel());
        assert.equal(answer.status, as ? 403 : 401, `${who}: ${answer.text}`);
        const challenge = as ? null : 'Basic realm="trousseau"';
        assert.equal(answer.headers.get('www-authenticate'), challenge, who);
        assert.doesNotMatch(answer.text, /Secret Garden|guests\.invalid|partner/i, who);
      }
      if (refused.length > 0)
        assert.equal(await stateOf(world, scene), before, `${target} was refused, but did something`);
      for (const [part, as] of Object.entries({ ...scene.cast, nobody: undefined })) {
        if (!parts.includes(part as Part)) continue;
        const who = `${target} at a ${kind} registry as ${part}`;
        const answer = await world.call(as, ...parcel());
        assert.equal(answer.status, status, `${who}: ${answer.text}`);
        hasForm(form, as === 'administrator', answer, who);
        if (target === 'DELETE /registries/R') scene = await stage(world, kind);
        else if (/^DELETE .*\/I$/.test(target)) scene.I = (await world.item({ id: scene.R })).id;
      }
    }
  };

const routeCases: Case[] = Object.entries(ROUTES).flatMap(([of, routes]) =>
  section(of as Section, Object.fromEntries(routes.map((route) => [`who-may-${route.name}`, mayBy(route)]))),
);

export const roles = [
  ...routeCases,

  ...section('registries.md#who-may-do-what', {
    'owner-is-the-author-whoever-else-may-write': async (world) => {
      const registry = await world.registry();
      const changed = await world.call('administrator', `PATCH /registries/${registry.id}`, {
        story: 'By an admin',
      });
      assert.equal(ok(200, changed).user_id, world.people.owner.id);
    },

    'public-registry-is-no-open-door': async (world) => {
      const { id } = await world.registry({ status: 'publish' });
      for (const target of [`/registries/${id}`, `/registries/${id}/items`, `/registries/${id}/invitees`]) {
        ok(403, await world.call('stranger', `GET ${target}`));
        ok(401, await world.call(undefined, `GET ${target}`));
      }
    },

    'owner-of-one-registry-is-a-stranger-to-another': async (world) => {
      const theirs = await world.registry({ meta: { registry_invitees: [] } }, 'administrator');
      const item = await world.item(theirs);
      for (const [target, body] of [
        [`GET /registries/${theirs.id}`],
        [`PATCH /registries/${theirs.id}`, { story: 'Mine' }],
        [`DELETE /registries/${theirs.id}`],
        [`POST /registries/${theirs.id}/items`, pan],
        [`DELETE /registries/${theirs.id}/items/${item.id}`],
        [`POST /registries/${theirs.id}/invitees`, { invitees: [unique()] }],
      ] as const)
        ok(403, await world.call('owner', target, body));
    },
  }),

  ...section('errors-and-limits.md#status-codes', {
    'a-registry-that-is-not-there-is-404-for-everybody': async (world) => {
      const item = await world.item(await world.registry());
      const none = ['0', '-1', '1.5', 'x', '01', '1e2', '9007199254740993', '9007199254740991', '%00'];
      const routes = Object.values(ROUTES)
        .flat()
        .filter(({ target }) => target.includes('/R'));
      for (const R of none) {
        for (const { target, body } of routes) {
          const path = target.replace('/R', `/${R}`).replace('/I', `/${item.id}`);
          const answer = await world.call('stranger', path, typeof body === 'function' ? body(1) : body);
          assert.deepEqual(ok(404, answer), { detail: 'Registry not found' }, path);
        }
      }
    },
  }),
];

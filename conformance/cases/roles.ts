// Permissions on every route, as every role, for a private and a public registry.
import assert from 'node:assert/strict';
import type { Role } from '../accounts.ts';
import type { Answer } from '../answers.ts';
import { type Case, type Section, section, type Test } from '../case.ts';
import { ok, type World } from '../world.ts';

type Part = 'owner' | 'admin' | 'invitee by name' | 'invitee by e-mail' | 'stranger' | 'nobody';

const SIGNED_IN: Part[] = ['owner', 'admin', 'invitee by name', 'invitee by e-mail', 'stranger'];
const ANYONE: Part[] = [...SIGNED_IN, 'nobody'];
const READERS = SIGNED_IN.filter((part) => part !== 'stranger');
const WRITERS: Part[] = ['owner', 'admin'];

/** The body of a success: `item` and `items` in the form that the viewer may see. */
type Form = 'plain' | 'nothing' | 'item' | 'items' | 'affiliate';

type More = {
  /** Roles allowed if only a registry's owners and guests may see its items; `allowed` by default. */
  closed?: Part[];
  body?: object | ((registry: number) => object);
};

const route = (name: string, target: string, allowed: Part[], status: number, form: Form, more?: More) => ({
  ...{ name, target, allowed, status, form },
  ...more,
});
type Route = ReturnType<typeof route>;

const newItem = {
  name: 'Pot',
  url: 'https://shop.example/pot',
  affiliate_url: 'https://partner.example/pot',
};
const link = { affiliate_url: 'https://partner.example/new', affiliate_status: 'paused' };

const AFFILIATE = '/registries/R/items/I/affiliate';
const SOMEBODY = '/claims?email=nobody@example.invalid';

// R stands for a registry of the owner's, and I for an item in it.
const ROUTES: Record<Section, Route[]> = {
  'errors-and-limits.md#health': [
    route('be-welcomed', 'GET /', ANYONE, 200, 'plain'),
    route('ask-for-health', 'GET /health', ANYONE, 200, 'plain'),
  ],
  'items.md#item-endpoints': [
    route('list-all-items', 'GET /items?limit=1', SIGNED_IN, 200, 'items', { closed: ['admin'] }),
    route('read-an-item', 'GET /items/I', SIGNED_IN, 200, 'item', { closed: READERS }),
    route('create-an-item', 'POST /items', SIGNED_IN, 201, 'item', {
      ...{ closed: WRITERS, body: (registry_id) => ({ registry_id, ...newItem }) },
    }),
    route('update-an-item', 'PUT /items/I', SIGNED_IN, 200, 'item', {
      ...{ closed: WRITERS, body: { name: 'Pot', affiliate_url: 'https://partner.example/pot' } },
    }),
    route('delete-an-item', 'DELETE /items/I', SIGNED_IN, 200, 'item', { closed: WRITERS }),
  ],
  'registries.md#endpoints': [
    route('list-their-registries', 'GET /registries', SIGNED_IN, 200, 'plain'),
    route('create-a-registry', 'POST /registries', SIGNED_IN, 201, 'plain', {
      body: { title: '[conformance] New' },
    }),
    route('read-a-registry', 'GET /registries/R', READERS, 200, 'plain'),
    route('update-a-registry', 'PATCH /registries/R', WRITERS, 200, 'plain', { body: { story: 'Changed' } }),
    route('delete-a-registry', 'DELETE /registries/R', WRITERS, 204, 'nothing'),
  ],
  'items.md#items-of-a-registry': [
    route('list-items-of-a-registry', 'GET /registries/R/items', READERS, 200, 'items'),
    route('add-an-item-to-a-registry', 'POST /registries/R/items', WRITERS, 201, 'item', { body: newItem }),
    route('take-an-item-off-a-registry', 'DELETE /registries/R/items/I', WRITERS, 204, 'nothing'),
  ],
  'registries.md#invitees': [
    route('read-invitees', 'GET /registries/R/invitees', READERS, 200, 'plain'),
    route('add-invitees', 'POST /registries/R/invitees', WRITERS, 200, 'plain', {
      body: { invitees: ['dora@guests.invalid'] },
    }),
    route('remove-an-invitee', 'DELETE /registries/R/invitees/xavier@guests.invalid', WRITERS, 200, 'plain'),
  ],
  'items.md#affiliate-links': [
    route('read-an-affiliate-link', `GET ${AFFILIATE}`, READERS, 200, 'affiliate'),
    route('set-an-affiliate-link', `PUT ${AFFILIATE}`, WRITERS, 200, 'affiliate', { body: link }),
    route('clear-an-affiliate-link', `DELETE ${AFFILIATE}`, WRITERS, 204, 'nothing'),
  ],
  'claims.md#claim-endpoints': [
    route('claim-an-item', 'POST /registries/R/items/I/claims', READERS, 201, 'plain', { body: {} }),
    route('list-claims-of-a-registry', 'GET /registries/R/claims', READERS, 200, 'plain'),
    route('list-their-claims', 'GET /claims?limit=1', SIGNED_IN, 200, 'plain'),
    route('ask-for-somebody-elses-claims', `GET ${SOMEBODY}`, ['admin'], 200, 'plain'),
    route('erase-a-person', `DELETE ${SOMEBODY}`, ['admin'], 200, 'plain'),
  ],
  'events.md#feed': [
    route('follow-a-registry', 'GET /registries/R/events', WRITERS, 200, 'plain'),
    route('follow-everything', 'GET /events?limit=1', ['admin'], 200, 'plain'),
  ],
};

type Scene = { R: number; I: number; cast: Partial<Record<Part, Role>> };

/** Makes the owner's registry with an item; one account is invited, and names similar to the other's, who has their own. */
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
  await world.registry({}, other);
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
  if (form === 'affiliate')
    assert.deepEqual(Object.keys(body).sort(), ['affiliate_status', 'affiliate_url'], who);
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

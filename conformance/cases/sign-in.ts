import assert from 'node:assert/strict';
import type { Answer } from '../answers.ts';
import { section } from '../case.ts';
import { NO_ID, ok, unique, type World } from '../world.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

// No route that asks the host, which would refuse what the service has remembered wrongly.
const signIn = ({ call }: World, authorization: string) =>
  call(undefined, 'GET /status', undefined, { authorization });

function isChallenge(answer: Answer, why?: string): void {
  assert.equal(answer.status, 401, why);
  assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="trousseau"', why);
}

const SIGNED_IN = [
  ...['GET /items', 'GET /items/1', 'POST /items', 'PUT /items/1', 'DELETE /items/1', 'GET /registries'],
  ...['POST /registries', 'GET /registries/1', 'PATCH /registries/1', 'DELETE /registries/1'],
  ...['GET /registries/1/items', 'POST /registries/1/items', 'DELETE /registries/1/items/1'],
  ...['GET /registries/1/invitees', 'POST /registries/1/invitees', 'DELETE /registries/1/invitees/x'],
  ...['GET /registries/1/items/1/affiliate', 'PUT /registries/1/items/1/affiliate'],
  ...['DELETE /registries/1/items/1/affiliate', 'POST /registries/1/items/1/claims'],
  ...['GET /registries/1/claims', 'GET /claims', 'DELETE /claims?email=nobody@example.invalid'],
  ...['GET /claims/x', 'PATCH /claims/x', 'DELETE /claims/x'],
];

export const signingIn = [
  ...section('errors-and-limits.md#signing-in', {
    'credentials-are-looked-at-before-anything-else': async ({ call }) => {
      for (const target of SIGNED_IN.map((one) => one.replaceAll('/1', `/${NO_ID}`))) {
        const body = /^(POST|PUT|PATCH)/.test(target) ? '{' : undefined;
        isChallenge(await call(undefined, target, body), target);
      }
    },

    'gateway-key-is-asked-for-where-one-is-set': async (world) => {
      const headers = { 'x-api-key': unique() };
      const without = await world.call('owner', 'GET /registries?limit=1', undefined, headers);
      world.needs(world.hasKey, 'the run was given no key');
      ok(403, without);
      ok(200, await world.call('owner', 'GET /registries?limit=1'));
    },

    'credentials-that-are-malformed-are-401-with-a-challenge': async (world) => {
      const { username, password } = world.people.owner;
      const good = basic(`${username}:${password}`).slice('Basic '.length);
      const malformed = [
        ...['', 'Basic', 'Basic ', good, `Bearer ${good}`],
        ...[`Digest ${good}`, 'Basic !!!', `Basic ${good} x`],
      ];
      for (const header of [...malformed, basic(username), basic(':'), basic(`:${password}`)])
        isChallenge(await signIn(world, header), header.slice(0, 8));
    },

    'credentials-that-are-wrong-tell-nothing-of-the-name': async (world) => {
      const { username } = world.people.guest;
      const { password } = world.people.owner;
      const said = new Set<string>();
      for (const text of [`${username}:wrong`, `${unique()}:at all`, `${username}:${password}`]) {
        const answer = await signIn(world, basic(text));
        isChallenge(answer);
        said.add(answer.text);
      }
      assert.equal(said.size, 1, 'a known name and an unknown one are told alike');
    },

    'too-many-failed-sign-ins-are-429-with-retry-after': async (world) => {
      const { username, password } = world.people.owner;
      // A name that nobody has, so that only attempts with it from this address are slowed down.
      const name = `conformance-${unique()}`;
      let answer = await signIn(world, basic(`${name}:guess`));
      for (let n = 0; n < 20 && answer.status === 401; n++)
        answer = await signIn(world, basic(`${name}:guess ${n}`));
      assert.equal(answer.status, 429);
      assert.ok(Number.isInteger(Number(answer.headers.get('retry-after'))));
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.equal(answer.headers.get('www-authenticate'), null);
      ok(200, await signIn(world, basic(`${username}:${password}`)));
    },

    'sign-in-by-name-or-address-and-password-without-its-spaces': async (world) => {
      const { username, email, password } = world.people.owner;
      for (const name of [username, email, email.toUpperCase()])
        for (const secret of [password, password.replaceAll(' ', '')])
          ok(200, await signIn(world, basic(`${name}:${secret}`)));
      ok(200, await signIn(world, basic(`${username}:${password}`).replace('Basic', 'basic')));
    },

    'name-that-the-host-could-not-have-given-is-refused': async (world) => {
      const { username, password } = world.people.owner;
      const around = [`<b>${username}</b>`, ` ${username}`, `${username} `];
      for (const odd of [...around, `${username}&amp;`, `${username}%20`])
        isChallenge(await signIn(world, basic(`${odd}:${password}`)), odd);
    },

    'password-is-the-whole-secret': async (world) => {
      const { username, password } = world.people.stranger;
      ok(200, await signIn(world, basic(`${username}:${password}`)));
      isChallenge(await signIn(world, basic(`${username}:${password}x`)));
      isChallenge(await signIn(world, basic(`${username}:${password.slice(0, -1)}`)));
      ok(200, await signIn(world, basic(`${username}:${password}`)));
    },

    'no-answer-holds-a-password': async (world) => {
      const { username, password } = world.people.owner;
      const header = basic(`${username}:${password}`);
      for (const answer of [
        await signIn(world, header),
        await signIn(world, basic(`${username} :${password}`)),
        await world.call('owner', 'POST /registries', { title: 5 }),
        await world.call('owner', 'GET /nowhere'),
      ]) {
        const whole = answer.text + JSON.stringify([...answer.headers]);
        for (const secret of [password, password.replaceAll(' ', ''), header.slice('Basic '.length)])
          assert.ok(!whole.includes(secret));
      }
    },
  }),
];

// @again postgres workers
import assert from 'node:assert/strict';
import { after, it, type TestContext } from 'node:test';
import { askAt, callsOf } from './answers.ts';
import { basic, refuse, sendJson, startFakeHost } from './fake-host.ts';
import { askHost, PAN, partsOf, startTestService } from './support.ts';

const service = await startTestService();
const call = await callsOf(service);
after(() => service.close());

it('a change on the host itself is seen by the next who asks for it, and by who was refused', async () => {
  const { id } = (await call('alice', 'POST /registries', { title: 'Ann' })).body;
  assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 403);
  assert.equal((await call('alice', `GET /registries/${id}`)).status, 200);
  const changed = { title: 'By hand', meta: { registry_invitees: '["Bob"]' } };
  await askHost(service.hostUrl, 'POST', `registry/${id}`, 'alice', changed);
  assert.equal((await call('bob', `GET /registries/${id}/items`)).status, 200);
  assert.equal((await call('alice', `GET /registries/${id}`)).body.title, 'By hand');
  assert.deepEqual((await call('alice', `GET /registries/${id}/invitees`)).body, { invitees: ['Bob'] });
  const add = async () => (await call('bob', `POST /registries/${id}/items`, PAN)).status;
  assert.equal(await add(), 403);
  await askHost(service.hostUrl, 'POST', `registry/${id}`, 'alice', { meta: { registry_owners: '["Bob"]' } });
  assert.equal(await add(), 201);
});

/** Registry 7 is Alice's, on a host that a test may have hold an answer. */
async function onFakeHost(t: TestContext, env: Record<string, string> = {}) {
  const parts = partsOf(t);
  const host = parts.use(await startFakeHost());
  const { url } = parts.use(await startTestService({ HOST_URL: host.url, ITEM_ACCESS: 'registry', ...env }));
  const ask = askAt<string>(url, basic);
  const items = async (as: string, headers = {}) =>
    (await ask(as, 'GET /registries/7/items', undefined, headers)).status;
  assert.equal(await items('alice'), 200);
  return { host, ask, items };
}

it('a refusal is no answer to an older question, which came before the invitation', async (t) => {
  const { host, ask, items } = await onFakeHost(t);
  const held = Promise.withResolvers<() => void>();
  host.misbehave = ({ route }, response, usual) => {
    if (route !== '/wp/v2/registry/7') return usual();
    host.misbehave = undefined;
    const then = structuredClone(host.posts.get(7));
    held.resolve(() => sendJson(response, 200, then));
  };
  const early = items('bob');
  const answer = await held.promise;
  host.posts.get(7).meta.registry_invitees = '["bob"]';
  const late = items('bob');
  await ask('bob', 'GET /claims');
  answer();
  assert.deepEqual([await early, await late], [403, 200]);
});

for (const [path, other] of [
  ['GET /registries/7/items', 'GET /claims'],
  ['GET /claims', 'GET /registries/7/items'],
] as const)
  it(`a revoked password refuses nobody who signs in with another: ${path}`, async (t) => {
    const { host, ask } = await onFakeHost(t, { REGISTRY_CACHE_TTL: '0' });
    const old = { authorization: basic('alice', 'a former password') };
    const me = { id: 1, username: 'alice', email: 'alice@example.test', roles: ['subscriber'] };
    const held = Promise.withResolvers<() => void>();
    let questions = 0;
    host.misbehave = ({ route, authorization }, response, usual) => {
      if (authorization !== old.authorization) return usual();
      if (route === '/wp/v2/users/me') return sendJson(response, 200, me);
      const answer = () => refuse(response, 401, 'rest_not_logged_in');
      if (questions++ > 0) answer();
      else held.resolve(answer);
    };
    const former = [ask(undefined, path, undefined, old), ask(undefined, path, undefined, old)];
    const answer = await held.promise;
    await ask('alice', other);
    const valid = ask('alice', path);
    await ask('alice', other);
    answer();
    const answers = await Promise.all([...former, valid]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 200],
    );
  });

it('who is no admin any more writes nothing by what was remembered of an admin', async (t) => {
  const { host, ask, items } = await onFakeHost(t, { AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '300' });
  assert.equal(await items('admin'), 200);
  const me = { id: 2, username: 'admin', email: 'admin@example.test', roles: ['subscriber'] };
  host.answerMe((response) => sendJson(response, 200, me));
  assert.equal((await ask('admin', 'POST /registries/7/items', PAN)).status, 403);
  assert.equal(await items('admin'), 403);
});

// The questions to the WordPress plugin, which a site may not have.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluginRoutes } from '../src/host/plugin-routes.ts';
import type { Call, WordPress } from '../src/host/wordpress.ts';

const MINUTE = 60_000;

function plugin() {
  const state = {
    now: 0,
    hasRegistries: true,
    refusal: 'rest_no_route' as string | undefined,
    asked: [] as Call[],
  };
  const host = {
    async call(call: Call) {
      const isOurs = call.path.startsWith('trousseau/');
      if (isOurs) state.asked.push(call);
      const usual = call.path.includes('users') ? 'rest_user_cannot_view' : 'rest_forbidden';
      const code = isOurs ? state.refusal : state.hasRegistries ? usual : 'rest_no_route';
      return { status: code ? 403 : 200, header: () => undefined, body: { code } };
    },
  } as unknown as WordPress;
  const questionKey = async () => 'secret';
  const routes = pluginRoutes(host, { postPath: 'wp/v2/registry', questionKey, clock: () => state.now });
  return { state, routes };
}

describe('the plugin', () => {
  it('is asked with the key, and without credentials', async () => {
    const { state, routes } = plugin();
    state.refusal = undefined;
    assert.deepEqual([await routes.isGone(7), await routes.lookAtUser(3)], ['asked', 'asked']);
    for (const { method, body, authorization } of state.asked)
      assert.deepEqual([method, body, authorization], ['POST', { key: 'secret' }, undefined]);
    const paths = state.asked.map(({ path }) => path);
    assert.deepEqual(paths, ['trousseau/v1/registries/7/look', 'trousseau/v1/users/3/look']);
  });

  it('is asked again ten minutes after it was off', async () => {
    const { state, routes } = plugin();
    assert.deepEqual([await routes.isGone(7), await routes.lookAtUser(3)], [false, undefined]);
    assert.equal(state.asked.length, 1);
    state.refusal = undefined;
    state.now = 9 * MINUTE;
    assert.equal(await routes.isGone(7), false);
    state.now = 10 * MINUTE;
    assert.deepEqual([await routes.isGone(7), await routes.lookAtUser(3)], ['asked', 'asked']);
  });

  it('concludes nothing while it is off', async () => {
    const { state, routes } = plugin();
    state.hasRegistries = false;
    assert.equal(await routes.isGone(7), undefined);
    state.hasRegistries = true;
    state.refusal = undefined;
    assert.equal(await routes.isGone(7), 'asked', 'and is asked at once when it is back');
  });

  it('says nothing while it does not know the key, and nothing is concluded', async () => {
    const { state, routes } = plugin();
    state.refusal = 'trousseau_unknown_key';
    assert.deepEqual([await routes.isGone(7), await routes.lookAtUser(3)], [undefined, undefined]);
  });
});

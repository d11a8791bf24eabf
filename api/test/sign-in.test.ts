import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { cpuOf } from './cpu-of.ts';
import { basic, PASSWORD, refuse, sendHtml, sendJson, startFakeHost } from './fake-host.ts';
import { manualClock, partsOf, startTestService } from './support.ts';

type Caller = { as?: string; password?: string; from?: string; path?: string };

async function startSigningIn(t: TestContext, env: Record<string, string> = {}) {
  const parts = partsOf(t);
  const host = parts.use(await startFakeHost());
  const clock = manualClock();
  const { steady, sleep } = clock;
  const options = { clock: { steady, sleep } };
  const service = parts.use(await startTestService({ HOST_URL: host.url, ...env }, options));
  return {
    host,
    service,
    clock,
    pass: (seconds: number) => clock.advance(seconds * 1000),
    asked: () => host.count(({ route }) => route === '/wp/v2/users/me'),
    call: async ({ as = 'alice', password = PASSWORD, from, path = '/items' }: Caller = {}) => {
      const answer = await service.fetch(path, {
        headers: { authorization: basic(as, password), ...(from && { 'x-forwarded-for': from }) },
      });
      await answer.text();
      return answer;
    },
  };
}

type SigningIn = Awaited<ReturnType<typeof startSigningIn>>;

const status = async (answer: Promise<Response>) => (await answer).status;

async function guess({ call }: SigningIn, times: number, caller: (n: number) => Caller = () => ({})) {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push(await status(call({ password: `guess ${n}`, ...caller(n) })));
  return statuses;
}

const times = <T>(count: number, value: T) => Array<T>(count).fill(value);

describe('a caller', () => {
  it('is checked with the host once, however many first requests come', async (t) => {
    const signing = await startSigningIn(t);
    const answers = await Promise.all(Array.from({ length: 50 }, () => status(signing.call())));
    assert.deepEqual(answers, times(50, 200));
    assert.equal(signing.asked(), 1);
  });

  for (const seconds of [300, 7]) {
    it(`is cached for ${seconds} seconds and no longer`, async (t) => {
      const env: Record<string, string> = seconds === 300 ? {} : { AUTH_CACHE_TTL: `${seconds}` };
      const { host, call, pass, asked } = await startSigningIn(t, env);
      await call();
      pass(seconds * 0.79);
      await call();
      assert.equal(asked(), 1);
      // A host that doesn't answer the early check: the cached caller lasts until the TTL ends.
      host.answerMe((response) => sendHtml(response, 500));
      pass(seconds * 0.21 - 0.001);
      assert.equal(await status(call()), 200);
      pass(0.001);
      assert.equal(await status(call()), 502);
      host.misbehave = undefined;
      assert.equal(await status(call()), 200);
    });
  }

  it('is checked early, after a response, and a refusal then counts at once', async (t) => {
    const { host, call, pass } = await startSigningIn(t);
    await call();
    pass(250);
    host.misbehave = (_request, response) => refuse(response, 401, 'rest_not_logged_in');
    assert.equal(await status(call()), 200, 'nobody waits for that');
    await until('the refusal counts', async () => (await status(call())) !== 200, { everyMs: 0 });
    host.misbehave = undefined;
    assert.equal(await status(call()), 200);
  });

  it('is cached from the time of the check, however late the answer comes', async (t) => {
    const { host, pass, call } = await startSigningIn(t);
    host.misbehave = ({ route }, _response, usual) => {
      if (route === '/wp/v2/users/me') pass(299);
      usual();
    };
    await call();
    // A cached caller sees nothing of the host's answer to the check behind the response.
    host.misbehave = (_request, response) => sendJson(response, 500, {});
    assert.equal(await status(call()), 200);
    pass(1);
    assert.equal(await status(call()), 502);
  });

  it('is checked with the host anew after a refusal or an outage', async (t) => {
    const signing = await startSigningIn(t);
    const { host, call } = signing;
    host.answerMe((response) => refuse(response, 401, 'rest_not_logged_in'));
    assert.deepEqual([await status(call()), await status(call())], [401, 401]);
    host.answerMe((response) => sendHtml(response, 500));
    assert.deepEqual([await status(call()), await status(call())], [502, 502]);
    host.misbehave = undefined;
    assert.equal(await status(call()), 200);
    assert.equal(signing.asked(), 5);
  });

  it('is forgotten as soon as the host reports a revoked password', async (t) => {
    const { host, call } = await startSigningIn(t);
    // To a stranger, WordPress refuses a list as a bad request.
    for (const [path, code, words] of [
      ['/registries/7', 401, 'rest_not_logged_in'],
      ['/registries', 400, 'rest_x'],
    ] as const) {
      assert.equal(await status(call()), 200);
      host.misbehave = ({ route }, response) =>
        route?.endsWith('/me') ? refuse(response, 401, 'rest_not_logged_in') : refuse(response, code, words);
      assert.equal(await status(call()), 200, 'still remembered');
      const refused = await call({ path });
      const found = [refused.status, refused.headers.get('www-authenticate')];
      assert.deepEqual(found, [401, 'Basic realm="trousseau"'], path);
      assert.equal(await status(call()), 401);
      host.misbehave = undefined;
    }
  });
});

describe('guessing', () => {
  it('is stopped after five failures for a name from one address, for as long as it says', async (t) => {
    const signing = await startSigningIn(t);
    const { call, pass, asked } = signing;
    assert.deepEqual(await guess(signing, 5), times(5, 401));
    const before = asked();
    const stopped = await call({ password: 'guess again' });
    assert.equal(stopped.status, 429);
    const seconds = Number(stopped.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds > 0, `retry-after: ${seconds}`);
    assert.equal(await status(call()), 429, 'the right password neither, which would tell it');
    assert.equal(asked(), before, 'the host hears nothing of it');
    pass(seconds - 1);
    assert.equal(await status(call()), 429);
    pass(1);
    assert.equal(await status(call()), 200);
  });

  it('counts a name in any spelling, and affects no cached callers, nor others behind the same address', async (t) => {
    const signing = await startSigningIn(t);
    await signing.call();
    const spellings = ['alice', 'Alice', 'ALICE', 'aLiCe', 'alicE', 'ALice', 'alice', 'alice'];
    const all = spellings.map((as, n) => status(signing.call({ as, password: `guess ${n}` })));
    assert.deepEqual((await Promise.all(all)).sort(), [...times(5, 401), ...times(3, 429)]);
    assert.equal(signing.asked(), 6, 'the host hears no more where all guesses come at once');
    assert.equal(await status(signing.call()), 200, 'remembered');
    assert.equal(await status(signing.call({ as: 'bob' })), 200);
    assert.deepEqual(await guess(signing, 2, () => ({ as: 'carol' })), [401, 401]);
  });

  it('counts under one name what databases take for one', async (t) => {
    const signing = await startSigningIn(t);
    const found = await guess(signing, 6, (n) => ({ as: n % 2 ? 'андрей' : 'Андреи' }));
    assert.deepEqual(found, [...times(5, 401), 429]);
  });

  it('is not hidden by a spelling that WordPress takes for the same name', async (t) => {
    const signing = await startSigningIn(t);
    const spellings = [
      ...['alice<x1>', '<b>alice</b>', '&amp;alice', 'a%6cice', ' alice', 'al\u200bice', 'älice'],
      ...['alice£', '€dna', 'alice\ufffd', '\u2126mega'],
      ...['alic\u0065\u0301', 'ａlice'],
    ];
    for (const as of spellings) assert.equal(await status(signing.call({ as })), 401, as);
    assert.equal(signing.asked(), 0, 'the host hears nothing of it');
    for (const as of ['alice', 'ann.o-neil_2', 'ann+x@example.test', 'two words', 'мария', '愛麗絲', 'सीता'])
      assert.equal(await status(signing.call({ as })), 200, as);
  });

  it('by a name that is longer than any account’s costs no more than by a short one', async (t) => {
    const signing = await startSigningIn(t);
    const costOf = async (as: string) => {
      await guess(signing, 6, () => ({ as }));
      return cpuOf(() => guess(signing, 5, () => ({ as })));
    };
    const short = await costOf('&amp;');
    const long = await costOf('&'.repeat(11_500));
    assert.ok(long < 5 * short, `${long} µs instead of ${short}`);
    assert.equal(await status(signing.call({ as: 'n'.repeat(100) })), 200);
    assert.equal(await status(signing.call({ as: 'n'.repeat(101) })), 401);
    assert.equal(signing.asked(), 1, 'the host hears of one name');
  });

  it('through many names from one address is stopped; callers who have signed in from there are not', async (t) => {
    const signing = await startSigningIn(t);
    const { call, pass } = signing;
    await call();
    assert.deepEqual(await guess(signing, 50, (n) => ({ as: `name${n}` })), times(50, 401));
    const stopped = await call({ as: 'name50', password: 'guess' });
    assert.equal(stopped.status, 429);
    assert.match(stopped.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    // After her cached time, while the guessing goes on.
    pass(300);
    await guess(signing, 60, (n) => ({ as: `other${n}` }));
    assert.equal(await status(call({ as: 'late', password: 'guess' })), 429);
    assert.equal(await status(call()), 200);
  });

  const PROXIED = { TRUST_PROXY: '127.0.0.1' };

  it('one name from many addresses is slowed; its owner gets in, from where she has signed in at once', async (t) => {
    const signing = await startSigningIn(t, PROXIED);
    const { call, pass, asked, clock } = signing;
    const home = '203.0.113.7';
    await call({ from: home });
    pass(300);
    assert.deepEqual(await guess(signing, 20, (n) => ({ from: `198.51.100.${n}` })), times(20, 401));
    /** The status of a sign-in that waits for a second before the host is asked. */
    const slowed = async (caller: Caller, meanwhile = async () => {}) => {
      const before = asked();
      const answer = status(call(caller));
      await until('the sign-in waits', () => clock.sleeping === 1);
      assert.equal(asked(), before);
      await meanwhile();
      pass(0.999);
      assert.equal(clock.sleeping, 1);
      pass(0.001);
      return answer;
    };
    const atHome = async () => assert.equal(await status(call({ from: home })), 200);
    assert.equal(await slowed({ from: '198.51.100.99', password: 'guess' }, atHome), 401);
    pass(300);
    assert.deepEqual(await guess(signing, 10, (n) => ({ from: `192.0.2.${n}` })), times(10, 401));
    assert.equal(await slowed({ from: '203.0.113.8' }), 200, 'from a new address, slowly');
    assert.equal(await status(call({ as: 'bob', from: '198.51.100.5' })), 200, 'other names go on');
  });

  it('is told apart by the address that a trusted proxy names, and by no other', async (t) => {
    for (const [env, from, other] of [
      // Addresses that the caller put in front are not believed.
      [PROXIED, (n: number) => `203.0.113.${n}, 198.51.100.1`, '198.51.100.2'],
      // One network of IPv6 is one.
      [PROXIED, (n: number) => `2001:db8:0:1::${n + 1}`, '2001:db8:0:2::1'],
      [{}, (n: number) => `203.0.113.${n}`, undefined],
      [{ TRUST_PROXY: '10.0.0.0/8' }, (n: number) => `203.0.113.${n}`, undefined],
    ] as const) {
      const signing = await startSigningIn(t, env);
      const statuses = await guess(signing, 6, (n) => ({ from: from(n) }));
      assert.deepEqual(statuses, [...times(5, 401), 429], from(0));
      if (other) assert.equal(await status(signing.call({ from: other })), 200);
    }
  });

  it('doesn’t include a crowd that signs in at once from one address', async (t) => {
    const signing = await startSigningIn(t);
    // The host is slow: as many sign-ins as may fail wait for it, the others wait for these.
    const held: (() => void)[] = [];
    const all = Promise.withResolvers<void>();
    signing.host.misbehave = ({ route }, _response, usual) => {
      if (route !== '/wp/v2/users/me') return usual();
      held.push(usual);
      if (held.length === 50) all.resolve();
    };
    const crowd = Array.from({ length: 80 }, (_, n) => status(signing.call({ as: `guest${n}` })));
    await Promise.race([all.promise, ...crowd]);
    signing.host.misbehave = undefined;
    for (const go of held) go();
    assert.deepEqual(await Promise.all(crowd), times(80, 200));
  });

  it('doesn’t include failures while the host is down', async (t) => {
    const signing = await startSigningIn(t);
    signing.host.misbehave = (_request, response) => sendHtml(response, 500);
    assert.deepEqual(await guess(signing, 30), times(30, 502));
    signing.host.misbehave = undefined;
    assert.equal(await status(signing.call()), 200);
  });
});

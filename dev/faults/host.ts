import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../api/test/answers.ts';
import { basic, type HostRequest, startFakeHost } from '../../api/test/fake-host.ts';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { gift, judged, type Part, type Run, randomFrom, type Tally, tellsOfNoTime } from './kit.ts';
import { Late } from './time.ts';

/** The requests to the host whose answers are late or lost. */
const isSignIn = ({ route }: HostRequest) => route === '/wp/v2/users/me';
const isDeletion = ({ method }: HostRequest) => method === 'DELETE';

// As the service ships.
const LIMIT_MS = 5_000;

/** Starts a service with its own store, an item and its registry. */
async function stage(tally: Tally, folder: string, hostUrl: string) {
  const file = `${folder}/items.db`;
  const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: hostUrl };
  const service = await startTestService(
    { ...env, AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '0' },
    { limits: { host: { totalMs: LIMIT_MS } } },
  );
  const db = new DatabaseSync(file, { readOnly: true });
  return {
    service,
    send: (target: string, json?: unknown) =>
      tally.send(service.url, { authorization: basic('alice') }, target, json),
    active: () =>
      db
        .prepare('select id from items where registry_id = 7 and is_active = 1')
        .all()
        .map(({ id }) => id),
    close: async () => {
      db.close();
      await service.close();
      tally.readLog(service.log.join(''));
    },
  };
}

function succeeds(answer: Answer | undefined, where = 'answered'): void {
  if (!answer || answer.status >= 300) throw judged(answer, `${where} ${answer?.status} ${answer?.text}`);
}

/** Tests that a caller may try again when the host deletes the registry but its answer is lost. */
async function lostAnswers(tally: Tally): Promise<void> {
  await using host = await startFakeHost();
  await using folder = await temporaryFolder();
  const own = await stage(tally, folder.path, host.url);
  await tally.fault('DELETE /registries/7, the answer is lost and the caller tries again', async () => {
    succeeds(await own.send('POST /registries/7/items', gift('Original')));
    host.misbehave = (request, response, usual) => {
      if (!isDeletion(request)) return usual();
      host.posts.delete(7);
      response.socket?.destroy();
    };
    await own.send('DELETE /registries/7');
    host.misbehave = undefined;
    const second = await own.send('DELETE /registries/7');
    if (tellsOfNoTime(second)) throw judged(second, 'tried again');
    assert.deepEqual(own.active(), [], 'the registry is gone, its items are not');
  });
  await own.close();
}

/** Tests that no caller gets another user's answer, even when the host's answers to logins are late. */
async function anothersAnswer({ seed, long }: Run, tally: Tally): Promise<void> {
  await using host = await startFakeHost();
  await using folder = await temporaryFolder();
  const own = await stage(tally, folder.path, host.url);
  const random = randomFrom(seed);
  let signIns = 0;
  await tally.fault("another user's answer comes late", async () => {
    succeeds(await own.send('POST /registries/7/items', gift('Original')));
    host.misbehave = async (request, response, usual) => {
      if (!isSignIn(request)) return usual();
      // Some answers arrive after the service's time limit: they must not reach the next caller on the same connection.
      await sleep(++signIns % 10 === 0 ? LIMIT_MS + 200 : random(200));
      if (!response.destroyed) usual();
    };
    const asked = Array.from({ length: long ? 2_000 : 200 }, async (_, i) => {
      await sleep(i * 5);
      const admin = i % 2 === 0;
      const answer = await tally.send(
        own.service.url,
        { authorization: basic(admin ? 'admin' : 'bob') },
        'GET /items/1',
      );
      if (answer?.status === 504) return 'late';
      succeeds(answer);
      assert.equal('affiliate_url' in answer!.body.data, admin, 'answered as somebody else');
      return 'answered';
    });
    const outcomes = await Promise.allSettled(asked);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    for (const wanted of ['late', 'answered'])
      if (!outcomes.some((one) => one.status === 'fulfilled' && one.value === wanted))
        throw new Late(`nobody was ${wanted}`);
  });
  host.misbehave = undefined;
  await own.close();
}

/** Loses and delays answers of the host; what else it may answer is tried at every push. */
export const hostFaults: Part = async (run, tally) => {
  await Promise.all([lostAnswers(tally), anothersAnswer(run, tally)]);
};

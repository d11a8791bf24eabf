import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { Problem } from '../src/contract/problem.ts';
import { deletionStore } from '../src/store/deletions.ts';
import { eventStore, registryEvent } from '../src/store/events.ts';
import { idempotencyKeys } from '../src/store/idempotency.ts';
import { itemStore } from '../src/store/items.ts';
import { leaseStore } from '../src/store/leases.ts';
import { openDatabase } from '../src/store/open.ts';
import { ONLY_SITE, sitesWithWork } from '../src/store/sites.ts';
import { AWAITS_LOOK, type NewWebhook, webhookStore } from '../src/store/webhooks.ts';
import { explained, refuseWalks } from './plans.ts';
import { sample, TIME } from './store-suite.ts';
import { temporaryFolder } from './support.ts';

const unavailable = (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.deepEqual(
    [error.code, error.message],
    ['unavailable', 'The item store cannot be reached at the moment'],
  );
  assert.ok(error.retryAfter);
};

async function storeInFolder(busyLimitMs?: number) {
  const folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  const db = await openDatabase(`sqlite:${file}`, undefined, busyLimitMs);
  return {
    file,
    db,
    store: itemStore(db, ONLY_SITE),
    [Symbol.asyncDispose]: async () => {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const integrity = (file: string) => {
  const db = new DatabaseSync(file);
  try {
    return db.prepare('pragma integrity_check').get()?.integrity_check;
  } finally {
    db.close();
  }
};

const webhook: NewWebhook = {
  ...{ registryId: 1, url: 'https://books.example/hook', types: [], secret: 'sealed' },
  ...{
    makerId: 7,
    makerMarks: ['a', ''],
    makerIsAdmin: false,
    makerSeenAt: 1,
    isByOwner: true,
    createdAt: 1,
  },
};

describe('the SQLite store', () => {
  it('is in WAL mode and syncs every commit', async () => {
    await using opened = await storeInFolder();
    assert.deepEqual(await opened.db.read('pragma journal_mode'), [['wal']]);
    assert.deepEqual(await opened.db.read('pragma synchronous'), [[2]]);
  });

  it('writes its log back: 20,000 inserts leave it below 45 MB', async () => {
    await using opened = await storeInFolder();
    const { file, store, db } = opened;
    let most = 0;
    for (let batch = 0; batch < 2000; batch++) {
      const rows = Array.from({ length: 10 }, (_, i) =>
        sample({ registry_id: (batch * 10 + i) % 5000, description: 'x'.repeat(500) }),
      );
      await Promise.all(rows.map((row) => store.insert(row)));
      most = Math.max(most, statSync(`${file}-wal`).size);
    }
    assert.deepEqual(await db.read('select count(*) from items'), [[20_000]]);
    assert.ok(most < 45_000_000, `the log grew to ${most} bytes`);
    assert.ok(statSync(file).size > 10_000_000, 'the data has reached the file itself');
  });

  it('finds everything by an index', async () => {
    await using opened = await storeInFolder();
    const { recording, plans } = explained(opened.db);
    const store = itemStore(recording, ONLY_SITE);
    const gone = deletionStore(recording, ONLY_SITE);
    const keys = idempotencyKeys(recording, ONLY_SITE, Date.now);
    const events = eventStore(recording, ONLY_SITE);
    const seen = { form: 'a', order: [1], surpriseUntil: null, ownerId: 1, surpriseKeeps: 'all' as const };
    const item = await store.insert(sample());
    const lease = await leaseStore(recording, ONLY_SITE).acquire('one', 60_000);
    const attempt = await keys.begin('key', 'fingerprint');
    const called = {
      insert: [item, await store.insert(sample(), 'key')],
      find: [await store.find(item.id), await keys.find('key')],
      some: [await store.some([item.id, 7]), await store.some([item.id, -1000])],
      pageOfStates: [await store.pageOfStates(10, 20), await store.pageOfStates(0, 20)],
      ofRegistry: [
        await store.ofRegistry(1),
        await events.ofRegistry(1, { number: 0, part: 0 }, 0, 'owner', 10),
      ],
      hasMoney: await store.hasMoney(1),
      activeIds: [await store.activeIds([1]), await store.activeIds([1, 2, 3])],
      move: await store.move(item, { registryId: 2, ownerId: 1, orders: [[], [item.id]] }, TIME),
      replace: [await store.replace(item, item), await store.replace(item, { ...item, is_active: false })],
      begin: [attempt, await gone.begin(1)],
      unfinished: await gone.unfinished(10),
      cancel: await gone.cancel(1),
      finish: await gone.finish(1, TIME),
      renewUntilDone: keys.renewUntilDone(attempt!)(),
      storeResponse: await keys.storeResponse(attempt!, { status: 200, json: '' }),
      expireAttempt: await keys.expireAttempt(attempt!),
      deleteAttempt: [await keys.deleteAttempt(attempt!), await lease!.release()],
      deleteOld: await keys.deleteOld(10),
      last: [await events.last(1, 'all'), await events.last(1, 'concealed'), await events.last(1, 'owner')],
      assignPlaces: await events.assignPlaces(5),
      at: await events.at(1, { number: 1, part: 0 }),
      afterPlace: await events.afterPlace(0, 0, 10),
      deleteBefore: await events.deleteBefore(1, 0, 10),
      hasBefore: await events.hasBefore(1, 10),
      storeSeen: [
        await events.storeSeen(1, seen, undefined, 1, []),
        await events.storeSeen(1, { ...seen, form: 'b' }, seen, 2, [{ type: 'registry.updated', data: {} }]),
      ],
      conceal: await events.conceal(1, 'always', 5),
      storeRights: await events.storeRights(1, { surpriseUntil: null, ownerId: 7, surpriseKeeps: 'all' }, 5),
      nameOwner: await events.nameOwner(1, 8),
      undecided: await events.undecided(1),
      decide: await events.decide(1, { number: 1, part: 1 }, true, 5),
      isAlive: await events.isAlive(1),
      seen: await events.seen(1),
    };
    const all = Object.keys({ ...store, ...gone, ...keys, ...events });
    assert.deepEqual(Object.keys(called).sort(), all.sort(), 'nothing is left out here');

    for (const { sql, plan } of await plans()) {
      refuseWalks({ sql, plan });
      if (/order by/.test(sql) && !/json_each/.test(sql)) assert.doesNotMatch(plan, /TEMP B-TREE/, sql);
    }
  });

  it('finds webhooks and what they are to get by an index', async () => {
    await using opened = await storeInFolder();
    const { recording, plans } = explained(opened.db);
    const hooks = webhookStore(recording, ONLY_SITE);
    const work = sitesWithWork(recording);
    await hooks.add('one', webhook, 'key', 10);
    const [stored] = await hooks.of(1);
    await recording.write(registryEvent(ONLY_SITE, 1, 1, 'registry.updated', {}));
    await eventStore(recording, ONLY_SITE).assignPlaces(5);
    const given = { webhookId: 'one', place: 1, registryId: 1, number: 1, part: 0 };
    const called = {
      add: stored,
      any: await hooks.any(),
      byId: await hooks.byId('one'),
      byCreationKey: await hooks.byCreationKey('key'),
      of: stored,
      makerSeen: await hooks.makerSeen(7, ['a', 'b'], true, 5),
      makerIs: await hooks.makerIs(7, true, 5),
      makers: await hooks.makers(),
      timesMadeBy: await hooks.timesMadeBy(7, 0, 5),
      ofMaker: await hooks.ofMaker(7),
      standing: await hooks.standing(stored!, 1),
      due: [await hooks.due(5, 4), await work.deliveries(0, 10, 5), await work.webhooks(0, 10)],
      claim: await hooks.claim('one', 5),
      attempted: await hooks.attempted(
        { ...given, attempts: 0, holder: 'a' },
        { attempts: 1, status: 204, dueAt: null },
      ),
      release: await hooks.release({ ...given, attempts: 0, holder: 'a' }, AWAITS_LOOK),
      drop: await hooks.drop({ ...given, attempts: 0, holder: 'a' }),
      deliveries: await hooks.deliveries('one', 9, 'owner', 50),
      failed: await hooks.failed('one', 5, false, 1),
      makeDecidedDue: await hooks.makeDecidedDue(5),
      awaitedRegistries: [await hooks.awaitedRegistries(9), await work.awaitedLooks(0, 10)],
      willAwait: [await hooks.willAwait(1, 9), await hooks.willAwait(undefined, 9)],
      giveUp: await hooks.giveUp('one'),
      disable: await hooks.disable('one', 5),
      ended: await hooks.ended(),
      deleteBefore: await hooks.deleteBefore(5, 10),
      hasBefore: await hooks.hasBefore(5),
      delete: await hooks.delete('one'),
    };
    assert.deepEqual(Object.keys(called).sort(), Object.keys(hooks).sort(), 'nothing is left out here');
    assert.ok(called.claim);
    for (const each of await plans()) refuseWalks(each);
  });

  it('goes on reading while another process writes, and writes when that is done', async () => {
    await using opened = await storeInFolder();
    const { store, file } = opened;
    const before = await store.insert(sample());
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    other.exec("update items set retailer = 'half done'");
    let written = false;
    const write = store.insert(sample()).then((item) => {
      written = true;
      return item;
    });
    const start = performance.eventLoopUtilization();
    let rounds = 0;
    const round = setInterval(() => rounds++, 5);
    await until('the process goes on', () => rounds >= 20);
    clearInterval(round);
    const { utilization } = performance.eventLoopUtilization(start);
    assert.deepEqual(await store.find(before.id), before);
    assert.equal(written, false);
    other.exec('commit');
    other.close();
    assert.ok(await store.find((await write).id));
    assert.equal((await store.find(before.id))?.retailer, 'half done');
    assert.ok(
      utilization < 0.5,
      `waiting held up the process for ${Math.round(utilization * 100)} % of the time`,
    );
  });

  for (const [what, on, off] of [
    ['can only be read', 'query_only = 1', 'query_only = 0'],
    ['is full', 'max_page_count = 1', 'max_page_count = 1073741823'],
  ] as const) {
    it(`answers that it is unavailable while it ${what}, keeps what it has, and recovers`, async () => {
      await using opened = await storeInFolder();
      const { store, db, file } = opened;
      const kept = await store.insert(sample());
      await db.read(`pragma ${on}`);
      // More than what is left of the pages in use.
      const many = Array.from({ length: 50 }, () => store.insert(sample({ description: 'x'.repeat(5000) })));
      const results = await Promise.allSettled(many);
      const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      assert.ok(refused.length > 0);
      refused.forEach(unavailable);
      assert.deepEqual(await store.find(kept.id), kept);
      await db.read(`pragma ${off}`);
      const { id } = await store.insert(sample());
      assert.deepEqual((await store.activeIds([1])).get(1), [kept.id, ...stored, id]);
      assert.equal(integrity(file), 'ok');
    });
  }
});

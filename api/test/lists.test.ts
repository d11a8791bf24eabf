// The ETags of lists of items: a list that is the same is not sent again, and one that has changed always is.
// @again postgres workers
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { itemLists } from '../src/domain/item-lists.ts';
import { listPresenter, rememberedLists } from '../src/http/item-lists.ts';
import { itemStore } from '../src/store/items.ts';
import { registryStore } from '../src/store/registries.ts';
import { ONLY_SITE } from '../src/store/sites.ts';
import { type Answer, type Call, callsOf } from './answers.ts';
import { etagOf, expected, key, openClaimService, openStore } from './claim-service.ts';
import { sample } from './store-suite.ts';
import { type Name, openedDatabase, partsOf, startTestService } from './support.ts';

const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;
const known = (etag: string) => ({ 'if-none-match': etag });

/** Reads a list twice, the second time as somebody who knows it. */
async function look(call: Call, as: Name, path: string): Promise<{ etag: string; text: string }> {
  const whole = await call(as, `GET ${path}`);
  const etag = etagOf(whole);
  assert.equal(whole.status, 200, whole.text);
  assert.match(etag, STRONG_ETAG);
  isUnchanged(await call(as, `GET ${path}`, undefined, known(etag)), etag);
  return { etag, text: whole.text };
}

function isUnchanged(answer: Answer, etag: string): void {
  assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag]);
  const found = [answer.headers.has('content-type'), answer.headers.has('content-length')];
  assert.deepEqual(found, [false, false]);
}

describe('the ETag of a list over time', () => {
  it('is new when the owner orders the list on the host', async () => {
    await using service = await openClaimService({ REGISTRY_CACHE_TTL: '0' });
    const registry = await service.registry();
    const items = [await service.item(registry), await service.item(registry)];
    const list = `/registries/${registry}/items`;
    const before = await look(service.call, 'bob', list);
    const meta = { registry_item_ids: JSON.stringify([...items].reverse()) };
    assert.equal((await service.onHost('POST', `registry/${registry}`, 'alice', { meta })).status, 200);
    const now = await service.call('bob', `GET ${list}`, undefined, known(before.etag));
    const ids = expected(200, now).map(({ id }: { id: number }) => id);
    assert.deepEqual(ids, [...items].reverse());
  });

  it('is new at once at another service on the same store', async () => {
    await using one = await openClaimService({ REGISTRY_CACHE_TTL: '0' });
    const registry = await one.registry();
    const item = await one.item(registry);
    const env = { DATABASE_URL: one.store.url, HOST_URL: one.host.url, REGISTRY_CACHE_TTL: '0' };
    await using two = await startTestService({ ...env, ITEM_ACCESS: 'registry' });
    const calls = [one.call, await callsOf(two)] as const;
    const claims = `POST /registries/${registry}/items/${item}/claims`;
    for (const path of [`/registries/${registry}/items`, '/items']) {
      for (let n = 0; n < 6; n++) {
        const [here, there] = n % 2 ? calls : [calls[1], calls[0]];
        const before = await look(there, 'admin', path);
        assert.deepEqual(await look(here, 'admin', path), before);
        if (n < 4) expected(200, await here('admin', `PUT /items/${item}`, { name: `Pan ${path} ${n}` }));
        else expected(201, await here('bob', claims, {}, key(`${path}${n}`)));
        const answer = await there('admin', `GET ${path}`, undefined, known(before.etag));
        assert.equal(answer.status, 200);
        assert.notEqual(answer.text, before.text);
        assert.deepEqual(await look(here, 'admin', path), { etag: etagOf(answer), text: answer.text });
        if (n === 4) expected(200, await here('admin', `PUT /items/${item}`, { quantity_needed: 99 }));
      }
    }
  });
});

async function openLists(t: TestContext) {
  const parts = partsOf(t);
  const store = parts.use(await openStore());
  const db = parts.use(await openedDatabase(store.url));
  const items = itemStore(db, ONLY_SITE);
  const lists = itemLists({ items, registries: registryStore(db, ONLY_SITE, 'registry') });
  return { items, lists };
}

describe('the lists that are remembered', () => {
  it('are bounded in bytes, and those that are not remembered are as right', async (t) => {
    const { items, lists } = await openLists(t);
    const remembered = rememberedLists(2_000_000);
    const present = listPresenter(remembered, ONLY_SITE);
    const description = 'x'.repeat(40_000);
    const add = (registry_id: number) => items.insert(sample({ registry_id, description }));
    const read = async (id: number) => {
      const answer = await present(await lists.ofRegistry(id, [], 'shown'), true);
      assert.ok(remembered.calculatedSize <= 2_000_000, `${remembered.calculatedSize} bytes`);
      return answer;
    };
    const numberIn = ({ json }: { json: Buffer }) => JSON.parse(json.toString()).length;
    for (let id = 1; id <= 30; id++) for (let n = 0; n < 3; n++) await add(id);
    for (let n = 0; n < 40; n++) await add(99);
    for (const _ of [1, 2]) for (let id = 1; id <= 30; id++) assert.equal(numberIn(await read(id)), 3);
    assert.ok(remembered.size > 3 && remembered.size < 30, `${remembered.size} are remembered`);

    const last = await read(30);
    const large = await read(99);
    assert.equal(numberIn(large), 40);
    assert.equal((await read(99)).etag, large.etag);
    assert.equal(await read(30), last, 'one that is too large takes no place of others');
    const forgotten = await read(1);
    for (let id = 2; id <= 30; id++) await read(id);
    const again = await read(1);
    assert.notEqual(again, forgotten);
    assert.deepEqual(again, forgotten);
    await add(1);
    assert.equal(numberIn(await read(1)), 4);
    for (let limit = 1; limit <= 100; limit += 11) {
      const page = await present(await lists.page(0, limit, async () => () => 'shown'), true);
      assert.equal(numberIn(page), limit);
      assert.ok(remembered.calculatedSize <= 2_000_000);
    }
  });

  it('keep the name of their state while the same items are shown in the same order', async (t) => {
    const { items, lists } = await openLists(t);
    const present = listPresenter(rememberedLists(), ONLY_SITE);
    const [{ id: one }, { id: other }] = [await items.insert(sample({})), await items.insert(sample({}))];
    const tagOf = async (...order: number[]) =>
      (await present(await lists.ofRegistry(sample({}).registry_id, order, 'shown'), false)).etag;
    const tag = await tagOf(one, other);
    for (const order of [[], [one], [one, other + 1, other]])
      assert.equal(await tagOf(...order), tag, `${order}`);
    assert.notEqual(await tagOf(other, one), tag);
  });

  it('have a full page where an item is deleted while the page is made', async (t) => {
    const { items, lists } = await openLists(t);
    for (let n = 0; n < 5; n++) await items.insert(sample({}));
    const newest = (await items.pageOfStates(0, 1))[0]!.id;
    let looks = 0;
    const page = await lists.page(0, 3, async () => {
      const item = (await items.find(newest))!;
      if (looks++ === 0) await items.replace(item, { ...item, is_active: false });
      return () => 'shown';
    });
    const ids = (await page.read()).items.map(({ item }) => item.id);
    assert.deepEqual(ids, [newest - 1, newest - 2, newest - 3]);
    assert.equal(looks, 2);
  });
});

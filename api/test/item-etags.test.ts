import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Answer, type Call, callsOf } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const STRONG = /^"[\x21\x23-\x7e]+"$/;
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

describe('ETags of items', () => {
  let service: TestService;
  let call: Call;
  let registry: string;
  let id: number;
  let item: string;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    registry = `/registries/${(await call('alice', 'POST /registries', { title: 'Ann' })).body.id}`;
  });
  after(() => service.close());
  beforeEach(async () => {
    const body = { name: 'Pan', url: 'https://shop.example/pan' };
    id = (await call('alice', `POST ${registry}/items`, body)).body.data.id;
    item = `/items/${id}`;
  });

  const read = (headers = {}) => call('alice', `GET ${item}`, undefined, headers);
  const update = (headers = {}) => call('alice', `PUT ${item}`, { name: 'Pot' }, headers);

  it('are strong, the same while the item is, and new with every change', async () => {
    const etag = etagOf(await read());
    assert.match(etag, STRONG);
    assert.equal(etagOf(await read()), etag);
    assert.equal(etagOf(await call('alice', `PUT ${item}`, {})), etag);
    const seen = new Set([etag]);
    for (const [target, body] of [
      [`PUT ${item}`, { name: 'Pot' }],
      [`PUT ${registry}/items/${id}/affiliate`, { affiliate_url: 'https://partner.example' }],
      [`DELETE ${registry}/items/${id}/affiliate`],
      [`DELETE ${item}`],
      [`PUT ${item}`, { is_active: true }],
    ] as const) {
      const answer = await call('alice', target, body);
      const now = answer.body?.data ? etagOf(answer) : etagOf(await read());
      assert.match(now, STRONG, target);
      assert.ok(!seen.has(now), target);
      seen.add(now);
    }
    assert.ok(seen.has(etagOf(await read())));
  });

  it('come with every answer that holds one item', async () => {
    const created = await call('bob', 'POST /items', { registry_id: 1, name: 'x', url: 'https://x.example' });
    assert.equal(etagOf(await call('bob', `GET /items/${created.body.data.id}`)), etagOf(created));
    const updated = await update();
    assert.equal(etagOf(await read()), etagOf(updated));
  });

  it('differ for an admin, whose body differs', async () => {
    const [open, admin] = [etagOf(await read()), etagOf(await call('admin', `GET ${item}`))];
    assert.notEqual(open, admin);
    assert.equal((await call('admin', `GET ${item}`, undefined, { 'if-none-match': open })).status, 200);
    assert.equal((await read({ 'if-none-match': admin })).status, 200);
  });

  it('If-None-Match: 304 without a body for the state that is known', async () => {
    const etag = etagOf(await read());
    for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/${etag} , "x"`]) {
      const answer = await read({ 'if-none-match': known });
      assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag], known);
    }
    for (const other of [
      '"other"',
      'W/"other"',
      etag.slice(1, -1),
      '',
      'rubbish,,',
      `${etag.slice(0, -1)}0"`,
    ])
      assert.equal((await read({ 'if-none-match': other })).status, 200, other);
    await update();
    assert.equal((await read({ 'if-none-match': etag })).status, 200);
  });

  it('If-Match: every way of changing an item asks for the current state', async () => {
    const ways = [
      [`PUT ${item}`, { name: 'Pot' }],
      [`PUT ${item}`, {}],
      [`DELETE ${item}`],
      [`DELETE ${registry}/items/${id}`],
      [`PUT ${registry}/items/${id}/affiliate`, { affiliate_url: 'https://partner.example' }],
      [`DELETE ${registry}/items/${id}/affiliate`],
    ] as const;
    const before = await read();
    const etag = etagOf(before);
    for (const [target, body] of ways) {
      for (const stale of ['"other"', `W/${etag}`, '', etag.slice(1, -1), '"a", "b"', 'rubbish']) {
        const answer = await call('alice', target, body, { 'if-match': stale });
        assert.equal(answer.status, 412, `${target} with If-Match: ${stale}`);
        assert.equal(etagOf(answer), etag, 'a 412 names the current state');
      }
    }
    assert.equal((await read()).text, before.text);
  });

  it('If-Match: the current state, any state, or one of several', async () => {
    for (const match of [(etag: string) => etag, () => '*', (etag: string) => `"x" , ${etag},"y"`])
      assert.equal((await update({ 'if-match': match(etagOf(await read())) })).status, 200);
    const affiliate = `${registry}/items/${id}/affiliate`;
    const body = { affiliate_url: 'https://partner.example' };
    const current = async () => ({ 'if-match': etagOf(await read()) });
    assert.equal((await call('alice', `PUT ${affiliate}`, body, await current())).status, 200);
    assert.equal((await call('alice', `DELETE ${affiliate}`, undefined, await current())).status, 204);
    assert.equal(
      (await call('alice', `DELETE ${registry}/items/${id}`, undefined, await current())).status,
      204,
    );
  });

  it('If-Match: of many who start from one state, one succeeds', async () => {
    const etag = etagOf(await read());
    const answers = await Promise.all(Array.from({ length: 20 }, () => update({ 'if-match': etag })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(412)]);
  });

  it('what is not there is 404, whatever was expected of it', async () => {
    await call('alice', `DELETE ${item}`);
    for (const match of ['*', '"other"']) {
      assert.equal((await update({ 'if-match': match })).status, 404);
      assert.equal((await call('alice', `DELETE ${item}`, undefined, { 'if-match': match })).status, 404);
      assert.equal((await read({ 'if-none-match': match })).status, 404);
    }
  });
});

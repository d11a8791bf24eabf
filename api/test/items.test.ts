import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Call, callsOf } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const pan = { registry_id: 1, name: 'Pan', url: 'https://shop.example/pan' };
const full = {
  registry_id: 7,
  name: 'Copper saucepan',
  description: 'The 18 cm one',
  url: 'https://shop.example/saucepan',
  retailer: 'Kitchen & Co',
  image_url: 'https://shop.example/saucepan.jpg',
  price: 129.5,
  quantity_needed: 3,
  quantity_purchased: 1,
  is_active: true,
};
const affiliate = { affiliate_url: 'https://partner.example/?to=saucepan', affiliate_status: 'active' };

describe('items', () => {
  let service: TestService;
  let call: Call;
  let now = Date.parse('2026-11-20T07:09:36.123Z');

  before(async () => {
    service = await startTestService({}, { clock: { wall: () => now, steady: () => performance.now() } });
    call = await callsOf(service);
  });
  after(() => service.close());
  beforeEach(() => {
    now += 1000;
  });

  const create = async (fields: object = {}) => {
    const answer = await call('admin', 'POST /items', { ...pan, ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const get = (id: number) => call('admin', `GET /items/${id}`);
  const listed = async (query = '') => {
    const { status, text, body } = await call('bob', `GET /items${query}`);
    assert.equal(status, 200, text);
    return body.map(({ id }: { id: number }) => id);
  };

  it('takes three fields and fills in the rest', async () => {
    const time = new Date(now).toISOString();
    const { status, body } = await call('alice', 'POST /items', pan);
    const { id, ...data } = body.data;
    assert.deepEqual([status, body.success, body.message], [201, true, 'Item created successfully']);
    assert.ok(Number.isInteger(id));
    assert.deepEqual(data, {
      ...pan,
      description: null,
      retailer: null,
      image_url: null,
      price: null,
      quantity_needed: 1,
      quantity_purchased: 0,
      is_active: true,
      created_at: time,
      updated_at: time,
    });
    assert.match(data.created_at, TIMESTAMP);
  });

  it('gives back every field as it was sent, wherever it is read', async () => {
    const { id, ...item } = await create({ ...full, ...affiliate });
    const { created_at: _, updated_at: __, ...sent } = item;
    assert.deepEqual(sent, { ...full, ...affiliate });
    assert.deepEqual((await get(id)).body, {
      success: true,
      data: { id, ...item },
      message: 'Item retrieved successfully',
    });
    assert.deepEqual((await call('admin', 'GET /items?limit=1')).body, [{ id, ...item }]);
    const { affiliate_url, affiliate_status, ...shown } = item;
    assert.deepEqual((await call('carol', `GET /items/${id}`)).body.data, { id, ...shown });
    assert.deepEqual((await call('carol', 'GET /items?limit=1')).body, [{ id, ...shown }]);
  });

  it('keeps any text as it is', async () => {
    for (const text of [
      `"quoted" 'single' \\ back\\slash </script> <b>&amp; & %41 $1 \${x}`,
      'line\nbreak\r\n\ttab\u0001\u007f\u0085\u2028\u2029 end ',
      '👩‍👩‍👧 e\u0301 é \u00a0 مرحبا שלום 日本語 \u{10ffff}\ufeff\ufffe',
      "'); drop table items; --",
    ]) {
      const { id } = await create({ name: text, description: text, retailer: text, affiliate_url: text });
      const { name, description, retailer, affiliate_url } = (await get(id)).body.data;
      assert.deepEqual([name, description, retailer, affiliate_url], [text, text, text, text]);
    }
  });

  it('takes null for what is optional as if it were absent', async () => {
    const optional = Object.keys({ ...full, ...affiliate }).filter((field) => !(field in pan));
    const item = await create(Object.fromEntries(optional.map((field) => [field, null])));
    const { id: _, ...bare } = await create();
    assert.deepEqual({ ...bare, id: item.id }, item);
  });

  it('ignores fields it does not know, and those it makes itself', async () => {
    const item = await create({
      id: 1e6,
      created_at: 'x',
      updated_at: 'x',
      version: 9,
      json: '{}',
      colour: 1,
    });
    assert.ok(item.id < 1e6);
    assert.match(item.created_at, TIMESTAMP);
    assert.ok(!('version' in item || 'json' in item || 'colour' in item));
    const { body } = await call('admin', `PUT /items/${item.id}`, { id: 5, registry_id: 99, colour: 1 });
    assert.deepEqual(body.data, item);
  });

  it('can be inactive from the start', async () => {
    for (const is_active of [false, 0]) {
      const item = await create({ is_active });
      assert.equal(item.is_active, false);
      assert.equal((await get(item.id)).status, 404);
    }
  });

  describe('PUT', () => {
    it('changes the supplied fields alone', async () => {
      const item = await create({ ...full, ...affiliate });
      let expected = item;
      const changes = { ...full, name: 'Pot', price: 1.25, quantity_needed: 9, affiliate_status: 'expired' };
      const { registry_id: _, ...changeable } = changes;
      for (const [field, value] of Object.entries(changeable)) {
        now += 1000;
        expected = { ...expected, [field]: value, updated_at: new Date(now).toISOString() };
        const { status, body } = await call('admin', `PUT /items/${item.id}`, { [field]: value });
        assert.deepEqual([status, body.message, body.data], [200, 'Item updated successfully', expected]);
        assert.deepEqual((await get(item.id)).body.data, expected);
      }
      assert.equal(expected.created_at, item.created_at);
    });

    it('with nothing in it answers the item unchanged', async () => {
      const item = await create(full);
      now += 1000;
      const { status, body } = await call('admin', `PUT /items/${item.id}`, {});
      assert.deepEqual([status, body.data], [200, item]);
    });

    it('clears optional fields with null, and refuses it for required ones', async () => {
      const item = await create({ ...full, ...affiliate });
      const cleared = {
        description: null,
        retailer: null,
        image_url: null,
        price: null,
        affiliate_url: null,
        affiliate_status: null,
      };
      const { body } = await call('admin', `PUT /items/${item.id}`, cleared);
      assert.deepEqual(body.data, { ...item, ...cleared, updated_at: body.data.updated_at });
      const defaults = { quantity_needed: null, quantity_purchased: null };
      const { quantity_needed, quantity_purchased } = (await call('admin', `PUT /items/${item.id}`, defaults))
        .body.data;
      assert.deepEqual([quantity_needed, quantity_purchased], [1, 0]);
      for (const field of ['name', 'url'])
        assert.equal((await call('admin', `PUT /items/${item.id}`, { [field]: null })).status, 422);
    });

    it('reaches an inactive item only to restore it', async () => {
      for (const is_active of [true, 1]) {
        const { id, ...item } = await create(full);
        await call('admin', `DELETE /items/${id}`);
        for (const body of [
          {},
          { name: 'New' },
          { is_active: false },
          { is_active: 0 },
          { is_active: null },
        ]) {
          const { status } = await call('admin', `PUT /items/${id}`, body);
          assert.equal(status, 404, JSON.stringify(body));
        }
        now += 1000;
        const { status, body } = await call('admin', `PUT /items/${id}`, { is_active, name: 'Back' });
        assert.equal(status, 200);
        const expected = { id, ...item, name: 'Back', updated_at: new Date(now).toISOString() };
        assert.deepEqual(body.data, expected);
        assert.deepEqual((await get(id)).body.data, expected);
      }
    });

    it('with is_active false deactivates', async () => {
      const { id } = await create();
      const { status, body } = await call('bob', `PUT /items/${id}`, { is_active: false });
      assert.deepEqual([status, body.data.is_active], [200, false]);
      assert.equal((await get(id)).status, 404);
    });

    it('loses nothing when many change one item at once', async () => {
      const { id } = await create();
      const { registry_id: _, ...fields } = { ...full, ...affiliate };
      const answers = await Promise.all(
        Object.entries(fields).map(([field, value]) => call('admin', `PUT /items/${id}`, { [field]: value })),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      const { data } = (await get(id)).body;
      for (const [field, value] of Object.entries(fields)) assert.deepEqual(data[field], value, field);
    });
  });

  describe('DELETE', () => {
    it('answers the item, now inactive, and hides it', async () => {
      const item = await create(full);
      now += 1000;
      const { status, body } = await call('admin', `DELETE /items/${item.id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        success: true,
        data: { ...item, is_active: false, updated_at: new Date(now).toISOString() },
        message: 'Item deleted successfully',
      });
      assert.deepEqual((await get(item.id)).body, { detail: 'Item not found' });
      assert.ok(!(await listed()).includes(item.id));
      assert.equal((await call('admin', `DELETE /items/${item.id}`)).status, 404);
    });

    it('happens once when many try', async () => {
      const { id } = await create();
      const answers = await Promise.all(Array.from({ length: 10 }, () => call('bob', `DELETE /items/${id}`)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
    });
  });

  describe('the list', () => {
    let ids: number[];
    before(async () => {
      ids = [];
      for (const answer of await Promise.all(Array.from({ length: 105 }, () => create())))
        ids.push(answer.id);
      ids.sort((a, b) => b - a);
      await call('admin', `DELETE /items/${ids[2]}`);
      ids.splice(2, 1);
    });

    it('is newest first, a hundred unless told', async () => {
      assert.deepEqual(await listed(), ids.slice(0, 100));
      assert.deepEqual(await listed('?limit=4'), ids.slice(0, 4));
      assert.deepEqual(await listed('?skip=2&limit=3'), ids.slice(2, 5));
      assert.deepEqual(await listed('?skip=0&limit=1'), ids.slice(0, 1));
      assert.deepEqual((await listed('?limit=1000')).slice(0, 104), ids);
      assert.deepEqual(await listed('?limit=1&colour=red&__proto__=1'), ids.slice(0, 1));
      for (const skip of [100_000, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await listed(`?skip=${skip}`), []);
    });

    it('refuses other pages than these, and says why', async () => {
      const never = ['-1', '1.5', 'ten', '', '1e2', '0x10', '+1', ' 1', 'null', '9007199254740993'];
      const bad = { limit: [...never, '0', '1001', '1&limit=2'], skip: [...never, '1&skip=1'] };
      for (const [field, values] of Object.entries(bad)) {
        for (const value of values) {
          const { status, body } = await call('bob', `GET /items?${field}=${value}`);
          assert.equal(status, 422, `${field}=${value}`);
          assert.match(body.detail, new RegExp(`^${field}: `), value);
        }
      }
      const { body } = await call('bob', 'GET /items?skip=-1&limit=0');
      assert.match(body.detail, /skip: .*limit: |limit: .*skip: /);
    });
  });

  it('is not there under an id that is none', async () => {
    const { id } = await create();
    const none = [
      '0',
      '-1',
      '1.5',
      'abc',
      `0${id}`,
      `+${id}`,
      '1e3',
      '１',
      `${id}%20`,
      `${id}%00`,
      'NaN',
      '__proto__',
    ];
    for (const one of [...none, '9007199254740993', '9'.repeat(400), String(id + 1000)]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await call(
          'admin',
          `${method} /items/${one}`,
          method === 'PUT' ? {} : undefined,
        );
        assert.deepEqual([status, body], [404, { detail: 'Item not found' }], `${method} ${one}`);
      }
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    const { id } = await create(full);
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => service.fetch(`/items/${id}`, { method, as: 'bob' })),
    );
    assert.equal(head?.status, 200);
    assert.equal(await head?.text(), '');
    for (const name of ['etag', 'content-type', 'content-length'])
      assert.equal(head?.headers.get(name), got?.headers.get(name), name);
    await got?.text();
  });
});

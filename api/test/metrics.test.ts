// @again postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { freePort } from './free-port.ts';
import { keyOf, siteCommand, startManySitesHere } from './many-sites.ts';
import { freshSqlite, PAN, startTestService } from './support.ts';

/** The samples of a metric by the value of their one label; each is there once. */
async function samples(port: number, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.equal(text.match(new RegExp(`^# TYPE ${name} counter$`, 'gm'))?.length, 1, text);
  const found = [...text.matchAll(new RegExp(`^${name}{\\w+="([^"]+)"} (\\d+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, label, count]) => [label, Number(count)]));
}

test('claims are counted: made, refused, and those whose time was over', async () => {
  let passed = 0;
  const clock = { wall: () => Date.now() + passed };
  const port = await freePort();
  const options = { clock, limits: { jobsEveryMs: 20 } };
  await using service = await startTestService({ METRICS_PORT: String(port) }, options);
  const [alice, bob] = [service.client('alice'), service.client('bob')];
  const meta = { registry_invitees: ['bob'] };
  const registry = (await alice.registries.create({ title: 'Ann & Bob', meta }))!;
  const item = (await alice.registries.items.create(registry.id, { ...PAN, quantity_needed: 3 }))!.data;
  const { claims } = bob.registries.items;
  const zero = { pending: 0, reserved: 0 };
  assert.deepEqual(await samples(port, 'trousseau_claims_made_total'), { ...zero, purchased: 0 });
  assert.deepEqual(await samples(port, 'trousseau_claims_expired_total'), zero);

  const key = { idempotencyKey: 'once' };
  const first = (await claims.create(registry.id, item.id, {}, key))!;
  await claims.create(registry.id, item.id, {}, key);
  await claims.create(registry.id, item.id, { state: 'pending' });
  await claims.create(registry.id, item.id, { state: 'purchased' });
  await assert.rejects(claims.create(registry.id, item.id), { data: { status: 409 } });
  await assert.rejects(bob.claims.update(first.id, { quantity: 2 }), { data: { status: 409 } });
  assert.equal(await claims.create(registry.id, 999_999), null);

  const one = { pending: 1, reserved: 1, purchased: 1 };
  assert.deepEqual(await samples(port, 'trousseau_claims_made_total'), one);
  passed = 61 * 60_000;
  const expired = () => samples(port, 'trousseau_claims_expired_total');
  await until('the job counts it', async () => (await expired()).pending !== 0);
  assert.deepEqual(await expired(), { pending: 1, reserved: 0 });
});

test('the busiest of many sites are named, the others counted together', async () => {
  const port = await freePort();
  await using store = await freshSqlite();
  await using many = await startManySitesHere(store, {}, { METRICS_PORT: String(port) });
  const input = Array.from({ length: 25 }, (_, n) => `http://127.0.0.1:1/${n}`).join('\n');
  const { out } = await siteCommand(store, ['add', '-'], { input, env: { PUBLIC_URL: many.url } });
  const bases = out.trim().split('\n');
  for (const base of bases) assert.equal((await many.at(base)('ann', 'GET /items')).status, 502);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const found = text.matchAll(/^trousseau_site_requests_total{site="([^"]+)",outcome="failed"} (\d+)$/gm);
  const named = bases.slice(0, 20).map((base) => [keyOf(base), '1']);
  const seen = [...found].map(([, site, count]) => [site, count]);
  assert.deepEqual(seen, [...named, ['rest', '5']]);
  const zero = { pending: 0, reserved: 0, purchased: 0 };
  assert.deepEqual(await samples(port, 'trousseau_claims_made_total'), zero);
});

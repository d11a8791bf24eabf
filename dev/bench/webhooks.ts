// Changes while webhooks receive each of them: how long the changes take, and when the last message arrives.
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import { freshPostgres } from '../../api/test/postgres.ts';
import { startReceiver } from '../../api/test/receiver.ts';
import { startServiceProcess } from '../../api/test/service-process.ts';
import { authorization, freshSqlite } from '../../api/test/support.ts';
import { until } from '../until.ts';

const CHANGES = 2_000;
const WEBHOOKS = 3;
const ITEMS = 16;
const CALLERS = 8;

export type WebhooksMeasured = {
  name: string;
  bareMs: number;
  changesMs: number;
  allMs: number;
  twice: number;
};

export async function measureWebhooks(onPostgres: boolean): Promise<WebhooksMeasured[]> {
  const measured = [await measureOn('SQLite', freshSqlite)];
  if (onPostgres) measured.push(await measureOn('PostgreSQL', () => freshPostgres()));
  return measured;
}

async function measureOn(name: string, open: typeof freshSqlite): Promise<WebhooksMeasured> {
  await using store = await open();
  const host = await startEmbeddedHost({ file: ':memory:' });
  await using _host = { [Symbol.asyncDispose]: () => host.close() };
  await using receiver = await startReceiver();
  await using service = startServiceProcess({
    ...{ DATABASE_URL: store.url, HOST_URL: host.url, LOOKUP_ALLOW: receiver.host },
  });
  const url = await service.url;
  const ask = async (method: string, path: string, body: object) => {
    const headers = { authorization: authorization('admin'), 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { id } = await ask('POST', '/registries', { title: 'Ann' });
  const items: number[] = [];
  for (let n = 0; n < ITEMS; n++) {
    const pan = { name: 'Pan', url: 'https://shop.example/pan' };
    items.push((await ask('POST', `/registries/${id}/items`, pan)).data.id);
  }
  const change = async (): Promise<number> => {
    const since = performance.now();
    const numbers = Array.from({ length: CHANGES }, (_, n) => n).values();
    const caller = async () => {
      for (const n of numbers) await ask('PUT', `/items/${items[n % ITEMS]}`, { name: `Pan ${since} ${n}` });
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return performance.now() - since;
  };
  await change();
  const bareMs = await change();
  for (let n = 0; n < WEBHOOKS; n++) await ask('POST', '/webhooks', { url: receiver.url(`/${n}`) });
  const since = performance.now();
  const changesMs = await change();
  const came = () =>
    new Set(receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)).size;
  await until('every message has come', async () => came() === CHANGES * WEBHOOKS);
  const allMs = performance.now() - since;
  return { name, bareMs, changesMs, allMs, twice: receiver.received.length - came() };
}

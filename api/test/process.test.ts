import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../dev/until.ts';
import { isUpdateOf, startHostProxy } from './host-proxy.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { authorization, freshSqlite, memoryHost, type Name, PASSWORDS, temporaryFolder } from './support.ts';

const run = promisify(execFile);
const SECRETS = Object.entries(PASSWORDS).flatMap(([name, password]) => [
  ...[password, password.replaceAll(' ', ''), btoa(password), authorization(name as Name).slice(6)],
]);
const headers = { authorization: authorization('alice'), 'content-type': 'application/json' };
const gift = (name: string) => JSON.stringify({ name, url: 'https://shop.example/gift' });

const send = (url: string, method = 'GET', body: string | null = null) =>
  fetch(url, { method, headers, body });

/** No line of the log holds what somebody signed in with; each is JSON with a time and a message. */
function assertCleanLog({ stdout, log }: ServiceProcess) {
  for (const secret of SECRETS) assert.ok(!stdout().includes(secret));
  for (const line of log()) {
    assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(typeof line.msg, 'string');
  }
}

/** Makes a registry. On a busy machine, the host may answer too late for a first request. */
const createRegistry = (url: string): Promise<number> =>
  until('the registry is made', async () => {
    const answer = await send(`${url}/registries`, 'POST', '{"title":"Ann"}');
    return answer.status === 201 && ((await answer.json()) as { id: number }).id;
  });

async function stop(service: ServiceProcess, signal: NodeJS.Signals = 'SIGTERM') {
  service.child.kill(signal);
  assert.deepEqual(await service.exit, { code: 0, signal: null }, service.stderr());
  assertCleanLog(service);
}

describe('the service as a process', { concurrency: 2 }, () => {
  it('says who may sign in, with lines that work when copied, and logs each change and refusal without an address', async () => {
    await using folder = await temporaryFolder();
    await using service = startServiceProcess({ DATABASE_URL: `sqlite:${folder.path}/new/items.db` });
    const url = await service.url;
    await service.said(/curl .*\/items\n/);
    const banner = service.stderr();
    for (const [name, password] of Object.entries(PASSWORDS))
      assert.match(banner, new RegExp(`^ +${name} +${password} +(administrator|subscriber)$`, 'm'));
    assert.match(banner, /for development only[\s\S]*HOST_URL/);
    assert.ok(banner.includes(`${url}/docs`));

    const lines = banner.match(/^ +curl .*$/gm) ?? [];
    assert.equal(lines.length, 3);
    // biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
    const answers: [number, any][] = [];
    for (const line of lines) {
      const { stdout } = await run('sh', ['-c', `${line.trim()} -sS -w '\\n%{http_code}'`]);
      const [body = '', status] = stdout.split(/\n(?=\d+$)/);
      answers.push([Number(status), JSON.parse(body)]);
    }
    const found = answers.map(([status, body]) => `${status} ${body.title}`);
    assert.deepEqual(found, ['200 undefined', '201 Ann & Bob', '200 undefined']);

    const body = JSON.stringify({ registry_id: 1, name: 'Kettle', url: 'https://shop.example/' });
    const named = { ...headers, 'x-request-id': 'check-1' };
    await fetch(`${url}/items`, { method: 'POST', headers: named, body });
    await send(`${url}/registries/9/invitees/guest@example.test`, 'DELETE');
    await fetch(`${url}/items`, { headers: { authorization: 'Basic bm9ib2R5OnNlY3JldA==' } });
    await stop(service);
    const requests = service.log().filter(({ msg }) => msg === 'request');
    const told = requests.map(({ method, route, status, user }) => `${method} ${route} ${status} ${user}`);
    assert.deepEqual(told, [
      ...['POST /registries 201 2', 'POST /items 201 2'],
      ...['DELETE /registries/:id/invitees/:invitee 404 2', 'GET /items 401 undefined'],
    ]);
    assert.equal(requests[1]!.request, 'check-1');
    for (const secret of ['Ann & Bob', 'guest@example.test', 'bm9ib2R5OnNlY3JldA', 'nobody:secret'])
      assert.ok(!service.stdout().includes(secret));
  });

  it('finishes running requests when stopped, and takes no new ones', async () => {
    await using store = await freshSqlite();
    await using host = await memoryHost();
    await using proxy = await startHostProxy(host.url);
    await using service = startServiceProcess({ HOST_URL: proxy.url, DATABASE_URL: store.url });
    const url = await service.url;
    const [id, visited] = [await createRegistry(url), await createRegistry(url)];
    const beside = { registry_id: visited, name: 'Beside', url: 'https://shop.example/' };
    await send(`${url}/items`, 'POST', JSON.stringify(beside));

    // In the hands of a slow host: what a visit begins behind its answer, with a look at the host of its own,
    // and a request, with one more behind it on the same connection.
    let looks = 0;
    const heldVisit = proxy.hold(({ path }) => path.includes(`/registry/${visited}?`) && ++looks > 1);
    const held = proxy.hold(isUpdateOf(id));
    assert.equal((await send(`${url}/registries/${visited}/items`)).status, 200);
    await heldVisit.reached;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const said = text(socket);
    const body = gift('Last');
    socket.write(
      `POST /registries/${id}/items HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await held.reached;
    service.child.kill('SIGTERM');
    await service.logged('stopping');
    socket.write(`GET /items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    await assert.rejects(send(`${url}/items`), 'a new connection is not taken');
    held.release();
    const answers = (await said).split(/(?=HTTP\/1\.1 )/);
    heldVisit.release();
    assert.deepEqual(await service.exit, { code: 0, signal: null }, service.stdout());

    assert.match(answers[0]!, /^HTTP\/1\.1 201 /);
    if (answers[1]) assert.match(answers[1], /^HTTP\/1\.1 503 [\s\S]*"The service is stopping"/);
    assertCleanLog(service);
    const found = service.log().filter(({ level }) => (level as number) > 30);
    assert.deepEqual(found, [], 'no warning');

    // The host knows the item, and no lease is left.
    const hosted = async (registry: number) => {
      const post = await fetch(`${host.url}/wp-json/wp/v2/registry/${registry}?context=edit`, { headers });
      return ((await post.json()) as { meta: Record<string, string> }).meta.registry_item_ids;
    };
    assert.deepEqual([await hosted(visited), await hosted(id)], ['[1]', '[2]']);
    using db = new DatabaseSync(store.url.slice('sqlite:'.length));
    assert.deepEqual(db.prepare('select name from items').all().map(Object.values), [['Beside'], ['Last']]);
    assert.deepEqual(db.prepare('select * from leases').all(), []);
  });

  it('ends on a signal though nobody reads its log any more', async () => {
    await using store = await freshSqlite();
    await using service = startServiceProcess({ DATABASE_URL: store.url, LOG_LEVEL: 'debug' });
    const url = await service.url;
    service.child.stdout?.destroy();
    // 100 kB of lines, more than the log keeps back: it has tried to write some of them.
    for (let line = 1; line <= 500; line++) assert.equal((await send(`${url}/health`)).status, 200);
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.exit, { code: 0, signal: null });
  });

  it('ends at once on a second signal', async () => {
    await using store = await freshSqlite();
    await using host = await memoryHost();
    await using proxy = await startHostProxy(host.url);
    await using service = startServiceProcess({ HOST_URL: proxy.url, DATABASE_URL: store.url });
    const url = await service.url;
    const held = proxy.hold(({ path }) => path.includes('registry'));
    const pending = assert.rejects(send(`${url}/registries`));
    await held.reached;
    service.child.kill('SIGINT');
    await service.logged('stopping');
    service.child.kill('SIGINT');
    assert.deepEqual(await service.exit, { code: 1, signal: null });
    await pending;
    held.release();
  });
});

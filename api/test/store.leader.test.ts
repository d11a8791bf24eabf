import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { asPostgres, type Cluster, startCluster } from '../../dev/faults/cluster.ts';
import { until } from '../../dev/until.ts';
import { Problem } from '../src/contract/problem.ts';
import type { Database } from '../src/store/database.ts';
import { openPostgres } from '../src/store/postgres/driver.ts';
import { freePort } from './free-port.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import { startWay } from './postgres-way.ts';
import { closing, openedDatabase, PAN, partsOf, startTestService, temporaryFolder } from './support.ts';

const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'unavailable';
const insert = (name: string) =>
  [`insert into leases (site_id, name, holder, expires_at) values (1, '${name}', 'x', 1)`] as const;

async function startFront(t: TestContext) {
  const parts = partsOf(t);
  return parts.use(await startWay(parts.use(await freshPostgres()).url));
}

describe('a front that accepts and closes', { skip: await withoutPostgres() }, () => {
  it('is not remembered: all connections work once it leads to the server again', async (t) => {
    const front = await startFront(t);
    const limit = 500;
    await using db = closing(openPostgres(front.url(), limit));
    const asked = () => Array.from({ length: 20 }, () => db.read('select 1'));
    const written = () => Array.from({ length: 5 }, () => db.write(['select 1']));
    // A busy machine may need more than the limit for so many connections.
    await until('all are connected', () => Promise.all(asked()).catch(() => false));
    front.close();
    const since = performance.now();
    // Longer than a statement, an opening connection and a pause may take together.
    while (performance.now() - since < 3 * limit) {
      const answers = await Promise.allSettled([...asked(), ...written()]);
      for (const answer of answers)
        assert.ok(answer.status === 'rejected' && isUnavailable(answer.reason), answer.status);
    }
    front.open();
    let rounds = 0;
    await until('every connection is back', async () => {
      const answers = await Promise.allSettled([...asked(), ...written()]);
      assert.ok(++rounds < 100, 'it is not remembered');
      return answers.every(({ status }) => status === 'fulfilled');
    });
  });

  it('costs a request one limit, however many statements it has', async (t) => {
    const front = await startFront(t);
    const storeMs = 4_000;
    await using service = await startTestService({ DATABASE_URL: front.url() }, { limits: { storeMs } });
    const key = { 'idempotency-key': '"slow"' };
    const json = { registry_id: 1, ...PAN };
    const post = () => service.fetch('/items', { method: 'POST', as: 'alice', json, headers: key });
    await until('the store is in time', async () => (await service.fetch('/items', { as: 'alice' })).ok);
    // Each statement alone is in time, so only a limit for all of them together refuses the request.
    front.delayMs = 0.4 * storeMs;
    const answer = await post();
    assert.equal(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
    front.delayMs = 0;
    await until('the request succeeds', async () => (await post()).status === 201);
  });
});

describe('the leader of a cluster', { skip: withoutServer() }, () => {
  const parts = partsOf({ after });
  let [former, next]: [Cluster, Cluster] = [] as never;
  // The service's one address: a proxy that leads to the server it is told to.
  let front: Awaited<ReturnType<typeof startWay>>;
  before(async () => {
    former = parts.use((await startCluster())!);
    await (await openedDatabase(former.url)).close();
    await former.stop();
    next = parts.use((await startCluster(former))!);
    await former.start();
    front = parts.use(await startWay(former.url));
  });

  const portsOf = async (db: Database) => {
    const asked = Array.from({ length: 20 }, () => db.read('select inet_server_port()'));
    return [...new Set((await Promise.all(asked)).flat(2))];
  };
  const portOf = ({ url }: Cluster) => Number(new URL(url).port);
  const say = async (cluster: Cluster, ...statements: string[]) => {
    await using session = await cluster.session();
    for (const statement of statements) await session.query(statement);
  };

  it('is a server that takes writes: others are refused in words', async () => {
    await assert.rejects(openedDatabase(next.url), /cannot be used: this server is a standby/);
    const readOnly = `${former.url}?options=-c%20default_transaction_read_only%3Don`;
    await assert.rejects(openedDatabase(readOnly), /cannot be used: this server is read-only/);
  });

  it('is confirmed by the standby before a write is answered', async () => {
    const limits = { storeMs: 5_000 };
    await using service = await startTestService({ DATABASE_URL: former.url }, { limits });
    const json = { registry_id: 1, ...PAN, name: 'Unconfirmed' };
    const headers = { 'idempotency-key': '"unconfirmed"' };
    const post = () => service.fetch('/items', { method: 'POST', as: 'alice', json, headers });
    const [about, ...guards] = service.log.filter((line) => line.includes('answered writes are on'));
    assert.match(about!, /on one machine's disk: synchronous_commit is on/);
    assert.equal(guards.length, 0);
    await using session = await former.session();
    const confirmBy = async (change: string) => {
      await session.query(`alter system ${change}`);
      await session.query('select pg_reload_conf()');
    };
    const byStandby = 'reset synchronous_standby_names';
    const byNobody = "set synchronous_standby_names = 'nobody'";
    try {
      await confirmBy(byNobody);
      const waiting = `select pid, query from pg_stat_activity
        where wait_event = 'SyncRep' and application_name = 'trousseau-api'`;
      const cancel = `select pg_cancel_backend(pid) from (${waiting}) as one`;
      // The key's own commit waits first, and after it that of the item.
      const cancelled = async () => {
        let found: Response | undefined;
        void post().then((answer) => (found = answer));
        const isAnswered = () => session.query(cancel).then(() => found);
        const answer = await until('the write is answered', isAnswered);
        return { status: answer.status, detail: ((await answer.json()) as { detail: string }).detail };
      };
      let answer = await cancelled();
      // Where work of the service itself was cancelled just before, the leader counts as gone and nothing was sent to it.
      for (let tries = 0; tries < 5 && /cannot be reached/.test(answer.detail); tries++) {
        await confirmBy(byStandby);
        const isFound = async () => (await service.fetch('/items', { as: 'alice' })).ok;
        await until('the leader is found anew', isFound);
        await confirmBy(byNobody);
        answer = await cancelled();
      }
      assert.equal(answer.status, 503);
      assert.match(answer.detail, /^This may have happened/);
      // The leader shows what it alone has; nobody is told before the standby has it.
      const read = await service.fetch('/items', { as: 'alice' });
      assert.equal(read.status, 503);
      await confirmBy(byStandby);
      await until('the repeated request is answered', async () => (await post()).status === 201);
      const { rows } = await session.query("select id from items where name = 'Unconfirmed'");
      assert.equal(rows.length, 1);
    } finally {
      await confirmBy(byStandby);
    }
  });

  it('is found anew when it takes no writes any more, by all connections', async () => {
    await using db = await openedDatabase(front.url());
    await db.write(insert('before'));
    assert.deepEqual(await portsOf(db), [portOf(former)]);
    await say(next, 'select pg_promote()');
    front.target = next.url;
    // A former leader that goes on, as one that was frozen: it does not know that another has replaced it.
    await db.write(insert('to the former'));
    await say(former, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    // Until its sessions have read that setting, the former takes writes as before.
    let writes = 0;
    await until('the next takes writes, and only it answers', async () => {
      await db.write(insert(`to the next ${writes++}`)).catch(() => {});
      return isDeepStrictEqual(await portsOf(db).catch(() => []), [portOf(next)]);
    });
    const setting = 'default_transaction_read_only';
    await say(former, `set ${setting} = off`, `alter system reset ${setting}`, 'select pg_reload_conf()');
  });

  it('is never asked by connections from before it was frozen and replaced', async () => {
    front.target = former.url;
    await using db = closing(openPostgres(front.url(), 1_000));
    // A busy machine may need more than the limit for so many statements.
    const ports = () => until('all are answered in time', () => portsOf(db).catch(() => undefined));
    assert.deepEqual(await ports(), [portOf(former)]);
    former.signal('SIGSTOP');
    front.target = next.url;
    try {
      await assert.rejects(db.read('select 1'), isUnavailable);
      await until('another server answers', () => db.read('select 1').catch(() => false));
    } finally {
      former.signal('SIGCONT');
    }
    // All but one of its connections heard nothing of that, and it would answer over them as before.
    assert.deepEqual(await ports(), [portOf(next)]);
  });

  it('is said at the start and by the doctor: whether answered writes are kept', async () => {
    await using db = await openedDatabase(next.url);
    assert.deepEqual(Object.keys(await db.durability()), ['words']);
    await using off = closing(openPostgres(`${next.url}?options=-c%20synchronous_commit%3Doff`, 60_000));
    const { words, cure } = await off.durability();
    assert.match(words, /loses answered writes: synchronous_commit is off/);
    assert.ok(cure);
  });
});

describe('PgBouncer', { skip: (await withoutPostgres()) || withoutPgBouncer() }, () => {
  it('says which settings it refuses, and works in transaction mode', async (t) => {
    const refusing = await startPgBouncer(t);
    await assert.rejects(openedDatabase(refusing), /unsupported startup parameter: statement_timeout/);
    const bouncer = await startPgBouncer(t, 'ignore_startup_parameters = statement_timeout, options\n');
    await using db = await openedDatabase(bouncer);
    const update = 'update leases set expires_at = $2 where site_id = 1 and name = $1';
    for (let round = 0; round < 5; round++) {
      const reads = Array.from({ length: 60 }, (_, i) => db.read(`select $1::integer + ${i % 7}`, [i]));
      const writes = Array.from({ length: 60 }, (_, i) =>
        db.write(insert(`${round} ${i}`), [update, [`${round} ${i}`, i]]),
      );
      const read = (await Promise.all(reads)).flat(2);
      assert.ok(read.every((sum, i) => sum === i + (i % 7)));
      assert.ok((await Promise.all(writes)).every(({ count }) => count === 1));
    }
    assert.deepEqual(await db.read('select count(*), sum(expires_at) from leases'), [[300, 5 * 1770]]);
  });
});

async function startPgBouncer(t: TestContext, more = '') {
  const parts = partsOf(t);
  const empty = parts.use(await freshPostgres());
  const folder = parts.use(await temporaryFolder());
  const { hostname, port: far, searchParams } = new URL(empty.url);
  const port = await freePort();
  const setting = searchParams.get('options')!.replace('-c ', '');
  const file = join(folder.path, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
postgres = host=${hostname} port=${far || 5432} dbname=postgres user=postgres connect_query='set ${setting}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
${more}`,
  );
  const { prefix, own } = asPostgres() ?? { prefix: [], own: () => {} };
  own(folder.path);
  const [command = '', ...args] = [...prefix, 'pgbouncer', '-q', file];
  const env = { PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(command, args, { stdio: 'ignore', cwd: folder.path, env });
  const ended = once(child, 'exit');
  parts.defer(async () => void (child.kill('SIGKILL') && (await ended)));
  await until('PgBouncer listens', async () => {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(Boolean, () => false);
    socket.destroy();
    return isOpen;
  });
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

function withoutServer(): string | false {
  return missing(asPostgres() !== undefined, 'there is no /usr/lib/postgresql');
}

function withoutPgBouncer(): string | false {
  const { status } = spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v pgbouncer']);
  return missing(status === 0, 'there is no pgbouncer');
}

function missing(isThere: boolean, why: string): string | false {
  if (isThere) return false;
  if (process.env.CI === 'true') throw new Error(why);
  return why;
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { outbound } from '../src/lib/outbound.ts';

const LIMITS = { connections: 1, connectMs: 5_000, totalMs: 5_000, bytes: 1_000, pending: 1 };

test('a machine is asked over HTTP/1.1, where a connection has one request at a time', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const machine = outbound(LIMITS);
  t.after(machine.destroy);
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = machine.exchange(url, { method: 'GET' }, async () => {}, AbortSignal.timeout(5_000));
  const [socket] = await once(server, 'connection');
  // The list of protocols is readable in the first bytes of TLS.
  const [hello] = await once(socket, 'data');
  socket.destroy();
  await assert.rejects(asked);
  assert.ok(!hello.includes('\x02h2'));
});

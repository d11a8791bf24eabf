// The server in front of PHP's processes, with a stand-in for PHP.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { freePort } from '../../api/test/free-port.ts';
import { startPhpServer } from '../wordpress/php-server.ts';

test('a visitor who leaves while they wait for PHP keeps nobody else from it', async (t) => {
  const gate = Promise.withResolvers<void>();
  const php = createServer((socket) => {
    socket.once('data', async () => {
      await gate.promise;
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhere');
    });
  });
  await once(php.listen(0, '127.0.0.1'), 'listening');
  const port = await freePort();
  const front = await startPhpServer(port, 1, async () => (php.address() as AddressInfo).port);
  t.after(() => {
    front.stop();
    php.close();
  });
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();

  const first = ask();
  await once(php, 'connection');
  const leaving = connect(port, '127.0.0.1');
  await once(leaving, 'connect');
  leaving.write('GET / HTTP/1.1\r\n');
  for (let turns = 0; turns < 20; turns++) await turn();
  leaving.resetAndDestroy();
  const last = ask();
  for (let turns = 0; turns < 20; turns++) await turn();
  gate.resolve();
  assert.deepEqual(await Promise.all([first, last]), ['here', 'here']);
});

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** A DNS server whose answers the test decides; undefined: it says nothing at all. */
export async function startNameServer(answer: (name: string, type: 'A' | 'AAAA') => string[] | undefined) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at++]!; length > 0; length = query[at++]!) {
      labels.push(query.subarray(at, at + length).toString());
      at += length;
    }
    const type = TYPES[query.readUInt16BE(at)];
    if (!type) return;
    const name = labels.join('.').toLowerCase();
    asked.push(`${name} ${type}`);
    const addresses = answer(name, type);
    if (!addresses) return;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((one) => recordOf(type, one));
    socket.send(Buffer.concat([head, query.subarray(12, at + 4), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** Where it listens, as a resolver takes it. */
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function recordOf(type: 'A' | 'AAAA', address: string): Buffer {
  // Written out in full: eight groups.
  const hex = address.split(':').map((group) => group.padStart(4, '0'));
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : Buffer.from(hex.join(''), 'hex');
  const head = Buffer.from([0xc0, 0x0c, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

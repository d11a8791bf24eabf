import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConnectRules } from '../../src/internet/connect.ts';
import { dnsResolver } from '../../src/internet/dns.ts';
import { isPublicIp } from '../../src/internet/public-ips.ts';
import { startTestService, type TestService } from '../support.ts';
import { startNameServer } from './name-server.ts';
import { EVERYWHERE, sellsPan, startBareShop, startShop } from './shop-server.ts';

const serviceWith = (rules: Partial<ConnectRules>, env: Record<string, string> = {}) =>
  startTestService(env, { pages: { rules } });

/** Asks the test's own name server, for as long as a busy machine takes. */
const resolverAt = ({ address }: { address: string }) => dnsResolver([address], 30_000);

async function problemOf(service: TestService, url: string): Promise<string | undefined> {
  const answer = await service.client('admin').lookup(url);
  if (answer?.problem) {
    const { name, price, image_url, description, currency } = answer;
    assert.deepEqual([name, price, image_url, description, currency], Array(5).fill(null), url);
    assert.doesNotMatch(answer.problem.detail, /\d+\.\d+|::|port/, 'nothing of the inside is told');
  }
  return answer?.problem?.code;
}

/** Every way to write this machine's own address, or one that leads to it. */
const INWARD = [
  ...['127.0.0.1', '127.1', '127.0.0.1.', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['%31%32%37.0.0.1', '１２７.０.０.１', '127。0。0。1', '0', '0.0.0.0'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
];
const INWARD_NAMES = ['localhost', 'LOCALHOST.', 'shop.localhost'];

describe('the address guard', () => {
  it('connects to no internal address, in any spelling, with or without TLS', async () => {
    await using shop = await startShop(sellsPan, EVERYWHERE);
    await using service = await serviceWith({ ports: [shop.port] });
    for (const host of [...INWARD, ...INWARD_NAMES])
      for (const scheme of ['http', 'https']) {
        const problem = await problemOf(service, `${scheme}://${host}:${shop.port}/pan`);
        assert.equal(problem, INWARD.includes(host) ? 'not_allowed' : 'unreachable', `${scheme} ${host}`);
      }
    assert.equal(shop.connections, 0);
  });

  it('reaches what LOOKUP_ALLOW names, by that name and port only', async () => {
    await using shop = await startShop(sellsPan);
    await using other = await startShop(sellsPan);
    await using service = await serviceWith({}, { LOOKUP_ALLOW: `localhost:${shop.port}` });
    assert.equal(await problemOf(service, `http://localhost:${shop.port}/pan`), undefined);
    assert.equal(await problemOf(service, `http://LocalHost:${shop.port}/other`), undefined);
    assert.equal(shop.connections, 2);
    const others = [`http://localhost:${other.port}/`, `http://localhost.:${shop.port}/`];
    for (const url of [`${shop.url}/pan`, ...others])
      assert.equal(await problemOf(service, url), 'not_allowed', url);
    assert.deepEqual([shop.connections, other.connections], [2, 0]);
  });

  it('takes ports 80 and 443 only, of public addresses too', async () => {
    await using service = await startTestService();
    for (const port of [1, 22, 81, 8080, 8443, 65535])
      assert.equal(await problemOf(service, `http://8.8.8.8:${port}/`), 'not_allowed', String(port));
  });

  it('refuses names that resolve inward, all addresses of them or one, as if they did not exist', async () => {
    const NAMES: Record<string, string[]> = {
      'inward.example': ['127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      'both.example': ['8.8.8.8', '10.0.0.1'],
      'six.example': ['0:0:0:0:0:0:0:1'],
      'mapped.example': ['0:0:0:0:0:ffff:7f00:1'],
      'mixed.example': ['8.8.8.8', 'fd00:0:0:0:0:0:0:1'],
    };
    await using names = await startNameServer((name, type) =>
      (NAMES[name] ?? []).filter((address) => address.includes(':') === (type === 'AAAA')),
    );
    await using shop = await startShop(sellsPan, EVERYWHERE);
    await using service = await serviceWith({ ports: [shop.port], resolve: resolverAt(names) });
    const answerTo = async (name: string, scheme: string) => {
      const answer = await service.client('admin').lookup(`${scheme}://${name}:${shop.port}/`);
      return JSON.stringify(answer).replaceAll(name, 'NAME');
    };
    for (const scheme of ['http', 'https']) {
      const toNobody = await answerTo('nowhere.example', scheme);
      assert.match(toNobody, /"code":"unreachable"/);
      for (const name of Object.keys(NAMES)) assert.equal(await answerTo(name, scheme), toNobody, name);
    }
    const log = service.log.join('');
    for (const name of Object.keys(NAMES))
      assert.ok(log.includes(`${name} is `), `the operator learns of ${name}`);
    assert.equal(shop.connections, 0);
    assert.ok(names.asked.includes('inward.example A'));
  });

  it('resolves a name at each connection, and connects only to the addresses of that answer', async () => {
    // The address that the tests call public is another one of this machine.
    const isPublicHere = (address: string) => address === '127.0.0.2' || isPublicIp(address);
    let visits = 0;
    await using outer = await startShop((request, response) => {
      visits++;
      response.writeHead(302, { location: `http://${request.headers.host}/again` }).end();
    }, '127.0.0.2');
    await using inner = await startShop(sellsPan, '127.0.0.1', outer.port);
    let times = 0;
    await using names = await startNameServer((_name, type) => {
      if (type === 'AAAA') return [];
      times++;
      return [times === 1 ? '127.0.0.2' : '127.0.0.1'];
    });
    const resolve = resolverAt(names);
    await using service = await serviceWith({ ports: [outer.port], isPublicIp: isPublicHere, resolve });
    assert.equal(await problemOf(service, `http://rebinding.example:${outer.port}/`), 'unreachable');
    assert.deepEqual([visits, times, inner.connections], [1, 2, 0]);
  });

  it('checks the address of an open connection before it sends a byte', async () => {
    let heard = 0;
    await using shop = await startBareShop((socket) => socket.on('data', () => heard++));
    for (const scheme of ['http', 'https']) {
      let asked = 0;
      // The first check takes the address for public, as if the name's address changed afterwards.
      const service = await serviceWith({ ports: [shop.port], isPublicIp: () => asked++ === 0 });
      assert.equal(await problemOf(service, `${scheme}://127.0.0.1:${shop.port}/`), 'not_allowed');
      assert.equal(asked, 2);
      await service.close();
    }
    assert.deepEqual([shop.connections, heard], [2, 0]);
  });

  it('checks each redirect again, whoever sends it', async () => {
    await using inner = await startShop(sellsPan);
    const ways: Record<string, { location: string }> = {
      '/301': { location: `${inner.url}/pan` },
      '/without-scheme': { location: `//${inner.host}/pan` },
      '/file': { location: 'file:///etc/passwd' },
      '/gopher': { location: `gopher://${inner.host}/_GET` },
    };
    await using outer = await startShop((request, response) =>
      response.writeHead(301, ways[request.url!]!).end(),
    );
    await using service = await serviceWith({}, { LOOKUP_ALLOW: outer.host });
    for (const path of Object.keys(ways))
      assert.equal(await problemOf(service, outer.url + path), 'not_allowed', path);
    assert.equal(outer.connections, Object.keys(ways).length);
    assert.equal(inner.connections, 0);
  });
});

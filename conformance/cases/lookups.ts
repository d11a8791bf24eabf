import assert from 'node:assert/strict';
import { alone, section } from '../case.ts';
import { ok, type World } from '../world.ts';

const FIELDS = ['name', 'description', 'image_url', 'price', 'currency', 'retailer'];

async function lookUp(world: World, url: unknown, as: 'owner' | 'guest' | 'stranger' = 'owner') {
  const answer = await world.call(as, 'POST /lookups', { url });
  world.needs(answer.status !== 404, 'LOOKUPS is off');
  return answer;
}

export const lookups = section('items.md#looking-up-a-shops-page', {
  'lookup-refuses-what-is-no-web-address': async (world) => {
    for (const url of [
      ...[undefined, null, 5, {}, '', 'x', 'http://x', `https://shop.invalid/${'x'.repeat(2000)}`],
      ...['ftp://shop.invalid/pan', 'file:///etc/passwd', 'javascript:alert(1)', 'shop.invalid/a-pan'],
      ...['https://user@shop.invalid/pan', 'https://user:secret@shop.invalid/', 'https://shop.invalid/\0'],
    ])
      assert.match(ok(422, await lookUp(world, url)).detail, /^url: /);
  },

  'lookup-of-an-address-that-is-not-public-is-not-allowed': async (world) => {
    for (const url of [
      ...['http://10.0.0.1/', 'http://192.168.0.1/', 'http://172.16.0.1/', 'http://100.64.0.1/'],
      ...['http://169.254.169.254/latest/', 'http://[fe80::1]/', 'http://[fd00::1]/', 'http://224.0.0.1/'],
      ...['http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::a00:1]/', 'http://0.0.0.0/', 'http://127.0.0.1:22/'],
      ...['http://2130706433/', 'http://[::1]/x'],
    ]) {
      const { problem, sources } = ok(200, await lookUp(world, url, 'guest'));
      assert.equal(problem.code, 'not_allowed', url);
      assert.ok(problem.detail.length > 0);
      const others = Object.keys(sources).filter((field) => sources[field] !== 'address');
      assert.deepEqual(others, [], url);
    }
  },

  'lookup-of-a-shop-that-is-not-there-says-so-and-invents-nothing': async (world) => {
    const lookup = ok(200, await lookUp(world, 'https://shop.invalid/a-pan'));
    assert.deepEqual(Object.keys(lookup).sort(), ['url', ...FIELDS, 'sources', 'problem'].sort());
    assert.equal(lookup.url, 'https://shop.invalid/a-pan');
    assert.match(lookup.problem.code, /^(unreachable|late)$/);
    for (const field of ['name', 'description', 'image_url', 'price', 'currency'])
      assert.equal(lookup[field], null);
  },

  'lookups-are-limited-for-a-caller-and-say-how-long': alone(async (world) => {
    // Several processes may count separately. Addresses like this one are refused without a request.
    let answer = await lookUp(world, 'http://10.0.0.1/', 'stranger');
    for (let n = 0; n < 400 && answer.status === 200; n++)
      answer = await lookUp(world, 'http://10.0.0.1/', 'stranger');
    ok(429, answer);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `Retry-After: ${seconds}`);
  }),
});

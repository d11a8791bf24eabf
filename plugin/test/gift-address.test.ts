import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftFragment, giftIn } from '../src/Gifts/scripts/gift-address.ts';

const URL_OF_IT = 'https://shop.example/p/kettle?size=2&colour=blue#top';

test('fields that were written are read again', () => {
  const fields = {
    url: URL_OF_IT,
    name: 'Kettle & “Teapot”, 50 % für Œuvre 茶壶 = #1',
    description: 'a+b c',
    image_url: 'https://cdn.shop.example/a%20b.jpg?x=1&y=2',
    price: 1299.9,
    currency: 'EUR',
    retailer: 'Shop & Co',
  };
  const fragment = giftFragment(fields);
  assert.doesNotMatch(fragment, /[#\s"<>]/);
  assert.deepEqual(giftIn(fragment), fields);
  assert.deepEqual(giftIn(`#${fragment}`), fields);
  assert.deepEqual(giftIn(new URL(`https://gifts.example/registries/add/#${fragment}`).hash), fields);
});

test('unknown fields are not written', () => {
  const found = giftFragment({ url: 'https://shop.example/', name: '' });
  assert.equal(found, 'gift=1&url=https%3A%2F%2Fshop.example%2F');
});

test('a fragment of another kind, or without an address, holds no gift', () => {
  for (const fragment of [
    ...['', '#', '#gifts', '#url=https://shop.example/', '#gift=1', '#gift=1&url='],
    ...['#gift=1&url=javascript:alert(1)', '#gift=1&url=//shop.example/'],
    '#gift=1&url=https://user:word@shop.example/',
    `#gift=1&url=https://shop.example/${'x'.repeat(2_000)}`,
  ])
    assert.equal(giftIn(fragment), null, fragment.slice(0, 60));
});

test('a forged address fills no field with a value that it cannot have', () => {
  const bad = {
    price: ['-1', '0', '1e3', 'NaN', 'Infinity', '1,5', ' 5', '12345678901', '0x10', '1.2345'],
    currency: ['eur', 'EURO', '€', '<b>'],
    image_url: ['javascript:x', 'data:image/png;base64,AA', '/k.jpg', 'https://a:b@shop.example/k.jpg'],
    name: ['', ' ', '\n\t'],
  };
  for (const [field, values] of Object.entries(bad))
    for (const value of values) {
      const gift = giftIn(new URLSearchParams({ gift: '1', url: URL_OF_IT, [field]: value }).toString());
      assert.deepEqual(gift, { url: URL_OF_IT }, `${field}: ${value}`);
    }
  const fields = { gift: '1', url: URL_OF_IT, name: '🎁'.repeat(900), retailer: 'a\u0000b' };
  const long = giftIn(new URLSearchParams(fields).toString());
  assert.equal([...long!.name!].length, 500);
  assert.equal(long!.retailer, 'a b');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountsIn, readMachinePrice } from '../../src/shop/amounts.ts';
import { PRICES } from './prices.ts';

test('prices of many countries are read correctly or not at all', () => {
  const wrong: string[] = [];
  for (const [text, value, currency] of PRICES) {
    const [found, ...more] = amountsIn(text);
    const codes =
      found?.currencies.length === 1 || found?.currencies[0] === 'GBP' ? found.currencies[0] : '?';
    const isRight = found ? found.value === value && codes === currency && more.length === 0 : value === null;
    if (!isRight) wrong.push(`${text}: ${found?.value} ${codes}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(PRICES.length >= 300, `${PRICES.length} strings`);
});

test('a price in markup is one number, two readings of it, or none', () => {
  const cases: [price: unknown, currency: string | null, values: number[]][] = [
    ['43.90', 'EUR', [43.9]],
    [43.9, 'EUR', [43.9]],
    ['43,90', 'EUR', [43.9]],
    ['1.299,00', 'EUR', [1299]],
    ['1,299.00', 'USD', [1299]],
    ['1299', 'USD', [1299]],
    ['€ 43,90', 'EUR', [43.9]],
    ['43.90 EUR', 'EUR', [43.9]],
    ['1.299', 'EUR', [1.299, 1299]],
    ['24.990', 'EUR', [24.99, 24990]],
    ['12.500', 'KWD', [12.5]],
    ['43.900000', 'EUR', [43.9]],
    ['36.8907563', 'EUR', [36.89]],
    ['0', 'EUR', []],
    ['0.00', 'EUR', []],
    [0, 'EUR', []],
    ['', 'EUR', []],
    [null, 'EUR', []],
    ['-5', 'EUR', []],
    ['from 43.90', 'EUR', []],
    ['43.90 - 59.90', 'EUR', []],
    ['Call for price', 'EUR', []],
    [Number.NaN, 'EUR', []],
    ['1e3', 'EUR', []],
  ];
  for (const [price, currency, values] of cases) {
    assert.deepEqual(readMachinePrice(price, currency), values, `${price} ${currency}`);
  }
});

// Decisions of the pages' scripts, tested without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownPrice } from '../src/Gifts/scripts/card.ts';
import { fieldsFor } from '../src/Gifts/scripts/from-shop.ts';
import { giftFragment } from '../src/Gifts/scripts/gift-address.ts';
import { arranged, fits, plain } from '../src/Gifts/scripts/looking.ts';
import { places } from '../src/Gifts/scripts/order.ts';
import { cut } from '../src/Platform/scripts/picture.ts';

test('a tall picture fills its frame with the part that was chosen, and any other stays whole', () => {
  assert.deepEqual(cut(300, 600, 4 / 3, 0), { top: 0, part: 225 });
  assert.deepEqual(cut(300, 600, 4 / 3, 0.5), { top: 188, part: 225 });
  assert.deepEqual(cut(300, 600, 4 / 3, 1), { top: 375, part: 225 });
  assert.deepEqual(cut(600, 300, 4 / 3, 0.5), { top: 0, part: 300 });
});

test('the places of some things, put in one after the other, make the same list', () => {
  const before = ['a', 'b', 'c', 'd', 'e'];
  const after = ['e', 'a', 'd', 'c', 'b'];
  for (const some of [new Set(['e', 'd', 'b', 'c']), new Set(['e', 'b', 'd']), new Set(before)]) {
    let list = before.filter((thing) => !some.has(thing));
    for (const [thing, place] of places(after, some, 0)) list = list.toSpliced(place, 0, thing);
    assert.deepEqual(list, after);
  }
  assert.deepEqual(places(after, new Set(['d']), 100), [['d', 102]]);
});

test('a filter keeps the gifts that have its words, its heading and at most its price', () => {
  const text = plain('Crêpe pan\nOf cast iron\nMaison Bérard');
  const gift = { text, amount: 20, section: '', isGroup: false, isGiven: false };
  const all = { words: '', upTo: 0, section: null, onlyNeeded: false, onlyGroup: false };
  assert.equal(fits(gift, all), true);
  for (const words of ['crepe', ' PAN  bérard ', 'iron pan', 'berard'])
    assert.equal(fits(gift, { ...all, words }), true, words);
  for (const words of ['pot', 'pan pot', 'crepes']) assert.equal(fits(gift, { ...all, words }), false, words);
  const highest = (upTo: number) =>
    [0, 20, 20.01, 500].map((amount) => fits({ ...gift, amount }, { ...all, upTo }));
  assert.deepEqual(highest(20), [true, true, false, false], 'one without a price fits any');
  for (const none of [0, Number.NaN]) assert.deepEqual(highest(none), [true, true, true, true]);
  const headings = [null, '', 'Bath'].map((section) => fits(gift, { ...all, section }));
  assert.deepEqual(headings, [true, true, false]);
  const given = { ...gift, isGiven: true };
  assert.equal(fits(given, all), true);
  const needed = [gift, given].map((one) => fits(one, { ...all, onlyNeeded: true }));
  const groups = [gift, { ...gift, isGroup: true }].map((one) => fits(one, { ...all, onlyGroup: true }));
  assert.deepEqual(
    [needed, groups],
    [
      [true, false],
      [false, true],
    ],
  );
});

test('gifts stand under their headings in the owner’s order, given ones below or in their place', () => {
  const gift = (place: number, section: string, isGiven = false) => ({ place, section, isGiven });
  const gifts = [gift(3, 'Bath'), gift(1, 'Kitchen', true), gift(0, 'Kitchen'), gift(2, '', true)];
  const places = (neededFirst: boolean) => {
    const { sections, folded } = arranged(gifts, neededFirst);
    const of = (list: typeof gifts) => list.map(({ place }) => place);
    return [Object.fromEntries([...sections].map(([name, list]) => [name, of(list)])), of(folded)];
  };
  assert.deepEqual(places(true), [{ Kitchen: [0], Bath: [3] }, [1, 2]]);
  assert.deepEqual(places(false), [{ Kitchen: [0, 1], '': [2], Bath: [3] }, []]);
});

test('facts that the bookmark found go into the form’s own fields', () => {
  const known = { name: 'Pan', currency: 'EUR' };
  const gift = { ...known, url: 'https://shop.example/pan', price: 24.9 };
  const unknown = { description: '', image: '', retailer: '' };
  const fields = { ...known, ...unknown, address: 'https://shop.example/pan', price: '24.9' };
  assert.deepEqual(fieldsFor(`#${giftFragment(gift)}`), fields);
  for (const fragment of ['', '#', '#trousseau-item-3', '#gift=1&url=javascript:alert(1)&name=x'])
    assert.equal(fieldsFor(fragment), null, fragment);
});

test('a card shows a typed price as pages do, another currency as it was typed, and nothing that is no price', () => {
  const cases: [string, string, string, string][] = [
    ['20', 'EUR', 'en-US', '€20'],
    ['24.9', 'EUR', 'en-US', '€24.90'],
    ['24,90', 'EUR', 'de-DE', '24,90\u00a0€'],
    ['1.299,50', 'EUR', 'de-DE', '1.299,50'],
    [' £20 ', 'EUR', 'en-US', '£20'],
    ['20 kr.', 'EUR', 'en-US', '20 kr.'],
    ['٢٠', 'EUR', 'ar', '٢٠'],
    ['about 20', 'EUR', 'en-US', ''],
    ['abc', 'EUR', 'en-US', ''],
    ['20', '', 'en-US', '20'],
    ['', 'EUR', 'en-US', ''],
  ];
  for (const [text, currency, language, shown] of cases)
    assert.equal(shownPrice(text, currency, language), shown, text);
});

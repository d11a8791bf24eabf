// The history checker finds what a store must never do, and accepts every history that a correct store could produce. Its model of an
// item compares every field that an owner can write.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ItemPublic, ItemUpdate } from '../../api/src/contract/index.ts';
import { contradiction } from '../faults/history.ts';
import { itemModel, type SeenClaim, type SeenItem, type What } from '../faults/item-model.ts';
import type { Operation } from '../faults/linearizable.ts';

const NEVER = Number.POSITIVE_INFINITY;
const at = (start: number, end: number, what: What, by = 'alice'): Operation<What> => {
  return { what, by, start, end };
};

const seen = (purchased: number, description: string | null = null, tag?: string): SeenItem => {
  const fields = { name: 'Pan', description, quantity_needed: 3 };
  return { fields, purchased, isActive: true, ...(tag && { tag }) };
};
const make = at(0, 1, { does: 'create', fields: seen(0).fields, purchased: 0, saw: seen(0) });
const alice = { viewer: 'alice' };
const reads = (saw: SeenItem | 'not found'): What => ({ does: 'read', ...alice, saw });
const writes = (description: string, answer: object = { saw: seen(0, description) }): What => {
  return { does: 'change', ...alice, fields: { description }, ...answer };
};
const claimOf = (id: string, quantity: number): SeenClaim => {
  return { id, quantity, state: 'reserved', message: `for ${id}` };
};
const claims = (id: string, quantity: number, isAnswered = true): What => {
  const { id: _, ...wanted } = claimOf(id, quantity);
  return { does: 'claim', ...wanted, ...(isAnswered && { saw: claimOf(id, quantity) }) };
};
const releases = (id: string): What => ({ does: 'change claim', id, state: 'released', saw: 'done' });

describe('planted faults', () => {
  const planted: [string, Operation<What>[], RegExp][] = [
    [
      'a stale read',
      [make, at(10, 20, writes('new')), at(21, 30, reads(seen(0)), 'bob')],
      /0\.010 to 0\.020 s, alice: change to .*new.*\n.*bob: read the item.*\n.*bob description is "new", not null/s,
    ],
    [
      'a read that knows less than the one before it',
      [make, at(10, NEVER, writes('new', {})), at(20, 25, reads(seen(0, 'new'))), at(30, 35, reads(seen(0)))],
      /description is "new", not null/,
    ],
    [
      'a lost claim, by the number',
      [make, at(10, 20, claims('A', 2)), at(30, 40, reads(seen(0)))],
      /quantity_purchased is 2 \(0 set, 2 claimed\), not 0/,
    ],
    [
      'a doubled claim',
      [
        make,
        at(10, 20, claims('A', 1)),
        at(30, 40, { does: 'list claims', saw: [claimOf('A', 1), { ...claimOf('B', 1), message: 'for A' }] }),
      ],
      /there is no claim B/,
    ],
    [
      'an oversold item',
      [make, at(10, 20, claims('A', 2)), at(11, 22, claims('B', 2), 'bob')],
      /alice: claim 2 → claim A over 2, reserved\n.*bob: claim 2.*1 are left, too few for 2/s,
    ],
    [
      'a refusal while there was enough',
      [make, at(10, 20, { ...claims('A', 2, false), saw: 'none left' } as What)],
      /3 are left, enough for 2/,
    ],
    [
      'a released claim that came back',
      [
        make,
        at(10, 20, claims('A', 2)),
        at(30, 40, releases('A')),
        at(50, 60, { does: 'read claim', id: 'A', saw: claimOf('A', 2) }),
      ],
      /the claim's state is "released", not "reserved"/,
    ],
    [
      'a conditional change on a state that was gone',
      [
        make,
        at(5, 6, reads(seen(0, null, '"1"'))),
        at(10, 20, writes('first', { ifMatch: '"1"', saw: seen(0, 'first', '"2"') })),
        at(30, 40, writes('second', { ifMatch: '"1"', saw: seen(0, 'second', '"3"') })),
      ],
      /the ETag is "2", but If-Match says "1"/,
    ],
    [
      'a deleted item that is still read',
      [
        make,
        at(10, 20, { does: 'change', viewer: 'alice', fields: {}, isActive: false, saw: 'done' }),
        at(30, 40, reads(seen(0))),
      ],
      /the item is not there/,
    ],
  ];
  for (const [title, history, explained] of planted)
    test(title, () => {
      const story = contradiction(history);
      assert.match(story ?? 'nothing was found', explained);
    });
});

describe('right histories', () => {
  test('a write without an answer takes effect late, or never', () => {
    const late = at(10, NEVER, writes('late', {}));
    const before = at(20, 30, reads(seen(0)));
    assert.equal(contradiction([make, late, before, at(40, 50, reads(seen(0, 'late')))]), undefined);
    assert.equal(contradiction([make, late, before, at(40, 50, reads(seen(0)))]), undefined);
  });

  test('reads beside a write see it or not, in any order', () => {
    const both = [at(20, 80, reads(seen(0, 'new'))), at(21, 79, reads(seen(0)))];
    assert.equal(contradiction([make, at(10, 90, writes('new')), ...both]), undefined);
  });

  test('a refusal is explained by a claim that had no answer', () => {
    const refused = at(30, 40, { ...claims('B', 2, false), saw: 'none left' } as What);
    assert.equal(contradiction([make, at(10, NEVER, claims('A', 2, false)), refused]), undefined);
  });

  test('forty claims without an answer, of which nobody ever hears again', () => {
    const lost = Array.from({ length: 40 }, (_, i) => at(10 + i, NEVER, claims(`C${i}`, 1 + (i % 2), false)));
    assert.equal(contradiction([make, ...lost, at(100, 110, reads(seen(0)))]), undefined);
    const fewer = [at(100, 110, reads(seen(3))), at(120, 130, reads(seen(2)))];
    assert.match(contradiction([make, ...lost, ...fewer]) ?? '', /quantity_purchased/);
  });
});

test('a field that reads otherwise than it was written is a contradiction', () => {
  // Owners don't see the affiliate link.
  const writable = Object.keys(ItemUpdate.properties).filter((name) => !name.startsWith('affiliate_'));
  assert.ok(writable.length >= 9);
  for (const name of writable) {
    assert.ok(name in ItemPublic.properties, name);
    // The model tracks two of the fields separately.
    const seen = (value: 0 | 1): SeenItem => ({
      fields: { [name]: value },
      purchased: name === 'quantity_purchased' ? value : 0,
      isActive: name !== 'is_active' || value === 0,
    });
    const model = itemModel(false);
    const made = model.apply(model.initial, { does: 'create', fields: { [name]: 0 }, purchased: 0 }, true);
    assert.ok(typeof made === 'object');
    assert.equal(typeof model.apply(made, reads(seen(0)), true), 'object', name);
    assert.equal(typeof model.apply(made, reads(seen(1)), true), 'string', `${name} isn't compared`);
  }
});

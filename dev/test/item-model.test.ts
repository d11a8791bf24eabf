// The model of an item compares every field of the contract that an owner can write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ItemPublic, ItemUpdate } from '../../api/src/contract/index.ts';
import { itemModel, type SeenItem, type What } from '../faults/item-model.ts';

const UNSEEN_BY_OWNERS = ['affiliate_url', 'affiliate_status'];

test('a field that reads otherwise than it was written is a contradiction', () => {
  const writable = Object.keys(ItemUpdate.properties).filter((name) => !UNSEEN_BY_OWNERS.includes(name));
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
    const read = (saw: SeenItem): What => ({ does: 'read', viewer: 'alice', saw });
    assert.equal(typeof model.apply(made, read(seen(0)), true), 'object', name);
    assert.equal(typeof model.apply(made, read(seen(1)), true), 'string', `${name} isn't compared`);
  }
});

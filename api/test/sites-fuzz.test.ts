// @slow
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareSites } from '../../dev/faults/sites.ts';
import { stores } from './many-sites.ts';

// `npm run faults -- --only sites` compares more.
const ANSWERS = 400;

for (const { name, open, skip } of stores)
  it(`two sites of one service on ${name} answer as two services of one site each do`, { skip }, async () => {
    const { answers, difference } = await compareSites(() => open(), 25, ANSWERS);
    assert.equal(difference, undefined, difference);
    assert.ok(answers >= ANSWERS);
  });

// The time of a registry's page while its service is away, beside a plain page of the same site.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { watchTheMachine } from '../../dev/faults/time.ts';
import { type Gate, type Mood, startGate } from '../../dev/wordpress/gate.ts';
import { setOptions } from '../../dev/wordpress/set-up.ts';
import { type Visitor, visit, whenShowing } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

describe('a page without its service', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let gate: Gate;
  let nobody: Visitor;
  before(async () => {
    site = await startWholeSite();
    gate = await startGate(() => site.service.url);
    await setOptions(site, { trousseau_base_url: gate.url, dev_patience: 1 });
    nobody = await visit(site, null);
  });
  after(async () => {
    await gate?.close();
    await site?.stop();
  });

  const milliseconds = async (path: string) => {
    const began = performance.now();
    await nobody(path);
    return performance.now() - began;
  };

  for (const mood of ['stopped', 'hanging', 'refusing', 'failing'] satisfies Mood[])
    for (const [what, isKnown, most] of [
      ['shows the gifts that it knows within half a second more', true, 500],
      ['says within two seconds more that it knows none', false, 2_000],
    ] as const)
      test(`${mood}: ${what} than a plain page takes`, async (t) => {
        await gate.be('passing');
        await site.call('gift-list.forget_trouble');
        const alice = createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
        const { id, permalink } = (await alice.registries.create({ title: 'Ann', status: 'publish' }))!;
        await alice.registries.items.create(id, { name: 'Whisk', url: 'https://shop.example/1' });
        await whenShowing(nobody, permalink, 'Whisk');
        if (isKnown) await site.call('forget_locks', `gifts-${id}`);
        else await site.call('gift-list.forget_gifts', id);
        const plain = await milliseconds('/sample-page/');
        await gate.be(mood);
        const wasStarved = watchTheMachine();
        const taken = await milliseconds(permalink);
        if (wasStarved()) return t.skip('the machine was starved');
        t.diagnostic(`${Math.round(taken)} ms, a plain page ${Math.round(plain)} ms`);
        assert.ok(taken < plain + most, `${Math.round(taken)} ms, a plain page ${Math.round(plain)} ms`);
      });
});

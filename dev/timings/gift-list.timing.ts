import { createClient } from 'trousseau-client';
import { type Mood, startGate } from '../wordpress/gate.ts';
import { setOptions } from '../wordpress/set-up.ts';
import { visit, whenShowing } from '../wordpress/site.ts';
import { startWholeSite } from '../wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../wordpress/wordpress.ts';

const MOODS: Mood[] = ['stopped', 'hanging', 'refusing', 'failing'];

/** Times a registry's page while its service is down, on a site with the time-outs that it ships with. */
export async function open() {
  await using parts = new AsyncDisposableStack();
  const missing = skipWithoutWordPress();
  if (missing) console.log(missing);
  const timings = missing ? [] : await pageTimings(parts);
  const moved = parts.move();
  return { timings, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

async function pageTimings(parts: AsyncDisposableStack) {
  const site = parts.use(await startWholeSite());
  const gate = parts.use(await startGate(() => site.service.url));
  await setOptions(site, { trousseau_base_url: gate.url, dev_patience: 1 });
  const alice = createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
  const nobody = await visit(site, null);
  const milliseconds = async (path: string) => {
    const since = performance.now();
    await nobody(path);
    return performance.now() - since;
  };
  /** Returns how many milliseconds longer the page takes than a plain page of the same site. */
  const delay = async (mood: Mood, isKnown: boolean) => {
    await gate.be('passing');
    await site.call('gift-list.forget_trouble');
    const { id, permalink } = (await alice.registries.create({ title: 'Ann', status: 'publish' }))!;
    await alice.registries.items.create(id, { name: 'Whisk', url: 'https://shop.example/1' });
    await whenShowing(nobody, permalink, 'Whisk');
    if (isKnown) await site.call('forget_locks', `gifts-${id}`);
    else await site.call('gift-list.forget_gifts', id);
    const plain = await milliseconds('/sample-page/');
    await gate.be(mood);
    return Math.max(0, (await milliseconds(permalink)) - plain);
  };
  return MOODS.flatMap((mood) => [
    {
      what: `${mood} service: known gifts are shown so much later than a plain page`,
      mostMs: 500,
      measure: () => delay(mood, true),
    },
    {
      what: `${mood} service: a page without known gifts says so`,
      mostMs: 2_000,
      measure: () => delay(mood, false),
    },
  ]);
}

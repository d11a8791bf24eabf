import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipWithoutWordPress, startWordPress } from '../wordpress/wordpress.ts';

/** Requests with the plugin and without it, in turns, and so many before them that compile and write rewrite rules. */
const REQUESTS = 1_000;
const FIRST = 10;
const SWITCH = `add_filter( 'option_active_plugins', fn( $plugins ) => isset( $_GET['without'] ) ? array() : $plugins );`;

/** Measures the CPU that the plugin adds to a page of the site that shows no list: the difference of two medians. */
export async function open() {
  await using parts = new AsyncDisposableStack();
  const missing = skipWithoutWordPress();
  if (missing) console.log(missing);
  const site = missing
    ? null
    : await startWordPress({ muPlugins: ['cpu'], muPlugin: SWITCH, environment: 'production' });
  if (site) parts.defer(() => site.stop());
  const moved = parts.move();
  const timings = site
    ? [{ what: 'CPU that the plugin adds to a page without a list', mostMs: 1, measure: () => added(site) }]
    : [];
  return { timings, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

async function added(site: Awaited<ReturnType<typeof startWordPress>>): Promise<number> {
  const used = { with: [] as number[], without: [] as number[] };
  for (let request = -FIRST; request < REQUESTS; request++)
    for (const how of ['with', 'without'] as const) {
      await (await fetch(`${site.url}/?page_id=2&${how}`)).text();
      if (request >= 0)
        used[how].push(1_000 * Number(readFileSync(join(site.folder, 'wp-content/cpu'), 'utf8')));
    }
  const median = (all: number[]) => all.sort((one, other) => one - other)[all.length / 2]!;
  return median(used.with) - median(used.without);
}

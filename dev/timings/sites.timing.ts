import { startFakeHost } from '../../api/test/fake-host.ts';
import { keyOf, startManySites } from '../../api/test/many-sites.ts';
import { freshSqlite } from '../../api/test/support.ts';
import { until } from '../until.ts';
import { timed } from './timing.ts';

/** Times how soon a running service of many sites notices commands. */
export async function open() {
  await using parts = new AsyncDisposableStack();
  const store = parts.use(await freshSqlite());
  const many = parts.use(await startManySites(store));
  const host = parts.use(await startFakeHost());
  const base = await many.add(host.url);
  const health = async () => (await many.at(base)(undefined, 'GET /health')).status;
  const command = (name: 'suspend' | 'resume', status: number) => ({
    what: `a site is noticed to ${name}`,
    mostMs: 5_000,
    measure: async () => {
      await many.command(name, keyOf(base));
      return timed(() => until(name, async () => (await health()) === status));
    },
  });
  const moved = parts.move();
  return {
    timings: [command('suspend', 503), command('resume', 200)],
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

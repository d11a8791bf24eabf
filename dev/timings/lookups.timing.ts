import { hostileShops } from '../../api/test/internet/hostile-shops.ts';
import { observe, watch } from '../../api/test/internet/observe.ts';
import { startServiceProcess } from '../../api/test/service-process.ts';
import { authorization } from '../../api/test/support.ts';
import type { Timing } from './timing.ts';

/** Times lookups: each ends in time and delays no other caller, whatever the shop sends. */
export async function open() {
  await using parts = new AsyncDisposableStack();
  const shops = [];
  for (const shop of await hostileShops()) shops.push({ shop, started: parts.use(await shop.start()) });
  const LOOKUP_ALLOW = shops.map(({ started }) => started.host).join();
  const service = parts.use(startServiceProcess({ DATABASE_URL: 'sqlite::memory:', LOOKUP_ALLOW }));
  const watched = await watch(await service.url, service.child.pid!, authorization('admin'));
  const timings = shops.flatMap(({ shop, started }, n): Timing[] => {
    // A different page each time, because answers are cached.
    let page = 0;
    const look = () => observe(watched, `${started.url}/${n}-${page++}`);
    return [
      { what: `${shop.what} is answered`, mostMs: 8_500, measure: async () => (await look()).ms },
      ...(shop.slow
        ? []
        : [
            {
              what: `others wait during ${shop.what}`,
              mostMs: 1_000,
              measure: async () => (await look()).waitedMs,
            },
          ]),
    ];
  });
  const moved = parts.move();
  return { timings, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

import { ref, Status } from '../contract/index.ts';
import { routesOf } from './routes.ts';

export const statusRoute = (version: string, now: () => number) =>
  routesOf('Health').route(
    { summary: 'State that only the service knows, for its operators' },
    { response: { 200: ref(Status) } },
    async ({ site }) => {
      const time = now();
      return {
        version,
        time: new Date(time).toISOString(),
        item_access: site.itemAccess,
        claims_expired_at: new Date(await site.claimsExpiredUntil(time)).toISOString(),
      } satisfies Status;
    },
  );

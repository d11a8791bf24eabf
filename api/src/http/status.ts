import { ref, Status } from '../contract/index.ts';
import { route } from './routes.ts';

type Parts = {
  version: string;
  now: () => number;
};

export const statusRoute = ({ version, now }: Parts) =>
  route(
    { tag: 'Health', summary: 'State that only the service knows, for its operators' },
    { response: { 200: ref(Status) } },
    async ({ site }) => {
      const expiredAt = await site.claimsExpiredAt();
      return {
        version,
        time: new Date(now()).toISOString(),
        item_access: site.itemAccess,
        claims_expired_at: expiredAt === undefined ? null : new Date(expiredAt).toISOString(),
      } satisfies Status;
    },
  );

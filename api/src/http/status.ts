import { ref, Status } from '../contract/index.ts';
import { route } from './routes.ts';

type Parts = {
  version: string;
  itemAccess: Status['item_access'];
  now: () => number;
  /** When claims whose time is over were last looked for; undefined where nobody knows. */
  claimsExpiredAt: () => Promise<number | undefined>;
};

export const statusRoute = ({ version, itemAccess, now, claimsExpiredAt }: Parts) =>
  route(
    { tag: 'Health', summary: 'State that only the service knows, for its operators' },
    { response: { 200: ref(Status) } },
    async () => {
      const expiredAt = await claimsExpiredAt();
      return {
        version,
        time: new Date(now()).toISOString(),
        item_access: itemAccess,
        claims_expired_at: expiredAt === undefined ? null : new Date(expiredAt).toISOString(),
      } satisfies Status;
    },
  );

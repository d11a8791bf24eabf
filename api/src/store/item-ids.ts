import { isNewId, type Statement, type Unit } from './database.ts';

export const siteOfNewItem = ([[, params = []]]: Unit): number | undefined =>
  params.some(isNewId) ? (params[0] as number) : undefined;

/** Takes this many ids of a site, and returns the last of them. An id that was taken and not used is never given again. */
export const takeIds = (siteId: number, count: number): Statement => [
  `insert into item_ids (site_id, last) values ($1, $2)
   on conflict (site_id) do update set last = item_ids.last + excluded.last returning last`,
  [siteId, count],
];

import { isNewId, type Statement, type Unit } from './database.ts';

/** Returns the site of which a unit stores a new item. */
export const siteOfNewItem = ([[, params = []]]: Unit): number | undefined =>
  params.some(isNewId) ? (params[0] as number) : undefined;

/** Takes the next id of a site. An id that was taken and not used is left out. */
export const takeIds = (siteId: number): Statement => [
  `insert into item_ids (site_id, last) values ($1, 1)
   on conflict (site_id) do update set last = item_ids.last + 1 returning last`,
  [siteId],
];

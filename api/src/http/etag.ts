import { Problem } from '../problem.ts';
import type { ItemVersion } from '../store/items.ts';

/** Names one state of an item, as one kind of viewer sees it: an admin's body differs from everybody else's. */
export const etagOf = (id: number, { version, claimChanges }: ItemVersion, admin: boolean) =>
  `"${id}-${version}${claimChanges > 0 ? `.${claimChanges}` : ''}${admin ? '-admin' : ''}"`;

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());

/** `If-None-Match`: the caller has this very state already. */
export const matchesEtag = (header: string | undefined, etag: string) =>
  header !== undefined && tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** `If-Match`: refuses when the caller's state is no longer the current one. */
export function requireMatch(header: string | undefined, etag: string, noun = 'item'): void {
  if (header === undefined || tagsIn(header).some((tag) => tag === '*' || tag === etag)) return;
  throw new Problem('precondition_failed', `The ${noun} has changed since it was read`, {
    headers: { etag },
  });
}

/** The same without the state of the claims, for viewers from whom claims are concealed. */
export const withoutClaimState = (header: string | undefined) =>
  header?.replaceAll(/\.\d+(?=(-admin)?")/g, '');

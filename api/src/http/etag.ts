import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredClaim } from '../domain/claims.ts';
import { type SeenItem, stateOf } from '../domain/item-lists.ts';
import { ProblemWithHeaders } from './errors.ts';
import { type Sent, send } from './response.ts';

const shortHash = (content: string | Buffer, length: number) =>
  hash('sha256', content, 'base64url').slice(0, length);

// An admin's body differs from everyone else's.
const kindOf = (admin: boolean) => (admin ? '-admin' : '');

/** Names one state of an item, as one kind of viewer sees it. */
export const etagOfItem = ({ item, claims }: SeenItem, admin: boolean) =>
  `"${item.id}-${stateOf(item, claims)}${kindOf(admin)}"`;

/** The same of a list of items, by its bytes where the name of its state would reveal more than these. */
export const etagOfList = (state: string | undefined, json: Buffer, admin: boolean) =>
  `"${state ?? `of-${shortHash(json, 27)}`}${kindOf(admin)}"`;

/** The same of a claim. Where a share is sent may change without the claim, which is a new state for its reader. */
export const etagOfClaim = ({ id, version, sendTo }: StoredClaim) =>
  `"${id}-${version}${sendTo ? `-${shortHash(sendTo, 8)}` : ''}"`;

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());

const isKnown = (header: string, etag: string) =>
  tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** Gives the response, or 304 to a caller who has this very state already (`If-None-Match`). */
export function sendUnlessKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  response: { json: Sent; etag: string },
): Sent | FastifyReply {
  const header = headers['if-none-match'];
  if (header === undefined || !isKnown(header, response.etag))
    return send(reply, { status: 200, ...response });
  // No length and no type of its own: caches take a 304's headers for those of the response that they have.
  return reply.code(304).header('etag', response.etag).send();
}

/** `If-Match`: refuses when the caller's state is no longer the current one. */
export function requireMatch(header: string | undefined, etag: string, noun = 'item'): void {
  if (header === undefined || tagsIn(header).some((tag) => tag === '*' || tag === etag)) return;
  throw new ProblemWithHeaders('precondition_failed', `The ${noun} has changed since it was read`, { etag });
}

/** The same without the state of the claims, for viewers who see nothing of them. */
export const withoutClaimState = (header: string | undefined) =>
  header?.replaceAll(/\.(of-)?\d+(?=(-admin)?")/g, '');

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredClaim } from '../domain/claims.ts';
import { type SeenItem, stateOf } from '../domain/item-lists.ts';
import { ProblemWithHeaders } from './errors.ts';
import { type JsonBody, send } from './response.ts';

const shortHash = (content: string | Buffer, length: number) =>
  hash('sha256', content, 'base64url').slice(0, length);

// An admin's body differs from everyone else's.
const kindOf = (admin: boolean) => (admin ? '-admin' : '');

/** Names one state of an item, as one kind of viewer sees it. */
export const etagOfItem = ({ item, claims }: SeenItem, admin: boolean) =>
  `"${item.id}-${stateOf(item, claims)}${kindOf(admin)}"`;

/** Names one state of a list of items, by a hash of its JSON where a `state` would reveal more than the items do. */
export const etagOfList = (state: string | undefined, json: Buffer, admin: boolean) =>
  `"${state ?? `of-${shortHash(json, 27)}`}${kindOf(admin)}"`;

/** Names one state of a claim. The place where its share is sent may change without the claim itself. */
export const etagOfClaim = ({ id, version, updatedAt, sendTo }: StoredClaim) =>
  // With the time: a restored backup counts its versions again.
  `"${id}-${version}-${updatedAt.toString(36)}${sendTo ? `-${shortHash(sendTo, 8)}` : ''}"`;

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());

const isKnown = (header: string, etag: string) =>
  tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** Sends the response, or 304 if the caller already has this state (`If-None-Match`). */
export function sendUnlessKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  response: { json: JsonBody; etag: string },
): JsonBody | FastifyReply {
  const header = headers['if-none-match'];
  if (header === undefined || !isKnown(header, response.etag))
    return send(reply, { status: 200, ...response });
  // Without length and type: caches copy the headers of a 304 to the response that they have stored.
  return reply.code(304).header('etag', response.etag).send();
}

/** `If-Match`: refuses when the caller's state is no longer the current one. */
export function requireMatch(header: string | undefined, etag: string, noun = 'item'): void {
  if (header === undefined || tagsIn(header).some((tag) => tag === '*' || tag === etag)) return;
  throw new ProblemWithHeaders('precondition_failed', `The ${noun} has changed since it was read`, { etag });
}

/** Removes the claims' part (`.3`, `.of-3`) from `If-Match` for viewers who no longer see claims: an unchanged item matches. */
export const withoutClaimState = (header: string | undefined) =>
  header?.replaceAll(/\.(of-)?\d+(?=(-admin)?")/g, '');

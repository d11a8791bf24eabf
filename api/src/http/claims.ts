import type { FastifyRequest } from 'fastify';
import {
  Claim,
  ClaimCreate,
  ClaimErasure,
  ClaimQuery,
  ClaimUpdate,
  ClaimWithItem,
  ErasedClaims,
  RegistryClaims,
  ref,
} from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import { Type } from '../contract/typebox.ts';
import type { ClaimPrecondition, StoredClaim } from '../domain/claims.ts';
import { surpriseDay } from '../host/post-format.ts';
import { presentClaim } from './claim-presenter.ts';
import { etagOfClaim, requireMatch, sendUnlessKnown } from './etag.ts';
import type { Recall } from './idempotency.ts';
import { presentItem } from './item-presenter.ts';
import { send } from './response.ts';
import { claimId, itemId, registryId, routesOf } from './routes.ts';

const claimResponse = (status: number, claim: StoredClaim) => ({
  status,
  json: JSON.stringify(presentClaim(claim)),
  etag: etagOfClaim(claim),
});

const claimPrecondition = (request: FastifyRequest): ClaimPrecondition => {
  const header = request.headers['if-match'];
  return (claim) => requireMatch(header, etagOfClaim(claim), 'claim');
};

const { emptyRoute, repeatable, route } = routesOf('Claims');
const noneOfTheirs = "No such claim, or it isn't the caller's: the answer is the same for both";
// Under an `Idempotency-Key` only the claim's id is kept (`stored.json`): an answer names the giver. The ledger has the rest.
const asFirstAnswered: Recall = async (stored, request) => {
  const claim = await request.site.claims.asFirstStored(request.viewer, stored.json);
  // It may have moved with its item since.
  return claimResponse(201, { ...claim!, registryId: registryId(request.params) });
};

export const claim = {
  create: repeatable(
    {
      summary: 'Claim pieces of an item',
      answersEtag: true,
      honoursOwner: true,
      refusals: {
        403: 'Only owners, invitees and admins may claim, owners not during a surprise; only admins for someone else',
        404: 'No such registry, or no such active item in it',
        409: 'Fewer pieces are left: `detail` says how many; the registry holds 10,000 claims',
        429: '50 claims of the registry, or 10 of the giver, wait for confirmation: `Retry-After` says until when',
      },
      examples: {
        'Reserve one piece for 14 days': {},
        'Reserve two for a week, with a message': {
          quantity: 2,
          message: 'For your Sunday soups',
          expires_in: 604_800,
        },
        'Bought already': { state: 'purchased' },
        'An admin records it for a guest without an account, who has yet to confirm': {
          state: 'pending',
          giver: { name: 'Aunt May', email: 'aunt@example.test' },
        },
      },
    },
    { body: ClaimCreate, response: { 201: ref(Claim) } },
    async ({ site, viewer, params, body }, creationKey) => {
      const claim = await site.claims.create(viewer, registryId(params), itemId(params), body, creationKey);
      return { ...claimResponse(201, claim), storedBody: claim.id };
    },
    asFirstAnswered,
  ),

  ofRegistry: route(
    { summary: "A registry's claims: all for owner and admin, their own for an invitee", honoursOwner: true },
    { response: { 200: ref(RegistryClaims) } },
    async ({ site, viewer, params }) => {
      const { claims, concealedUntil: until } = await site.claims.ofRegistry(viewer, registryId(params));
      return { claims: claims.map(presentClaim), concealed_until: until && surpriseDay(until) };
    },
  ),

  list: route(
    {
      summary:
        "The caller's own claims; admins get someone else's with `email`, `user_id` or both, anyone's with `ids`, and their items with `with=item`",
      honoursOwner: true,
      refusals: { 403: "Only admins may ask for someone else's claims, or for items with them" },
    },
    {
      querystring: ClaimQuery,
      response: {
        200: Type.Union([Type.Array(ref(Claim)), Type.Array(ref(ClaimWithItem))], {
          description: 'A list of `Claim`, of `ClaimWithItem` where that is asked for',
        }),
      },
    },
    async ({ site, viewer, query }, reply) => {
      if (query.with && !viewer.admin) throw new Problem('forbidden', 'Only admins may ask for the items');
      const found = await site.claims.list(viewer, query);
      const itemOf = query.with && (await site.items.ofClaims(viewer, found));
      const shown = found.map((claim) => {
        const item = itemOf?.get(claim.itemId);
        return { ...presentClaim(claim), ...(itemOf && { item: item ? presentItem(item, true) : null }) };
      });
      return send(reply, { status: 200, json: JSON.stringify(shown) });
    },
  ),

  get: route(
    {
      summary: 'One claim',
      honoursOwner: true,
      answersEtag: true,
      honoursIfNoneMatch: true,
      refusals: { 404: noneOfTheirs },
    },
    { response: { 200: ref(Claim) } },
    async (request, reply) => {
      const claim = await request.site.claims.get(request.viewer, claimId(request.params));
      return sendUnlessKnown(request, reply, claimResponse(200, claim));
    },
  ),

  update: route(
    {
      summary: 'Confirm, buy, change or take back a claim, or thank for it',
      honoursOwner: true,
      answersEtag: true,
      honoursIfMatch: true,
      refusals: {
        403: 'An owner may only thank, which a giver may not; a giver who is no longer invited, or is to be surprised, may only take it back',
        404: noneOfTheirs,
        409: 'Its state cannot become that one, or is final; someone else is buying the item; fewer pieces are left, `detail` says how many; the item was deleted, and the claim may not grow',
      },
      examples: {
        'Confirm, and with that begin the 14 days': { state: 'reserved' },
        'Keep it for another month': { expires_in: 2_592_000 },
        'Give two': { quantity: 2 },
        Bought: { state: 'purchased', message: 'For your Sunday soups' },
        'The owner thanks': { thanked: true },
        'Take it back': { state: 'released' },
      },
    },
    { body: ClaimUpdate, response: { 200: ref(Claim) } },
    async (request, reply) => {
      const { site, viewer, body } = request;
      const [id, precondition] = [claimId(request.params), claimPrecondition(request)];
      const claim = await site.claims.update(viewer, id, body, precondition);
      return send(reply, claimResponse(200, claim));
    },
  ),

  release: emptyRoute(
    {
      summary: 'Take a claim back',
      honoursOwner: true,
      honoursIfMatch: true,
      refusals: { 403: 'Only giver and admins', 404: noneOfTheirs, 409: 'It has expired' },
    },
    (request) =>
      request.site.claims.release(request.viewer, claimId(request.params), claimPrecondition(request)),
  ),

  erase: route(
    {
      summary:
        "Erase a giver everywhere, or the givers of a registry's claims that no longer run (admins only)",
      refusals: { 403: 'Only admins' },
    },
    { querystring: ClaimErasure, response: { 200: ref(ErasedClaims) } },
    async (request) => ({ erased: await request.site.claims.erase(request.viewer, request.query) }),
  ),
};

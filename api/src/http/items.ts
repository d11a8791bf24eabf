import type { FastifyRequest } from 'fastify';
import {
  DEFAULT_LIMIT,
  ItemCreate,
  ItemMove,
  ItemPublic,
  ItemPublicResponse,
  ItemQuery,
  ItemResponse,
  Item as ItemShape,
  ItemUpdate,
  ref,
} from '../contract/index.ts';
import { Type } from '../contract/typebox.ts';
import type { SeenItem } from '../domain/item-lists.ts';
import type { Precondition, StoredItem } from '../domain/items.ts';
import { etagOfItem, requireMatch, sendUnlessKnown, withoutClaimState } from './etag.ts';
import { presentItem } from './item-presenter.ts';
import { send } from './response.ts';
import { itemId, routesOf } from './routes.ts';

export const oneItem = Type.Union([ref(ItemResponse), ref(ItemPublicResponse)], {
  description: '`ItemResponse` for an admin, `ItemPublicResponse` for everyone else',
});
export const manyItems = Type.Union([Type.Array(ref(ItemShape)), Type.Array(ref(ItemPublic))], {
  description: 'A list of `Item` for an admin, of `ItemPublic` for everyone else',
});

/** Compares the caller's `If-Match` with the item before it changes, without the tag's part for claims where they are hidden. */
export const itemPrecondition = (request: FastifyRequest): Precondition => {
  const header = request.headers['if-match'];
  return (item) =>
    requireMatch(
      item.sight === 'hidden' ? withoutClaimState(header) : header,
      etagOfItem({ item, claims: item.sight ?? 'shown' }, request.viewer.admin),
    );
};

export function itemResponse(
  status: number,
  { viewer: { admin } }: FastifyRequest,
  item: StoredItem,
  verb: string,
) {
  const seen: SeenItem = { item, claims: item.sight ?? 'shown' };
  const data = presentItem(seen, admin);
  const json = JSON.stringify({ success: true, data, message: `Item ${verb} successfully` });
  return { status, json, etag: etagOfItem(seen, admin) };
}

export const REGISTRY_FULL =
  'the registry holds 1,000 active items, or has no currency for one that several pay for';

const { repeatable, route } = routesOf('Items');

export const item = {
  list: route(
    { summary: 'The active items, newest first', answersEtag: true, honoursIfNoneMatch: true },
    { querystring: ItemQuery, response: { 200: manyItems } },
    async (request, reply) => {
      const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
      const { site, viewer } = request;
      const list = await site.items.list(viewer, skip, limit);
      return sendUnlessKnown(request, reply, await site.presentList(list, viewer.admin));
    },
  ),

  get: route(
    { summary: 'One active item', answersEtag: true, honoursIfNoneMatch: true },
    { response: { 200: oneItem } },
    async (request, reply) => {
      const item = await request.site.items.get(request.viewer, itemId(request.params));
      return sendUnlessKnown(request, reply, itemResponse(200, request, item, 'retrieved'));
    },
  ),

  create: repeatable(
    {
      summary: 'Store an item',
      answersEtag: true,
      refusals: { 404: 'No such registry', 409: REGISTRY_FULL },
      examples: {
        'The least': { registry_id: 1, name: 'Copper saucepan', url: 'https://shop.example/saucepan' },
      },
    },
    { body: ItemCreate, response: { 201: oneItem } },
    async (request, creationKey) => {
      const { registry_id, ...body } = request.body;
      const item = await request.site.items.create(request.viewer, registry_id, body, creationKey);
      return itemResponse(201, request, item, 'created');
    },
  ),

  update: route(
    {
      summary: 'Change the supplied fields of an item; `is_active: true` restores it',
      answersEtag: true,
      honoursIfMatch: true,
      refusals: {
        409: `\`quantity_purchased\`, or a group gift's goal, is less than what is claimed; ${REGISTRY_FULL}`,
      },
      examples: {
        'Another price': { price: 99 },
        'Two are given, claims included': { quantity_purchased: 2 },
        Restore: { is_active: true },
      },
    },
    { body: ItemUpdate, response: { 200: oneItem } },
    async (request, reply) => {
      const { site, viewer, body } = request;
      const item = await site.items.update(viewer, itemId(request.params), body, itemPrecondition(request));
      return send(reply, itemResponse(200, request, item, 'updated'));
    },
  ),

  move: repeatable(
    {
      summary: 'Move an item to another registry, with its claims',
      answersEtag: true,
      honoursIfMatch: true,
      refusals: {
        404: 'No such active item, or no such registry',
        409: "The new registry holds 1,000 active items; its currency is not the group gift's; it conceals less of the claims, or not for as long",
      },
      examples: { 'To this registry': { registry_id: 1 } },
    },
    { body: ItemMove, response: { 200: oneItem } },
    async (request) => {
      const { site, viewer, body } = request;
      const precondition = itemPrecondition(request);
      const item = await site.items.move(viewer, itemId(request.params), body.registry_id, precondition);
      return itemResponse(200, request, item, 'moved');
    },
  ),

  delete: route(
    { summary: 'Delete an item: it stays stored, inactive', answersEtag: true, honoursIfMatch: true },
    { response: { 200: oneItem } },
    async (request, reply) => {
      const { site, viewer } = request;
      const item = await site.items.delete(viewer, itemId(request.params), itemPrecondition(request));
      return send(reply, itemResponse(200, request, item, 'deleted'));
    },
  ),
};

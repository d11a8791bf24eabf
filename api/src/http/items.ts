import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  DEFAULT_LIMIT,
  ItemCreate,
  ItemPublic,
  ItemPublicResponse,
  ItemQuery,
  type ItemRegistryCreate,
  ItemResponse,
  Item as ItemShape,
  ItemUpdate,
  ref,
} from '../contract/index.ts';
import type { Viewer } from '../domain/access.ts';
import type { ItemRules, Precondition } from '../domain/items.ts';
import type { ItemStore, RenderedItem, StoredItem } from '../store/items.ts';
import { etagOf, matchesEtag, requireMatch, withoutClaimState } from './etag.ts';
import type { Idempotent } from './idempotency.ts';
import { type JsonResponse, send } from './response.ts';
import { itemId, repeatable, route } from './routes.ts';

/** One item, in the form that the viewer may see. */
export const oneItem = Type.Union([ref(ItemResponse), ref(ItemPublicResponse)], {
  description: '`ItemResponse` for an admin, `ItemPublicResponse` for everybody else',
});
/** Items, in the form that the viewer may see. */
export const manyItems = Type.Union([Type.Array(ref(ItemShape)), Type.Array(ref(ItemPublic))], {
  description: 'A list of `Item` for an admin, of `ItemPublic` for everybody else',
});

/** Compares the caller's `If-Match`, where the route honours it, with the item before it changes. */
export const itemPrecondition = (request: FastifyRequest): Precondition => {
  const header = request.routeOptions.config.info?.honoursIfMatch ? request.headers['if-match'] : undefined;
  return (item) =>
    requireMatch(
      item.concealed ? withoutClaimState(header) : header,
      etagOf(item.id, item, request.viewer.admin),
    );
};

/** The response about an item that has just been written. */
export function writtenItem(
  status: number,
  store: ItemStore,
  item: StoredItem,
  verb: string,
  { admin }: Viewer,
): JsonResponse {
  return itemResponse(status, store.render(item, admin), etagOf(item.id, item, admin), verb);
}

/** Why an item may not be added, or restored. */
export const REGISTRY_FULL = 'the registry holds 1,000 active items';

/** An item with every field that one is made of. */
export const SAUCEPAN: ItemRegistryCreate = {
  name: 'Copper saucepan',
  url: 'https://shop.example/saucepan',
  description: 'The 18 cm one',
  retailer: 'Kitchen & Co',
  image_url: 'https://shop.example/saucepan.jpg',
  price: 129.5,
  quantity_needed: 2,
  quantity_purchased: 0,
  affiliate_url: 'https://partner.example/?to=saucepan',
  affiliate_status: 'active',
};

const itemResponse = (status: number, { json }: RenderedItem, etag: string, verb: string): JsonResponse => ({
  status,
  json: `{"success":true,"data":${json},"message":"Item ${verb} successfully"}`,
  etag,
});

export function itemRoutes(domain: ItemRules, store: ItemStore, idempotent: Idempotent) {
  const tag = 'Items';
  return {
    list: route(
      { tag, summary: 'The active items, newest first' },
      { querystring: ItemQuery, response: { 200: manyItems } },
      async (request, reply) => {
        const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
        return send(reply, { status: 200, json: await domain.list(request.viewer, skip, limit) });
      },
    ),

    get: route(
      { tag, summary: 'One active item', answersEtag: true, honoursIfNoneMatch: true },
      { response: { 200: oneItem } },
      async (request, reply) => {
        const id = itemId(request);
        const { viewer } = request;
        const item = await domain.get(viewer, id);
        const etag = etagOf(id, item, viewer.admin);
        return matchesEtag(request.headers['if-none-match'], etag)
          ? reply.code(304).header('etag', etag).send()
          : send(reply, itemResponse(200, item, etag, 'retrieved'));
      },
    ),

    create: repeatable(
      idempotent,
      {
        tag,
        summary: 'Store an item',
        answersEtag: true,
        refusals: { 404: 'No such registry', 409: REGISTRY_FULL },
        examples: {
          'The least': { registry_id: 1, name: 'Copper saucepan', url: 'https://shop.example/saucepan' },
          Everything: { registry_id: 1, ...SAUCEPAN, is_active: true },
        },
      },
      { body: ItemCreate, response: { 201: oneItem } },
      async ({ viewer, body: { registry_id, ...body } }, creationKey) => {
        const item = await domain.create(viewer, registry_id, body, creationKey);
        return writtenItem(201, store, item, 'created', viewer);
      },
    ),

    update: route(
      {
        tag,
        summary: 'Change the supplied fields of an item; `is_active: true` restores it',
        answersEtag: true,
        honoursIfMatch: true,
        refusals: { 409: `\`quantity_purchased\` is less than what is claimed; ${REGISTRY_FULL}` },
        examples: {
          'Another price': { price: 99 },
          'Two are given, claims and all': { quantity_purchased: 2 },
          Restore: { is_active: true },
        },
      },
      { body: ItemUpdate, response: { 200: oneItem } },
      async (request, reply) => {
        const { viewer, body } = request;
        const item = await domain.update(viewer, itemId(request), body, itemPrecondition(request));
        return send(reply, writtenItem(200, store, item, 'updated', viewer));
      },
    ),

    delete: route(
      {
        tag,
        summary: 'Delete an item: it stays stored, inactive',
        answersEtag: true,
        honoursIfMatch: true,
      },
      { response: { 200: oneItem } },
      async (request, reply) => {
        const item = await domain.delete(request.viewer, itemId(request), itemPrecondition(request));
        return send(reply, writtenItem(200, store, item, 'deleted', request.viewer));
      },
    ),
  };
}

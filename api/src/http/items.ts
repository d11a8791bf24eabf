import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  DEFAULT_LIMIT,
  ItemCreate,
  ItemPage,
  ItemPublic,
  ItemPublicResponse,
  ItemResponse,
  Item as ItemShape,
  ItemUpdate,
  ref,
} from '../contract/index.ts';
import type { Viewer } from '../domain/access.ts';
import type { Items, Precondition } from '../domain/items.ts';
import { then } from '../soon.ts';
import type { RenderedItem, Items as Store, StoredItem } from '../store/items.ts';
import { type Answer, send } from './answer.ts';
import { etagOf, isKnown, requireMatch } from './etag.ts';
import type { Once } from './once.ts';
import { idIn, route } from './routes.ts';

/** One item, in the form that the viewer may see. */
export const oneItem = Type.Union([ref(ItemResponse), ref(ItemPublicResponse)], {
  description: '`ItemResponse` for an admin, `ItemPublicResponse` for everybody else',
});
/** Items, in the form that the viewer may see. */
export const manyItems = Type.Union([Type.Array(ref(ItemShape)), Type.Array(ref(ItemPublic))], {
  description: 'A list of `Item` for an admin, of `ItemPublic` for everybody else',
});

/** The caller's `If-Match`, to be held against the item before it changes. */
export const expected =
  (request: FastifyRequest): Precondition =>
  (item) =>
    requireMatch(request.headers['if-match'], etagOf(item.id, item.version, request.viewer.admin));

/** The answer about an item that has just been written. */
export function written(
  status: number,
  store: Store,
  item: StoredItem,
  verb: string,
  { admin }: Viewer,
): Answer {
  return itemAnswer(status, store.render(item, admin), etagOf(item.id, item.version, admin), verb);
}

const itemAnswer = (status: number, { json }: RenderedItem, etag: string, verb: string): Answer => ({
  status,
  json: `{"success":true,"data":${json},"message":"Item ${verb} successfully"}`,
  etag,
});

export function itemRoutes(domain: Items, store: Store, once: Once) {
  return {
    list: route(
      'The active items, newest first',
      { querystring: ItemPage, response: { 200: manyItems } },
      (request, reply) => {
        const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
        const page = domain.list(request.viewer, skip, limit);
        return then(page, (json) => send(reply, { status: 200, json }));
      },
    ),

    get: route('One active item', { response: { 200: oneItem } }, (request, reply) => {
      const id = idIn(request, 'item_id', 'Item');
      const { viewer } = request;
      return then(domain.get(viewer, id), (item) => {
        const etag = etagOf(id, item.version, viewer.admin);
        return isKnown(request.headers['if-none-match'], etag)
          ? reply.code(304).header('etag', etag).send()
          : send(reply, itemAnswer(200, item, etag, 'retrieved'));
      });
    }),

    create: route(
      'Store an item',
      { body: ItemCreate, response: { 201: oneItem } },
      async (request, reply) => {
        const { viewer } = request;
        const { registry_id, ...body } = request.body;
        return once(request, reply, async (origin) => {
          const item = await domain.create(viewer, registry_id, body, origin);
          return written(201, store, item, 'created', viewer);
        });
      },
    ),

    update: route(
      'Change the supplied fields of an item; `is_active: true` restores it',
      { body: ItemUpdate, response: { 200: oneItem } },
      async (request, reply) => {
        const id = idIn(request, 'item_id', 'Item');
        const item = await domain.update(request.viewer, id, request.body, expected(request));
        return send(reply, written(200, store, item, 'updated', request.viewer));
      },
    ),

    delete: route(
      'Delete an item: it stays stored, inactive',
      { response: { 200: oneItem } },
      async (request, reply) => {
        const id = idIn(request, 'item_id', 'Item');
        const item = await domain.delete(request.viewer, id, expected(request));
        return send(reply, written(200, store, item, 'deleted', request.viewer));
      },
    ),
  };
}

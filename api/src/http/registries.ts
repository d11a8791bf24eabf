import { Type } from 'typebox';
import {
  Affiliate,
  AffiliateUpdate,
  DEFAULT_LIMIT,
  Invitees,
  InviteesResponse,
  ItemRegistryCreate,
  Registry,
  RegistryCreate,
  RegistryPage,
  RegistryUpdate,
  ref,
} from '../contract/index.ts';
import type { Items } from '../domain/items.ts';
import type { Registries } from '../domain/registries.ts';
import { then } from '../soon.ts';
import type { Items as Store, StoredItem } from '../store/items.ts';
import { send } from './answer.ts';
import { notHere } from './errors.ts';
import { expected, manyItems, oneItem, written } from './items.ts';
import type { Once } from './once.ts';
import { idIn, route } from './routes.ts';

const registryId = (request: { params: unknown }) => idIn(request, 'id', 'Registry');
const itemId = (request: { params: unknown }) => idIn(request, 'item_id', 'Item');

const nothing = { 204: Type.Null({ description: 'Done' }) };

const affiliateOf = ({ affiliate_url, affiliate_status }: StoredItem): Affiliate => ({
  affiliate_url,
  affiliate_status,
});

export function registryRoutes(registries: Registries, once: Once) {
  return {
    list: route(
      "The caller's own registries, newest first",
      { querystring: RegistryPage, response: { 200: Type.Array(ref(Registry)) } },
      async (request, reply) => {
        const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
        const list = await registries.list(request.viewer, skip, limit);
        reply.header('x-host-total', list.total).header('x-host-totalpages', list.totalPages);
        return list.registries;
      },
    ),

    get: route('One registry', { response: { 200: ref(Registry) } }, (request) =>
      registries.get(request.viewer, registryId(request)),
    ),

    create: route(
      'Create a registry; the caller becomes its owner',
      { body: RegistryCreate, response: { 201: ref(Registry) } },
      (request, reply) =>
        once(request, reply, async () => {
          const registry = await registries.create(request.viewer, request.body);
          return { status: 201, json: JSON.stringify(registry) };
        }),
    ),

    update: route(
      'Change the supplied fields of a registry',
      { body: RegistryUpdate, response: { 200: ref(Registry) } },
      (request) => registries.update(request.viewer, registryId(request), request.body),
    ),

    delete: route(
      'Delete a registry for good, and its items with it',
      { response: nothing },
      async (request, reply) => {
        await registries.delete(request.viewer, registryId(request));
        return reply.code(204).send();
      },
    ),
  };
}

export function inviteeRoutes(registries: Registries, once: Once) {
  const response = { 200: ref(InviteesResponse) };
  return {
    list: route('Who is invited', { response }, async (request) => ({
      invitees: await registries.invitees(request.viewer, registryId(request)),
    })),

    add: route('Invite guests', { body: Invitees, response }, (request, reply) =>
      once(request, reply, async () => {
        const invitees = await registries.addInvitees(
          request.viewer,
          registryId(request),
          request.body.invitees,
        );
        return { status: 200, json: JSON.stringify({ invitees }) };
      }),
    ),

    remove: route('Uninvite a guest', { response }, async (request) => {
      const { invitee } = request.params as { invitee: string };
      if (invitee === '') throw notHere();
      return { invitees: await registries.removeInvitee(request.viewer, registryId(request), invitee) };
    }),
  };
}

export function registryItemRoutes(registries: Registries, items: Items, store: Store, once: Once) {
  return {
    list: route(
      "A registry's active items in the owner's order",
      { response: { 200: manyItems } },
      (request, reply) =>
        then(registries.itemsOf(request.viewer, registryId(request)), (json) =>
          send(reply, { status: 200, json }),
        ),
    ),

    create: route(
      'Add an item to a registry',
      { body: ItemRegistryCreate, response: { 201: oneItem } },
      (request, reply) =>
        once(request, reply, async (origin) => {
          const { viewer, body } = request;
          const item = await items.createIn(viewer, registryId(request), body, origin);
          return written(201, store, item, 'created', viewer);
        }),
    ),

    delete: route('Take an item off a registry', { response: nothing }, async (request, reply) => {
      await items.deleteIn(request.viewer, registryId(request), itemId(request), expected(request));
      return reply.code(204).send();
    }),
  };
}

export function affiliateRoutes(items: Items) {
  const response = { 200: ref(Affiliate) };
  return {
    get: route("An item's affiliate link", { response }, async (request) =>
      affiliateOf(await items.affiliate(request.viewer, registryId(request), itemId(request))),
    ),

    set: route('Set the affiliate link', { body: AffiliateUpdate, response }, async (request) =>
      affiliateOf(
        await items.setAffiliate(
          request.viewer,
          registryId(request),
          itemId(request),
          request.body,
          expected(request),
        ),
      ),
    ),

    clear: route('Clear the affiliate link', { response: nothing }, async (request, reply) => {
      const [registry, item] = [registryId(request), itemId(request)];
      await items.setAffiliate(request.viewer, registry, item, null, expected(request));
      return reply.code(204).send();
    }),
  };
}

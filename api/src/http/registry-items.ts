import { ItemRegistryCreate } from '../contract/index.ts';
import type { ItemRules } from '../domain/items.ts';
import type { RegistryRules } from '../domain/registries.ts';
import type { ItemStore } from '../store/items.ts';
import type { Idempotent } from './idempotency.ts';
import { itemPrecondition, manyItems, oneItem, REGISTRY_FULL, SAUCEPAN, writtenItem } from './items.ts';
import { NO_CONTENT, send } from './response.ts';
import { itemId, registryId, repeatable, route } from './routes.ts';

export function registryItemRoutes(
  registries: RegistryRules,
  items: ItemRules,
  store: ItemStore,
  idempotent: Idempotent,
) {
  const tag = 'Registry items';
  return {
    list: route(
      { tag, summary: "A registry's active items in the owner's order" },
      { response: { 200: manyItems } },
      async (request, reply) =>
        send(reply, { status: 200, json: await registries.itemsOf(request.viewer, registryId(request)) }),
    ),

    create: repeatable(
      idempotent,
      {
        tag,
        summary: 'Add an item to a registry',
        answersEtag: true,
        refusals: { 409: REGISTRY_FULL },
        examples: {
          'The least': { name: 'Copper saucepan', url: 'https://shop.example/saucepan' },
          Everything: SAUCEPAN,
        },
      },
      { body: ItemRegistryCreate, response: { 201: oneItem } },
      async (request, creationKey) => {
        const { viewer, body } = request;
        const item = await items.createIn(viewer, registryId(request), body, creationKey);
        return writtenItem(201, store, item, 'created', viewer);
      },
    ),

    delete: route(
      { tag, summary: 'Take an item off a registry', honoursIfMatch: true },
      { response: NO_CONTENT },
      async (request, reply) => {
        const [registry, item] = [registryId(request), itemId(request)];
        await items.deleteIn(request.viewer, registry, item, itemPrecondition(request));
        return reply.code(204).send();
      },
    ),
  };
}

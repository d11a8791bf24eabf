import { ItemRegistryCreate } from '../contract/index.ts';
import { sendUnlessKnown } from './etag.ts';
import { itemPrecondition, itemResponse, manyItems, oneItem, REGISTRY_FULL } from './items.ts';
import { itemId, registryId, routesOf } from './routes.ts';

const { emptyRoute, repeatable, route } = routesOf('Registry items');

export const registryItem = {
  list: route(
    {
      summary: "A registry's active items in the owner's order",
      answersEtag: true,
      honoursIfNoneMatch: true,
    },
    { response: { 200: manyItems } },
    async (request, reply) => {
      const { site, viewer } = request;
      const list = await site.registries.itemsOf(viewer, registryId(request.params));
      return sendUnlessKnown(request, reply, await site.presentList(list, viewer.admin));
    },
  ),

  create: repeatable(
    {
      summary: 'Add an item to a registry',
      answersEtag: true,
      refusals: { 409: REGISTRY_FULL },
      examples: { 'The least': { name: 'Copper saucepan', url: 'https://shop.example/saucepan' } },
    },
    { body: ItemRegistryCreate, response: { 201: oneItem } },
    async (request, creationKey) => {
      const { site, viewer, body } = request;
      const item = await site.items.createIn(viewer, registryId(request.params), body, creationKey);
      return itemResponse(201, request, item, 'created');
    },
  ),

  delete: emptyRoute({ summary: 'Take an item off a registry', honoursIfMatch: true }, async (request) => {
    const [registry, item] = [registryId(request.params), itemId(request.params)];
    await request.site.items.deleteIn(request.viewer, registry, item, itemPrecondition(request));
  }),
};

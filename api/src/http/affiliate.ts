import { Affiliate, AffiliateUpdate, ref } from '../contract/index.ts';
import type { StoredItem } from '../domain/items.ts';
import { itemPrecondition } from './items.ts';
import { itemId, registryId, routesOf } from './routes.ts';

const affiliateOf = ({ affiliate_url, affiliate_status }: StoredItem): Affiliate => ({
  affiliate_url,
  affiliate_status,
});

const { emptyRoute, route } = routesOf('Affiliate links');
const response = { 200: ref(Affiliate) };

export const affiliate = {
  get: route({ summary: "An item's affiliate link" }, { response }, async ({ site, viewer, params }) =>
    affiliateOf(await site.items.affiliate(viewer, registryId(params), itemId(params))),
  ),

  set: route(
    {
      summary: 'Set the affiliate link',
      honoursIfMatch: true,
      examples: {
        Active: { affiliate_url: 'https://partner.example/?to=saucepan' },
        'Not in use': { affiliate_url: 'https://partner.example/?to=saucepan', affiliate_status: 'inactive' },
      },
    },
    { body: AffiliateUpdate, response },
    async (request) => {
      const [registry, item] = [registryId(request.params), itemId(request.params)];
      const { site, viewer, body } = request;
      const updated = await site.items.setAffiliate(viewer, registry, item, body, itemPrecondition(request));
      return affiliateOf(updated);
    },
  ),

  clear: emptyRoute({ summary: 'Clear the affiliate link', honoursIfMatch: true }, async (request) => {
    const [registry, item] = [registryId(request.params), itemId(request.params)];
    await request.site.items.setAffiliate(request.viewer, registry, item, null, itemPrecondition(request));
  }),
};

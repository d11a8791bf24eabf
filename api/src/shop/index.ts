import { jsonLdInState, stateOf, statePrice } from './embedded-state.ts';
import { fieldsOf } from './fields.ts';
import { parsePage } from './html.ts';
import type { ShopPage } from './shop-page.ts';
import { isWall } from './walls.ts';

export { decodePage } from './charset.ts';
export { fromAddress, type ShopPage } from './shop-page.ts';

const WALL = {
  code: 'refused' as const,
  detail: 'The page keeps robots out, asks for consent first, or reports an error.',
};
// Characters at the start of a page in which a wall shows itself.
const START = 100_000;

/** Reads the fields of the product on a shop's page. A field about which the page leaves any doubt is null. */
export function readShopPage(html: string, address: string): ShopPage {
  const page = parsePage(html);
  const state = stateOf(page);
  const start = html.slice(0, START);
  return fieldsOf(page, new URL(address), {
    wall: (title, heading, text, sells) => (isWall(title, heading, text, start, sells) ? WALL : null),
    stateJsonLd: () => jsonLdInState(state),
    statePrice: (names) => statePrice(state, names),
  });
}

import { jsonLdInState, stateOf, statePrice } from './embedded-state.ts';
import { fieldsOf, finish } from './fields.ts';
import { HtmlReader } from './html.ts';
import type { ShopPage } from './shop-page.ts';
import { isWall } from './walls.ts';

export { decodePage } from './charset.ts';
export type { Source } from './facts.ts';
export { TooMuch } from './fields.ts';
export { fromAddress, type ShopPage } from './shop-page.ts';

const WALL = {
  code: 'refused' as const,
  detail: 'The page keeps robots out, asks for consent first, or reports an error.',
};

/** The fields of the product on a shop's page. A field that the page doesn't tell for certain is null. */
export function readShopPage(html: string, address: string, isOver?: () => boolean): ShopPage {
  const reader = new ShopPageReader(address, isOver);
  reader.write(html);
  return reader.end();
}

/** The same for a page that arrives in pieces. */
export class ShopPageReader {
  readonly #address: URL;
  readonly #html: HtmlReader;
  readonly #isOver: () => boolean;
  #start = '';

  /** `isOver` tells when a page has taken too long: what has been found is kept, or else it fails with `TooMuch`. */
  constructor(address: string, isOver: () => boolean = () => false) {
    this.#address = new URL(address);
    this.#isOver = isOver;
    this.#html = new HtmlReader(isOver);
  }

  write(piece: string): void {
    if (this.#start.length < 100_000) this.#start += piece.slice(0, 100_000);
    this.#html.write(piece);
  }

  end(): ShopPage {
    return finish(this.endInSteps());
  }

  /** The same in steps of a few milliseconds each, so that a large page holds nobody up. */
  endInSteps(): Generator<void, ShopPage> {
    const page = this.#html.end();
    const state = stateOf(page);
    return fieldsOf(page, this.#address, {
      isOver: this.#isOver,
      wall: (title, heading, text, sells) => (isWall(title, heading, text, this.#start, sells) ? WALL : null),
      jsonLdToDraw: () => jsonLdInState(state),
      priceToDraw: (called) => statePrice(state, called),
    });
  }
}

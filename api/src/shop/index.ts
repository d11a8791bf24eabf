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

/** Reads the fields of the product on a shop's page. A field about which the page leaves any doubt is null. */
export function readShopPage(html: string, address: string, isOver?: () => boolean): ShopPage {
  const reader = new ShopPageReader(address, isOver);
  reader.write(html);
  return reader.end();
}

/** Reads a page that arrives in pieces, like `readShopPage`. */
export class ShopPageReader {
  readonly #address: URL;
  readonly #html: HtmlReader;
  readonly #isOver: () => boolean;
  #start = '';

  /** `isOver` reports when a page has taken too long. Fields found by then are returned; if there are none, `TooMuch` is thrown. */
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

  /** Like `end`, but in steps of a few milliseconds each, so that a large page doesn't delay other work. */
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

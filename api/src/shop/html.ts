import { Parser } from 'htmlparser2';
import { Page, TooMuch } from './page.ts';

// Characters parsed at once; after each piece, a page that nests too deeply is given up.
const PIECE = 16_384;

/** Reads HTML piece by piece into a page. */
export class HtmlReader {
  readonly page = new Page();
  readonly #parser: Parser;
  readonly #isOver: () => boolean;

  constructor(isOver: () => boolean) {
    this.#isOver = isOver;
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.page.open(name, attributes),
      ontext: (text) => this.page.text(text),
      onclosetag: (name) => this.page.close(name),
    });
  }

  write(piece: string): void {
    for (let at = 0; at < piece.length && !this.page.tooDeep; at += PIECE) {
      // Half a page may show another price than the complete page.
      if (this.#isOver()) throw new TooMuch();
      this.#parser.write(piece.slice(at, at + PIECE));
    }
  }

  end(): Page {
    this.#parser.end();
    return this.page;
  }
}

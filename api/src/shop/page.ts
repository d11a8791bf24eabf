import { Parser } from 'htmlparser2';

/** An element of a page, with what stands in it in order. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  parent: Element | null;
  children: (Element | string)[];
}

// No shop nests deeper, and who does must not exhaust the stack.
const DEEPEST = 400;
const TOO_DEEP = 2000;
const PIECE = 16_384;

// What people don't see, and no shop keeps a fact in.
const UNREAD = new Set(['style', 'svg', 'path', 'template', 'iframe', 'object']);

/** Takes a page piece by piece and keeps its elements and the scripts that hold facts. */
export class PageReader {
  readonly root: Element = { name: '', attributes: {}, parent: null, children: [] };
  /** The text of every script that holds JSON-LD. */
  readonly jsonLd: string[] = [];
  /** ISO codes that the page's other scripts state as its currency. */
  readonly scriptCurrencies = new Set<string>();
  readonly #parser: Parser;
  #at: Element = this.root;
  #depth = 0;
  #skipped = 0;
  #script: string[] | null = null;

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#close(name),
    });
  }

  write(piece: string): void {
    for (let at = 0; at < piece.length && this.#skipped < TOO_DEEP; at += PIECE) {
      this.#parser.write(piece.slice(at, at + PIECE));
    }
  }

  end(): void {
    this.#parser.end();
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || this.#depth > DEEPEST || UNREAD.has(name)) {
      this.#skipped++;
      return;
    }
    const element: Element = { name, attributes, parent: this.#at, children: [] };
    this.#at.children.push(element);
    this.#at = element;
    this.#depth++;
    if (name === 'script') this.#script = [];
  }

  #text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#script) {
      this.#script.push(text);
      return;
    }
    const { children } = this.#at;
    const last = children.length - 1;
    if (typeof children[last] === 'string') children[last] += text;
    else children.push(text);
  }

  #close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    if (name === 'script' && this.#script) this.#keepScript(this.#script.join(''));
    if (this.#at.name !== name || !this.#at.parent) return;
    this.#at = this.#at.parent;
    this.#depth--;
  }

  #keepScript(text: string): void {
    this.#script = null;
    if (/^application\/(?:[a-z.]+\+)?ld\+json/i.test((this.#at.attributes.type ?? '').trim())) {
      this.jsonLd.push(text);
      return;
    }
    const stated =
      /currency(?:_?(?:code|iso))?\\?["']?\s*[:=]\s*(?:\{\s*\\?["']?active\\?["']?\s*:\s*)?\\?["']([A-Z]{3})\\?["']/gi;
    for (const [, code] of text.matchAll(stated))
      if (/^[A-Z]{3}$/.test(code!)) this.scriptCurrencies.add(code!);
  }
}

/** Every element below another, in the page's order. */
export function* descendants(element: Element): Generator<Element> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* descendants(child);
  }
}

/** The text in an element, its spaces made one. */
export function textOf(element: Element): string {
  const parts: string[] = [];
  const add = (from: Element) => {
    for (const child of from.children) {
      if (typeof child === 'string') parts.push(child);
      else if (child.name !== 'script' && child.name !== 'noscript') {
        parts.push(' ');
        add(child);
        parts.push(' ');
      }
    }
  };
  add(element);
  return oneLine(parts.join(''));
}

export const oneLine = (text: string) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();

/** The text of a piece of HTML, its entities decoded once and its tags left out. */
export function plainText(html: string): string {
  if (!/[&<]/.test(html)) return oneLine(html);
  const parts: string[] = [];
  const parser = new Parser({
    ontext: (text) => parts.push(text),
    onopentagname: () => parts.push(' '),
    onclosetag: () => parts.push(' '),
  });
  parser.end(/<\/?[a-z!]/i.test(html) ? html : html.replace(/</g, '&lt;'));
  return oneLine(parts.join(''));
}

import { oneLine } from './text.ts';

export interface Element {
  name: string;
  attributes: Record<string, string>;
  parent: Element | null;
  children: (Element | string)[];
}

// Real shops nest less deeply. To spare the stack, deeper levels are skipped; a page with `TOO_DEEP` of those is given up.
const DEEPEST = 400;
const TOO_DEEP = 2000;
// The largest pages of shops have half as many elements. Beyond this, only machine-readable elements are read.
const MOST_ELEMENTS = 40_000;
const SPEAKS_TO_MACHINES = /^(?:script|meta|link|title)$/;

// Elements without visible text, in which no shop puts useful data.
const UNREAD = new Set(['style', 'svg', 'path', 'template', 'iframe', 'object']);

/** A page's elements and scripts, as a parser or a browser's document reports them. */
export class Page {
  readonly root: Element = { name: '', attributes: {}, parent: null, children: [] };
  readonly elements: Element[] = [];
  /** The text of every script that holds JSON-LD. */
  readonly jsonLd: string[] = [];
  /** ISO codes that the page's other scripts give as its currency. */
  readonly scriptCurrencies = new Set<string>();
  /** The text of every other script. */
  readonly scripts: { type: string; text: string }[] = [];
  #at: Element = this.root;
  #depth = 0;
  #skipped = 0;
  #script: string[] | null = null;

  get tooDeep(): boolean {
    return this.#skipped >= TOO_DEEP;
  }

  get #isFull(): boolean {
    return this.elements.length >= MOST_ELEMENTS;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || this.#depth > DEEPEST || UNREAD.has(name)) {
      this.#skipped++;
      return;
    }
    if (this.#isFull && (!SPEAKS_TO_MACHINES.test(name) || this.elements.length > 2 * MOST_ELEMENTS)) return;
    const element: Element = { name, attributes, parent: this.#at, children: [] };
    this.#at.children.push(element);
    this.elements.push(element);
    this.#at = element;
    this.#depth++;
    if (name === 'script') this.#script = [];
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#script) {
      this.#script.push(text);
      return;
    }
    if (this.#isFull && this.#at.name !== 'title') return;
    const { children } = this.#at;
    const last = children.length - 1;
    if (typeof children[last] === 'string') children[last] += text;
    else children.push(text);
  }

  close(name: string): void {
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
    const type = (this.#at.attributes.type ?? '').trim();
    if (/^application\/(?:[a-z.]+\+)?ld\+json/i.test(type)) {
      this.jsonLd.push(text);
      return;
    }
    this.scripts.push({ type, text });
    const stated =
      /currency(?:_?(?:code|iso))?\\?["']?\s*[:=]\s*(?:\{\s*\\?["']?active\\?["']?\s*:\s*)?\\?["']([A-Z]{3})\\?["']/gi;
    for (const [, code] of text.matchAll(stated))
      if (/^[A-Z]{3}$/.test(code!)) this.scriptCurrencies.add(code!);
  }
}

const BADGE = /(?:^|[-_\s])(?:badge|flag|ribbon|sticker|pill|price)(?:$|[-_\s])/i;

/** Returns the text of a heading without badges such as "New". */
export const headingText = (element: Element) => textOf(element, BADGE) || textOf(element);

// Longer than any text that is compared. Each nested element counts as one character.
const LONGEST = 20_000;

/** Returns an element's text on one line, cut after `LONGEST`, without scripts and elements whose class matches `without`. */
export function textOf(element: Element, without?: RegExp): string {
  const parts: string[] = [];
  let length = 0;
  const add = (from: Element) => {
    for (const child of from.children) {
      if (length > LONGEST) return;
      if (typeof child === 'string') {
        length += child.length;
        parts.push(child.slice(0, LONGEST));
      } else if (isRead(child) && !without?.test(child.attributes.class ?? '')) {
        parts.push(' ');
        add(child);
        parts.push(' ');
        length++;
      }
    }
  };
  add(element);
  return oneLine(parts.join(''));
}

const isRead = ({ name }: Element) => name !== 'script' && name !== 'noscript';

/** Returns a function that gives an element's text if it is no longer than this. Each text is computed once, from those within it. */
export function shortTexts(longest: number): (element: Element) => string | null {
  const texts = new Map<Element, string | null>();
  return function shortText(element: Element): string | null {
    const found = texts.get(element);
    if (found !== undefined) return found;
    let text: string | null = '';
    for (const child of element.children) {
      if (typeof child !== 'string' && !isRead(child)) continue;
      const part: string | null = typeof child === 'string' ? child : shortText(child);
      text = part === null ? null : `${text}${typeof child === 'string' ? part : ` ${part} `}`;
      if (text !== null && text.length > longest) text = ` ${oneLine(text)} `;
      if (text === null || text.length > longest + 2) break;
    }
    const whole: string | null = text !== null && text.length <= longest + 2 ? text : null;
    texts.set(element, whole);
    return whole;
  };
}

import { type Element, type Page, textOf } from './page.ts';

/** Something that a page describes with schema.org's vocabulary, in any syntax. */
export type Thing = { [property: string]: unknown };

export const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flat() : value === undefined || value === null ? [] : [value];

/** Returns the types of a thing without their vocabulary's address. */
export const typesOf = (thing: Thing): string[] =>
  listOf(thing['@type'])
    .slice(0, MOST_NAMES)
    .map((type) => said(type).replace(/^.*[/#:]/, ''));

/** Returns a text or number as text, and anything else as an empty string: a deeply nested list would take long to print. */
export const said = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value instanceof VisibleText ? String(value) : '';

// The most types or properties of one element.
const MOST_NAMES = 20;

/** Parses JSON-LD as shops write it: with comments, trailing commas, line breaks in strings, CDATA or entities. */
export function readJsonLd(script: string): unknown {
  let text = script.trim().replace(/^(?:\/\/|\/\*)?\s*<!\[CDATA\[\s*(?:\*\/)?/, '');
  text = withoutEnd(withoutEnd(text, ']]>').replace(/^\s*<!--/, ''), '-->').trim();
  const read = jsonIn(text);
  if (read !== undefined) return read;
  if (/^[[{]\s*&(?:quot|#34);/.test(text)) text = text.replace(/&(?:quot|#34);/g, '"').replace(/&amp;/g, '&');
  return jsonIn(forgiven(text)) ?? null;
}

/** Returns the value of JSON; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes a mark from the end of a text. A regular expression would take quadratic time on runs of spaces. */
function withoutEnd(text: string, mark: ']]>' | '-->'): string {
  let rest = text.trimEnd();
  if (mark === ']]>' && rest.endsWith('*/')) rest = rest.slice(0, -2).trimEnd();
  if (!rest.endsWith(mark)) return text;
  rest = rest.slice(0, -mark.length).trimEnd();
  return rest.endsWith('//') || (mark === ']]>' && rest.endsWith('/*')) ? rest.slice(0, -2) : rest;
}

// Characters at which JSON may need a repair.
const SPECIAL = /["/,\]}]/g;

function forgiven(text: string): string {
  let out = '';
  // A comma and the space after it are held back, and dropped if the comma is a trailing one.
  let comma = '';
  const put = (part: string) => {
    if (comma && part.trim() === '') comma += part;
    else {
      out += comma + part;
      comma = '';
    }
  };
  for (let at = 0; at < text.length; at++) {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(text)?.index ?? text.length;
    if (special > at) put(text.slice(at, special));
    at = special;
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      put(
        text
          .slice(at, end + 1)
          .replace(/\p{Cc}/gu, ' ')
          .replace(/(\\["\\/bfnrtu])|\\/g, '$1'),
      );
      at = end;
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) break;
      at = end + 1;
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      at = end;
    } else if (char === ',' || char === ']' || char === '}') {
      out += comma.slice(1);
      comma = '';
      if (char === ',') comma = char;
      else out += char;
    } else put(char);
  }
  out = `${out}${comma}`.trimEnd();
  return out.endsWith(';') ? out.slice(0, -1) : out;
}

/** Returns the end of the string that begins at a quote: its closing quote, or the end of the text. */
export function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const withoutPrefix = (name: string) => name.replace(/^.*[/#:]/, '');

const LONGEST_SEEN = 5_000;

/** Returns the things in a page's microdata (`itemscope`) or RDFa (`typeof`), each with those nested in it. */
export function thingsInMarkup({ root }: Page, kind: 'microdata' | 'rdfa'): Thing[] {
  const found: Thing[] = [];
  const isScope = ({ attributes }: Element) =>
    kind === 'microdata' ? 'itemscope' in attributes : 'typeof' in attributes;
  const typeOf = ({ attributes }: Element) =>
    kind === 'microdata' ? attributes.itemtype : attributes.typeof;
  const namesOf = ({ attributes }: Element) => {
    const names = kind === 'microdata' ? attributes.itemprop : attributes.property || attributes.rel;
    if (!names) return [];
    return names
      .split(/\s+/, MOST_NAMES)
      .filter((name) => name && !/^(?:og|product|twitter|fb|article):/.test(name));
  };
  function walk(element: Element, owner: Thing | null): void {
    const names = namesOf(element).map(withoutPrefix);
    let next = owner;
    if (isScope(element)) {
      next = { '@type': (typeOf(element) ?? '').split(/\s+/, MOST_NAMES).map(withoutPrefix) };
      const about = element.attributes.itemid ?? element.attributes.resource ?? element.attributes.about;
      if (about) next['@id'] = about;
      if (owner && names.length > 0) for (const name of names) add(owner, name, next);
      else found.push(next);
    } else if (owner) for (const name of names) add(owner, name, markupValue(element));
    for (const child of element.children) if (typeof child !== 'string') walk(child, next);
  }
  walk(root, null);
  return found;
}

function add(thing: Thing, name: string, value: unknown): void {
  const before = thing[name];
  if (Array.isArray(before)) before.push(value);
  else thing[name] = before === undefined ? value : [before, value];
}

function markupValue(element: Element): unknown {
  const { name, attributes } = element;
  if (attributes.content !== undefined) return attributes.content;
  if (name === 'meta') return '';
  if (name === 'img') return attributes.src || attributes['data-src'] || '';
  if (name === 'a' || name === 'link') return attributes.href ?? textOf(element);
  if (name === 'data' || name === 'meter') return attributes.value ?? textOf(element);
  // Visible text is marked as such: unlike machine-readable values, it may also contain an old price.
  return new VisibleText(element);
}

/** A value that people read in the page. */
export class VisibleText {
  readonly element: Element;
  #text: string | undefined;

  constructor(element: Element) {
    this.element = element;
  }

  toString(): string {
    this.#text ??= textOf(this.element).slice(0, LONGEST_SEEN);
    return this.#text;
  }
}

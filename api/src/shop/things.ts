import { descendants, type Element, textOf } from './page.ts';

/** Something that a page describes in schema.org's words, however it is written down. */
export type Thing = { [property: string]: unknown };

export const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.flat() : value === undefined || value === null ? [] : [value];

/** The types of a thing without their vocabulary's address. */
export const typesOf = (thing: Thing): string[] =>
  listOf(thing['@type']).map((type) => String(type).replace(/^.*[/#:]/, ''));

/** JSON-LD as shops write it: comments, trailing commas, line breaks in strings, CDATA and entities are forgiven. */
export function readJsonLd(script: string): unknown {
  let text = script
    .trim()
    .replace(/^\s*(?:\/\/|\/\*)?\s*<!\[CDATA\[\s*(?:\*\/)?/, '')
    .replace(/(?:\/\/|\/\*)?\s*\]\]>\s*(?:\*\/)?\s*$/, '')
    .replace(/^\s*<!--/, '')
    .replace(/(?:\/\/\s*)?-->\s*$/, '')
    .trim();
  try {
    return JSON.parse(text);
  } catch {
    // Read again below, with more patience.
  }
  if (/^[[{]\s*&(?:quot|#34);/.test(text)) text = text.replace(/&(?:quot|#34);/g, '"').replace(/&amp;/g, '&');
  try {
    return JSON.parse(forgiven(text));
  } catch {
    return null;
  }
}

function forgiven(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const end = stringEnd(text, at);
      out += text
        .slice(at, end + 1)
        .replace(/\p{Cc}/gu, ' ')
        .replace(/\\(?!["\\/bfnrtu])/g, '');
      at = end;
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) break;
      at = end + 1;
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      at = end;
    } else out += char;
  }
  return withoutTrailingCommas(out).replace(/;\s*$/, '');
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

// A string is matched first and kept, so that a comma within one stays.
const withoutTrailingCommas = (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[,}\]])/g, (found) => (found === ',' ? '' : found));

const withoutPrefix = (name: string) => name.replace(/^.*[/#:]/, '');

/** The things in a page's microdata (`itemscope`) or RDFa (`typeof`), each with what is nested in it. */
export function thingsInMarkup(root: Element, kind: 'microdata' | 'rdfa'): Thing[] {
  const found: Thing[] = [];
  const referred = new Set<string>();
  const isScope = ({ attributes }: Element) =>
    kind === 'microdata' ? 'itemscope' in attributes : 'typeof' in attributes;
  const typeOf = ({ attributes }: Element) =>
    kind === 'microdata' ? attributes.itemtype : attributes.typeof;
  const namesOf = ({ attributes }: Element) => {
    const names = kind === 'microdata' ? attributes.itemprop : attributes.property || attributes.rel;
    return (names ?? '')
      .split(/\s+/)
      .filter((name) => name && !/^(?:og|product|twitter|fb|article):/.test(name));
  };
  const walk = (element: Element, owner: Thing | null) => {
    const names = namesOf(element).map(withoutPrefix);
    let next = owner;
    if (isScope(element)) {
      next = { '@type': (typeOf(element) ?? '').split(/\s+/).map(withoutPrefix), '@element': element };
      const about = element.attributes.itemid ?? element.attributes.resource ?? element.attributes.about;
      if (about) next['@id'] = about;
      if (owner && names.length > 0) for (const name of names) add(owner, name, next);
      else found.push(next);
      for (const id of (element.attributes.itemref ?? '').split(/\s+/).filter(Boolean)) {
        if (referred.has(id)) continue;
        referred.add(id);
        for (const other of descendants(root)) if (other.attributes.id === id) walk(other, next);
      }
    } else if (owner) for (const name of names) add(owner, name, markupValue(element));
    for (const child of element.children) if (typeof child !== 'string') walk(child, next);
  };
  walk(root, null);
  return found;
}

function add(thing: Thing, name: string, value: unknown): void {
  const before = thing[name];
  thing[name] = before === undefined ? value : [...listOf(before), value];
}

function markupValue(element: Element): unknown {
  const { name, attributes } = element;
  if (attributes.content !== undefined) return attributes.content;
  if (name === 'meta') return '';
  if (name === 'img') return attributes.src || attributes['data-src'] || '';
  if (name === 'a' || name === 'link') return attributes.href ?? textOf(element);
  if (name === 'data' || name === 'meter') return attributes.value ?? textOf(element);
  // Told apart from what a machine wrote: it may hold an old price too.
  return new SeenText(element);
}

/** A value that people read in the page. */
export class SeenText {
  readonly element: Element;

  constructor(element: Element) {
    this.element = element;
  }

  toString(): string {
    return textOf(this.element);
  }
}

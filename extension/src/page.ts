// Parts of the extension's own pages: elements with text in the reader's language and direction.
import { words } from './browser.ts';

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  fields: Partial<Omit<HTMLElementTagNameMap[Name], 'style'>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), fields);
  made.append(...children);
  return made;
}

/** Wraps text of a shop or a person, whose direction may differ from the page's. */
export const theirs = (text: string, className = '') => element('bdi', { className }, text);

export function translate(title: string): void {
  // The language of the texts, which is English if there is no translation into the browser's language.
  document.documentElement.lang = words('language');
  document.documentElement.dir = words('direction');
  document.title = title;
  for (const place of document.querySelectorAll<HTMLElement>('[data-words]'))
    place.textContent = words(place.dataset.words!);
}

export const button = (text: string, press: () => void, className = '') =>
  element('button', { type: 'button', className, onclick: press }, text);

export const link = (text: string, href: string, className = '') =>
  element('a', { href, target: '_blank', rel: 'noreferrer', className }, text);

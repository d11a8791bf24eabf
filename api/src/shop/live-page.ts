import { Page } from './page.ts';

/** Reads the document that a browser shows, as a parser would read the page. */
export function livePage(root: Element, skips: (element: Element) => boolean = () => false): Page {
  const page = new Page();
  const tell = (element: Element, seen: boolean): void => {
    if (skips(element)) return;
    const name = element.localName;
    const attributes: Record<string, string> = {};
    for (const { name, value } of element.attributes) attributes[name] = value;
    // A browser knows which elements its styles hide, so their text doesn't count as visible.
    const shown = seen && (element.checkVisibility?.() ?? true);
    if (seen && !shown) attributes.hidden = '';
    page.open(name, attributes);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) page.text(child.nodeValue ?? '');
      else if (child instanceof Element) tell(child, shown);
    }
    page.close(name);
  };
  tell(root, true);
  return page;
}

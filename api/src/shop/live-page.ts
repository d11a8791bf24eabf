import { Page } from './page.ts';

/** Builds a `Page` from a browser's live document, like the one that a parser builds from the page's source. */
export function livePage(root: Element, skips: (element: Element) => boolean = () => false): Page {
  const page = new Page();
  const visit = (element: Element, isParentShown: boolean): void => {
    if (skips(element)) return;
    const tag = element.localName;
    const attributes: Record<string, string> = {};
    for (const { name, value } of element.attributes) attributes[name] = value;
    // `Page` knows no style sheets, so the outermost element that they hide gets the attribute `hidden`.
    const isShown = isParentShown && (element.checkVisibility?.() ?? true);
    if (isParentShown && !isShown) attributes.hidden = '';
    page.open(tag, attributes);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) page.text(child.nodeValue ?? '');
      else if (child instanceof Element) visit(child, isShown);
    }
    page.close(tag);
  };
  visit(root, true);
  return page;
}

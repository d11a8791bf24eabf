// The parts of a shop's page: those about the product, and all others.
import { ELSEWHERE_NAME } from '../../api/src/shop/class-names.ts';
import { oneLine } from '../../api/src/shop/text.ts';

const BESIDE = 'header, footer, nav, aside, dialog, [role="dialog"], [role="navigation"]';

/** Reports whether an element is visible, and neither in a menu nor among other products. */
export function isProducts(element: Element): boolean {
  if (!(element.checkVisibility?.({ visibilityProperty: true }) ?? true) || element.closest(BESIDE))
    return false;
  for (let at: Element | null = element; at && at.localName !== 'body'; at = at.parentElement)
    if (ELSEWHERE_NAME.test(`${at.className} ${at.id}`)) return false;
  return true;
}

/** Returns the text of an element as people see it, on one line. */
export const textIn = (element: Element | null | undefined): string =>
  oneLine((element as HTMLElement | null)?.innerText ?? element?.textContent ?? '');

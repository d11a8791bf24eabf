// The variant that a person has chosen on a shop's page: for example its colour and size.
import { amountsIn } from '../../api/src/shop/amounts.ts';
import { isProducts, textIn } from './place.ts';

/** The area in which shops let people choose a variant. */
const CHOICE =
  'form[action*="cart" i], form[action*="basket" i], form[action*="checkout" i], form.cart, form:has([name="add"], ' +
  '[name="add-to-cart"], [type="submit"][name*="cart" i]), [class*="variant" i], [class*="variation" i], [class*="swatch" i], ' +
  '[class*="product-option" i], [class*="productoption" i], [class*="configurat" i], [id*="variation" i], [id*="twister" i], ' +
  '[data-option-name], [data-product-option], [itemtype*="Product"]';

/** Choices that don't make it another product: quantity, delivery, payment, the order of a list. */
const NO_VARIANT =
  /qty|quantit|anzahl|menge|cantidad|stück|كمية|sort|currency|währung|country|language|sprache|rating|review|page|shipping|deliver|liefer|livraison|payment|zahlung|subscri|selling_plan|purchase_?option|warranty|garant|frequency|store|zip|postal/i;

const LONGEST = { label: 30, value: 60, whole: 150 };

/** Returns the chosen variant, such as "Colour: Blue, Size: M"; an empty string if none is chosen. */
export function chosenVariant(page: Document): string {
  const chosen = new Map<string, string>();
  const add = (label: string, value: string, names: string) => {
    const told = withoutPrice(value);
    const called = withoutValue(label, told);
    if (!told || told.length > LONGEST.value || NO_VARIANT.test(`${names} ${called}`)) return;
    if (/^default( title)?$/i.test(told) || [...chosen.values()].includes(told)) return;
    const key = called.length > LONGEST.label ? '' : called;
    if (!chosen.has(key)) chosen.set(key, told);
  };
  for (const [element, label, value] of [...selects(page), ...pressed(page), ...told(page)])
    if (isProducts(element) && element.closest(CHOICE)) add(label, value, namesOf(element));
  const parts = [...chosen].map(([label, value]) => (label ? `${label}: ${value}` : value));
  while (parts.join(', ').length > LONGEST.whole) parts.pop();
  return parts.join(', ');
}

type Choice = [element: Element, label: string, value: string];

function selects(page: Document): Choice[] {
  return [...page.querySelectorAll<HTMLSelectElement>('select')].flatMap((select): Choice[] => {
    const option = select.selectedOptions[0];
    // In many shops, the first option is only a prompt.
    if (!option || option.disabled || !option.value || select.options.length < 2) return [];
    return [[select, labelOf(select), oneText(option)]];
  });
}

/** Finds choices made with radio buttons, and the buttons and swatches that shops use instead. */
function pressed(page: Document): Choice[] {
  const all = page.querySelectorAll<HTMLElement>(
    'input[type="radio"]:checked, [role="radio"][aria-checked="true"], [role="option"][aria-selected="true"], button[aria-pressed="true"]',
  );
  return [...all].flatMap((element): Choice[] => {
    const isInput = element instanceof HTMLInputElement;
    const named = isInput ? element.labels?.[0] : element;
    // Swatches hide the button itself and show its label.
    const shown = named && isProducts(named) ? named : element;
    const value =
      element.getAttribute('aria-label') ||
      textIn(named) ||
      named?.title ||
      named?.querySelector('img')?.alt ||
      element.dataset.value ||
      (isInput ? element.value : '');
    return [[shown, groupOf(element), value]];
  });
}

/** Finds choices written next to their names, as Amazon does. */
function told(page: Document): Choice[] {
  const all = page.querySelectorAll(
    '[id^="variation_"] .selection, [id^="inline-twister-expanded-dimension-text"]',
  );
  return [...all].map((element) => {
    const row = element.closest('[id^="variation_"], [id^="inline-twister-row"]') ?? element.parentElement;
    const label = row?.querySelector('.a-form-label, [id^="inline-twister-dim-title"] .a-color-secondary');
    return [element, textIn(label), textIn(element)];
  });
}

function labelOf(control: HTMLSelectElement): string {
  const row = control.closest('tr');
  return (
    textIn(control.labels?.[0]) ||
    control.getAttribute('aria-label') ||
    textIn(byIds(control, 'aria-labelledby')) ||
    textIn(row?.querySelector('th, .label')) ||
    groupOf(control) ||
    nameIn(control.name)
  );
}

/** Returns the name of the choice to which a button belongs. */
function groupOf(element: Element): string {
  const group = element.closest('fieldset, [role="radiogroup"], [role="listbox"], [role="group"]');
  return (
    textIn(group?.querySelector('legend')) ||
    group?.getAttribute('aria-label') ||
    textIn(group && byIds(group, 'aria-labelledby')) ||
    nameIn(element.getAttribute('name') ?? '')
  );
}

const byIds = (element: Element, attribute: string) => {
  const [id] = (element.getAttribute(attribute) ?? '').split(/\s+/);
  return id ? element.ownerDocument.getElementById(id) : null;
};

/** Returns the readable part of a field's name, such as "attribute_pa_colour" or "options[Size]". */
const nameIn = (name: string) =>
  (
    /\[([a-z][\w ]*)\]$/i.exec(name)?.[1] ??
    /^(?:attribute_(?:pa_)?)([a-z-]+)$/i.exec(name)?.[1] ??
    ''
  ).replace(/[-_]+/g, ' ');

const namesOf = (element: Element) => {
  const control = element instanceof HTMLLabelElement ? element.control : element;
  return ['name', 'id', 'class'].map((key) => control?.getAttribute(key) ?? '').join(' ');
};

const oneText = (option: HTMLOptionElement) => option.label.replace(/\s+/g, ' ').trim();

/** Removes the price from an option such as "Large - €59,90" or "Large (+ 5 €)". */
function withoutPrice(value: string): string {
  const cut = /^(.+?)\s*(?:[-–—|:]|\(\+?|\+)\s*([^-–—|]*\d[^-–—|]*?)\)?$/u.exec(value.trim());
  return cut && amountsIn(cut[2]!).length > 0 ? cut[1]!.trim() : value.trim();
}

/** Removes the chosen value from a label such as "Colour: Blue". */
function withoutValue(label: string, value: string): string {
  const text = label.replace(/\*/g, '').trim();
  const cut = value && text.endsWith(value) && text !== value ? text.slice(0, -value.length) : text;
  return cut.replace(/[\s:：]+$/u, '').trim();
}

// The card next to a gift's form shows what guests will see, and follows what is typed.

/** A typed price as pages write prices; the text itself where it is more than a number, unless words make it none. */
export function shownPrice(text: string, currency: string, language: string): string {
  const number = text.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  if (!currency || !/^\d+(\.\d{1,2})?$/.test(number))
    return /^(?!.*\p{L}{4}).*\p{N}/u.test(text) ? text.trim() : '';
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(language, style).format(Number(number));
}

export function card(): void {
  const card = document.querySelector<HTMLElement>('[data-card]');
  const form = document.querySelector<HTMLFormElement>('.trousseau-form.is-gift');
  if (!card || !form) return;
  const picture = card.querySelector('img')!;
  const before = picture.hidden ? '' : picture.src;
  const text = (data: FormData, name: string) => String(data.get(name) ?? '').trim();
  const show = () => {
    const data = new FormData(form);
    const currency = card.dataset.currency || text(data, 'list_currency');
    for (const element of card.querySelectorAll<HTMLElement>('[data-of]')) {
      const name = element.dataset.of!;
      const typed = text(data, name);
      const shown = name === 'price' ? shownPrice(typed, currency, document.documentElement.lang) : typed;
      element.textContent = shown || (element.dataset.empty ?? '');
      element.hidden = !element.textContent;
    }
    card.querySelector<HTMLElement>('.trousseau-most-wanted')!.hidden = !data.has('most_wanted');
    const chosen = form.querySelector<HTMLImageElement>('.trousseau-frame:not([hidden]) img');
    picture.src = chosen?.src || before || 'data:,';
    picture.style.objectPosition = chosen?.style.objectPosition ?? '';
    picture.hidden = !chosen?.src.startsWith('blob:') && (!before || data.has('no-picture'));
  };
  form.addEventListener('input', show);
  show();
}

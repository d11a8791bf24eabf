import { findAll } from './find.ts';

/** Which of a form's fields are shown: those whose condition (`name=value`) holds. */
export const holds = (condition: string, value: (name: string) => string): boolean => {
  const [name = '', wanted = ''] = condition.split('=');
  return value(name) === wanted;
};

/** Fields that only some choices need. */
export function choices(): void {
  for (const form of findAll<HTMLFormElement>('form.trousseau-form')) {
    const parts = form.querySelectorAll<HTMLElement>('[data-shown-if]');
    const show = () => {
      const data = new FormData(form);
      for (const part of parts)
        part.hidden = !holds(part.dataset.shownIf!, (name) => String(data.get(name) ?? ''));
    };
    form.onchange = show;
    // A page that one comes back to has its choices again by then.
    addEventListener('pageshow', show);
    show();
  }
}

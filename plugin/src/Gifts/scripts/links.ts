// Many links become gifts while someone watches: each is sent by itself, and its row says how it went. Without this script one
// press sends them all.
import { find } from '../../Platform/scripts/find.ts';

const AT_ONCE = 3;

export function links(): void {
  const list = find('[data-links]');
  const form = list?.closest('form');
  const send = form?.querySelector<HTMLButtonElement>('[type="submit"]');
  if (!list || !form || !send) return;
  const field = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value;
  const waiting = () => list.querySelector<HTMLElement>('[data-state="waiting"]');
  const add = async (row: HTMLElement) => {
    row.dataset.state = 'looking';
    row.querySelector('small')!.textContent = list.dataset.looking!;
    const link = row.dataset.link!;
    // A link that was on its way when the page was left is sent again under the same key, and becomes one gift.
    const kept = link + form.action;
    sessionStorage[kept] ??= field('key');
    const data = new URLSearchParams({ 'links[]': link, do: field('do'), key: sessionStorage[kept] });
    const answer = await fetch(form.action, { method: 'POST', body: data }).catch(() => undefined);
    const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html');
    const changed = page.querySelector('[data-link]');
    if (changed) {
      row.replaceWith(changed);
      delete sessionStorage[kept];
    } else {
      // Nobody answered: the button tries again.
      row.dataset.state = 'stopped';
      row.querySelector('small')!.textContent =
        form.closest<HTMLElement>('[data-not-just-now]')!.dataset.notJustNow!;
    }
  };
  const work = async () => {
    for (let row = waiting(); row; row = waiting()) await add(row);
  };
  const start = async () => {
    send.hidden = true;
    for (const row of list.querySelectorAll<HTMLElement>('[data-state="stopped"]'))
      row.dataset.state = 'waiting';
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    send.hidden = !list.querySelector('[data-state="stopped"]');
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void start();
  });
  void start();
}

/** A field for links has several lines, and is sent by Enter like one with a single line. */
export function linkField(): void {
  const field = find<HTMLTextAreaElement>('.is-paste textarea');
  field?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.form!.requestSubmit();
  });
}

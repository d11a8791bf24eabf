// Ordering gifts by buttons and by dragging, without loading the page again. The buttons' forms are the way it is stored.
import { moved } from './order.ts';

export function reorder(): void {
  const list = document.querySelector<HTMLElement>('.trousseau-order');
  if (!list) return;
  const said = document.querySelector<HTMLElement>('[data-said]');
  const rows = () => [...list.querySelectorAll<HTMLElement>(':scope > li')];

  const settle = () => {
    const all = rows();
    for (const [place, row] of all.entries())
      for (const form of row.querySelectorAll<HTMLFormElement>('.is-move')) {
        const where = new FormData(form).get('where');
        const useless = place === (where === 'top' || where === 'up' ? 0 : all.length - 1);
        form.querySelector('button')!.disabled = useless;
      }
  };

  const say = (row: HTMLElement) => {
    if (!said) return;
    const all = rows();
    const values = [row.dataset.name!, String(all.indexOf(row) + 1), String(all.length)];
    said.textContent = list.dataset.moved!.replace(/%(\d)\$s/g, (_, n) => values[Number(n) - 1]!);
  };

  // One after the other, as they were made.
  let last: Promise<unknown> = Promise.resolve();
  const store = (row: HTMLElement, where: string) => {
    const body = new URLSearchParams({ do: 'move', item: row.dataset.item!, where });
    last = last.then(async () => {
      const answer = await fetch(list.dataset.address!, { method: 'POST', body, redirect: 'manual' }).catch(
        () => undefined,
      );
      // What could not be stored is shown as it is.
      if (!answer || (answer.type !== 'opaqueredirect' && !answer.ok)) location.reload();
    });
  };

  const move = (row: HTMLElement, where: string) => {
    list.append(...moved(rows(), row, where));
    settle();
    say(row);
    store(row, where);
  };

  list.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('.is-move')) return;
    event.preventDefault();
    const row = form.closest('li')!;
    const button = form.querySelector('button')!;
    move(row, String(new FormData(form).get('where')));
    // Focus stays with the gift: at the end of the list its button is of no more use.
    const next = button.disabled ? row.querySelector<HTMLElement>('.is-move button:not(:disabled)') : button;
    next?.focus();
  });

  let dragged: HTMLElement | undefined;
  for (const row of rows()) row.draggable = true;
  list.addEventListener('dragstart', (event) => {
    dragged = (event.target as HTMLElement).closest<HTMLElement>('li') ?? undefined;
    dragged?.classList.add('is-dragged');
    event.dataTransfer?.setData('text/plain', dragged?.dataset.name ?? '');
  });
  list.addEventListener('dragover', (event) => {
    const over = (event.target as HTMLElement).closest<HTMLElement>('li');
    if (!dragged || !over) return;
    event.preventDefault();
    if (over === dragged) return;
    const { top, height } = over.getBoundingClientRect();
    over[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
  });
  list.addEventListener('dragend', () => {
    if (!dragged) return;
    dragged.classList.remove('is-dragged');
    settle();
    say(dragged);
    store(dragged, String(rows().indexOf(dragged)));
    dragged = undefined;
  });
}

// Ordering gifts by buttons, by the menu and by dragging, without loading the page again. Without this script each button
// is a form. A network that fails loses nothing: the page says so, tries again, and is never left.
import { find } from '../../Platform/scripts/find.ts';
import { places } from './order.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const PATIENCE_MS = 20_000;
/** Pixels from the window's edge where a dragged gift scrolls the page, and by how many. */
const EDGE = 80;
const STEP = 14;
/** Answers to someone who may not order these gifts any more, such as after logging out: then the page is loaded anew. */
const REFUSED = [401, 403, 404];

export function reorder(): void {
  const list = find('.trousseau-order');
  const menu = find('#trousseau-menu');
  const buttons = find<HTMLFormElement>('#trousseau-move');
  if (!list || !menu || !buttons) return;
  const said = find('[data-said]')!;
  const unsentNote = find('[data-unsent]')!;
  const number = (name: string) => Number(list.dataset[name]);
  const [first, total, size] = [number('first'), number('total'), number('size')];
  const isFound = 'found' in list.dataset;
  const rows = () => [...list.querySelectorAll<HTMLElement>(':scope > li')];
  const nameOf = (row: HTMLElement) => row.querySelector('strong')!.textContent;
  const placeOf = (row: HTMLElement) => first + rows().indexOf(row);

  const settle = () => {
    for (const row of rows())
      for (const button of row.querySelectorAll<HTMLButtonElement>('[form="trousseau-move"]'))
        button.disabled = placeOf(row) === (button.name === 'up' ? 0 : total - 1);
  };

  const say = (row: HTMLElement, place: number) => {
    const values = [nameOf(row), String(place + 1), String(total)];
    said.textContent = list.dataset.moved!.replace(/%(\d)\$s/g, (_, n) => values[Number(n) - 1]!);
  };

  // The site is told where gifts belong now, not how they came there: each message may be lost, or come twice.
  const page = Math.random().toString(36).slice(2);
  let messages = 0;
  let unsent = new Set<HTMLElement>();
  let onTheirWay = new Set<HTMLElement>();
  /** A gift that goes to another part of the list: with its place there. */
  let leaving: { row: HTMLElement; place: number } | undefined;

  const send = (some: Set<HTMLElement>) => {
    const moves = places(rows(), some, first).map(([row, place]) => [
      row.dataset.item,
      row === leaving?.row ? leaving.place : place,
    ]);
    const body = new URLSearchParams({
      do: 'move',
      moves: moves.map((move) => move.join(':')).join(','),
      sent: `${page}:${++messages}`,
    });
    // The browser goes on sending it while the page is left.
    return fetch(list.dataset.address!, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: true,
      signal: AbortSignal.timeout?.(PATIENCE_MS),
    });
  };

  let wake = () => {};
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, milliseconds);
    });
  addEventListener('online', () => wake());

  let isBusy = false;
  const store = async () => {
    if (isBusy) return;
    isBusy = true;
    for (let wait = FIRST_PAUSE_MS; unsent.size > 0; ) {
      onTheirWay = unsent;
      unsent = new Set();
      const answer = await send(onTheirWay).catch(() => undefined);
      const isStored = answer?.type === 'opaqueredirect' || answer?.ok;
      if (!isStored) unsent = new Set([...onTheirWay, ...unsent]);
      onTheirWay = new Set();
      unsentNote.hidden = Boolean(isStored);
      if (isStored) {
        wait = FIRST_PAUSE_MS;
        continue;
      }
      if (answer && REFUSED.includes(answer.status)) {
        unsent.clear();
        location.reload();
        return;
      }
      await pause(wait);
      wait = Math.min(2 * wait, LONGEST_PAUSE_MS);
    }
    isBusy = false;
    if (leaving) goTo(leaving.row, leaving.place);
  };

  /** Opens the part of the list where a gift stands now. */
  const goTo = (row: HTMLElement, place: number) => {
    const address = new URL(list.dataset.address!);
    const part = Math.floor(place / size) + 1;
    if (part > 1) address.searchParams.set('part', String(part));
    address.hash = row.id;
    if (address.pathname + address.search === location.pathname + location.search) {
      location.hash = address.hash;
      location.reload();
    } else location.assign(address);
  };

  // Moves that wait for the answer to an earlier message are sent when the page is left.
  addEventListener('pagehide', () => {
    if (unsent.size > 0) void send(new Set([...onTheirWay, ...unsent])).catch(() => {});
  });
  addEventListener('beforeunload', (event) => {
    if (!unsentNote.hidden && unsent.size + onTheirWay.size > 0) event.preventDefault();
  });

  const move = (row: HTMLElement, where: string) => {
    if (leaving) return;
    const all = rows();
    const wanted = { top: 0, bottom: total - 1, up: placeOf(row) - 1, down: placeOf(row) + 1 }[where];
    const place = Math.min(total - 1, Math.max(0, wanted ?? Number(where)));
    if (isFound || place < first || place >= first + all.length) leaving = { row, place };
    else {
      const others = all.filter((other) => other !== row);
      others.splice(place - first, 0, row);
      list.append(...others);
      settle();
    }
    say(row, place);
    unsent.add(row);
    void store();
  };

  buttons.addEventListener('submit', (event) => {
    const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    const row = button?.closest('li');
    if (!button || !row) return;
    event.preventDefault();
    move(row, button.name);
    // Focus stays with the gift: at the end of the list its button is of no more use.
    const next = button.disabled
      ? row.querySelector<HTMLElement>('[form="trousseau-move"]:not(:disabled)')
      : button;
    next?.focus();
  });

  // One menu for all gifts: it comes to the gift whose “Move” is pressed.
  const place = menu.querySelector<HTMLInputElement>('[name="place"]')!;
  const opener = () => menu.closest('li')?.querySelector<HTMLElement>('summary');
  const close = () => {
    menu.hidden = true;
    opener()?.focus();
  };
  list.addEventListener('click', (event) => {
    const link = (event.target as HTMLElement).closest<HTMLElement>('[data-move]');
    if (!link) return;
    event.preventDefault();
    const row = link.closest('li')!;
    link.closest('details')!.open = false;
    if (!menu.hidden && menu.closest('li') === row) return close();
    row.append(menu);
    menu.querySelector<HTMLInputElement>('[name="item"]')!.value = row.dataset.item!;
    menu.hidden = false;
    place.value = isFound ? '' : String(placeOf(row) + 1);
    place.select();
  });
  menu.querySelector('[data-close]')!.addEventListener('click', (event) => {
    event.preventDefault();
    close();
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  menu.addEventListener('submit', (event) => {
    const row = menu.closest('li');
    const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    if (!row || !button) return;
    event.preventDefault();
    const where = button.value === 'place' ? String(Number(place.value) - 1) : button.value;
    if (where === '-1') return;
    close();
    move(row, where);
    opener()?.focus();
  });

  // A finger, the mouse or the arrow keys move a gift by its handle.
  const handled = ({ target }: Event) => (target as Element).closest<HTMLElement>('[data-drag]');
  list.addEventListener('keydown', (event) => {
    const handle = handled(event);
    const where = { ArrowUp: 'up', ArrowDown: 'down' }[event.key];
    if (!handle || !where) return;
    event.preventDefault();
    move(handle.closest('li')!, where);
    handle.focus();
  });
  list.addEventListener('pointerdown', (event) => {
    const row = handled(event)?.closest('li');
    if (!row || event.button !== 0 || leaving) return;
    event.preventDefault();
    const before = placeOf(row);
    const drop = new AbortController();
    const { signal } = drop;
    row.classList.add('is-dragged');
    const middle = (other: Element) => {
      const { top, height } = other.getBoundingClientRect();
      return top + height / 2;
    };
    const drag = ({ clientY }: PointerEvent) => {
      scrollBy(0, clientY < EDGE ? -STEP : clientY > innerHeight - EDGE ? STEP : 0);
      // The others move around it: a row that leaves the page for a moment loses the finger.
      for (let next = row.nextElementSibling; next && clientY > middle(next); next = row.nextElementSibling)
        row.before(next);
      for (
        let previous = row.previousElementSibling;
        previous && clientY < middle(previous);
        previous = row.previousElementSibling
      )
        row.after(previous);
    };
    const end = () => {
      drop.abort();
      row.classList.remove('is-dragged');
      if (placeOf(row) === before) return;
      settle();
      say(row, placeOf(row));
      unsent.add(row);
      void store();
    };
    addEventListener('pointermove', drag, { signal });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal });
  });
}

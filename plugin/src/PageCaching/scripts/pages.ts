// The visitor's own part of a list that came from a cache, or that the browser brings back as it was left.
import { type Registry, registries, unfold } from './registry.ts';

interface Part {
  /** Above the gifts, as HTML. */
  head: string;
  /** Number of a gift → where the visitor looks after what they give of it. */
  mine: Record<string, string>;
  /** Numbers of those gifts that wait to be confirmed. */
  waiting: number[];
  giving: boolean;
  /** Number of a gift → what is wished for, where the visitor is not to know what is given. */
  needs: Record<string, string>;
  answer: { item: number; html: string } | null;
}

function fill(
  { section, head, gift, own }: Registry,
  { mine, waiting, giving, needs, answer, ...part }: Part,
): void {
  if (head) head.innerHTML = part.head;
  for (const give of section.querySelectorAll<HTMLElement>('.trousseau-give')) give.hidden = !giving;
  // Who can't give is asked nothing on the way back from a shop; an own gift gets its address below.
  for (const bought of section.querySelectorAll<HTMLElement>('[data-back-from-shop] a')) {
    bought.dataset.href ??= bought.getAttribute('href') ?? '';
    if (giving && bought.dataset.href) bought.setAttribute('href', bought.dataset.href);
    else bought.removeAttribute('href');
  }
  for (const link of section.querySelectorAll('.trousseau-mine')) {
    if (!(link.closest('.trousseau-item')!.id.replace('trousseau-item-', '') in mine)) link.remove();
  }
  for (const [id, address] of Object.entries(mine)) own(Number(id), address, waiting.includes(Number(id)));
  for (const [id, words] of Object.entries(needs)) {
    const hidden = gift(Number(id));
    if (!hidden) continue;
    hidden.classList.remove('is-fulfilled');
    hidden.querySelector('.trousseau-most-wanted')?.remove();
    const need = hidden.querySelector('.trousseau-need');
    if (need) need.textContent = words;
    unfold(section, hidden);
  }
  const place = section.querySelector<HTMLElement>('.trousseau-answer.is-awaited');
  if (place) {
    place.style.minHeight = `${place.offsetHeight}px`;
    place.innerHTML = answer?.html ?? '';
    place.classList.remove('is-awaited');
    place.querySelector<HTMLElement>('[tabindex]')?.focus();
  }
  dispatchEvent(new Event('trousseau-filled'));
}

async function ask(registry: Registry): Promise<void> {
  const { section, address, isShared } = registry;
  try {
    const response = await fetch(address, { method: 'POST', headers: { accept: 'application/json' } });
    if (response.ok) {
      fill(registry, await response.json());
      section.classList.remove('is-signed-in');
    }
    // A private list that this visitor may not see any more.
    else if (response.status === 404 && !isShared) location.reload();
  } catch {
    // Numbers stay hidden from people who have signed in: they may be an owner's surprise.
  }
}

for (const registry of registries()) {
  const { isShared, marks, section } = registry;
  if (isShared && marks()) void ask(registry);
  addEventListener('pageshow', ({ persisted }) => {
    const isOwn = !isShared || section.querySelector('.trousseau-mine, .trousseau-visitor > *');
    if (persisted && (isOwn || marks())) void ask(registry);
  });
}

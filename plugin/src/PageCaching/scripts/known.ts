// This script stands at the end of a list that is the same for everyone; a known device hides the list until it has run.
// It marks the device's own gifts and keeps room for the parts that load later, before anything is painted, so nothing moves.
import { type Registry, registries } from './registry.ts';

function mark({ marks, section, head, gift, own, myGifts }: Registry): void {
  const known = marks();
  if (!known) return;
  const { isSignedIn, isGuest, items, waiting, answer } = known;
  if (isSignedIn || isGuest) {
    head?.classList.add('is-awaited');
    for (const give of section.querySelectorAll<HTMLElement>('[data-for-guests]')) give.hidden = false;
  }
  // Only the site knows what people who have signed in may see of the gifts that this device remembers.
  if (isSignedIn) section.classList.add('is-signed-in');
  else for (const id of items) own(id, myGifts, waiting.includes(id));
  if (!answer) return;
  const place = document.createElement('div');
  place.className = 'trousseau-answer is-awaited';
  const words = document.createElement('p');
  words.className = 'trousseau-note is-answer';
  words.textContent = 'abcde '.repeat(answer.length / 5.5);
  place.append(words);
  if (answer.item) gift(answer.item)?.querySelector('h3, h4')?.after(place);
  else head?.before(place);
}

// The script stands in the last list that the browser has read so far.
const registry = registries().at(-1)!;
registry.section.classList.remove('is-unmarked');
mark(registry);

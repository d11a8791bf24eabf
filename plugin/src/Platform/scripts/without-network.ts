// A form that is sent without a network: the browser would show a page of its own, and what was typed would be gone.
let isReached = false;

/** Whether the form stays here: it is sent as soon as the site answers, or else the page says that it was not stored. */
export function waitsForNetwork(event: SubmitEvent): boolean {
  const form = event.target as HTMLFormElement;
  const page = form.closest<HTMLElement>('[data-not-just-now]');
  if (!page || navigator.onLine || isReached) return false;
  event.preventDefault();
  // Some machines are told that they have no network when they have one.
  fetch(location.href, { method: 'HEAD' }).then(
    () => {
      isReached = true;
      form.requestSubmit(event.submitter);
      isReached = false;
    },
    () => say(page, page.dataset.notJustNow!),
  );
  return true;
}

function say(page: HTMLElement, words: string): void {
  const note = document.createElement('p');
  note.className = 'trousseau-note is-problem';
  note.setAttribute('role', 'alert');
  note.dataset.saidWithoutNetwork = '';
  note.tabIndex = -1;
  note.textContent = words;
  page.querySelector('[data-said-without-network]')?.remove();
  page.prepend(note);
  note.focus();
}

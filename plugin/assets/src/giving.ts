// One press, one gift: a form that is on its way is not sent a second time by a double click.
const AGAIN_AFTER_MS = 10_000;

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('.trousseau-give')) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
  // Whoever stopped the page from loading may try again.
  setTimeout(() => delete form.dataset.sent, AGAIN_AFTER_MS);
});

// A page that the browser brings back as it was left.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('.trousseau-give')) delete form.dataset.sent;
});

// Tests the connection with the values in the fields and leaves them unchanged, typed passwords included.
const button = document.getElementById('trousseau-test') as HTMLButtonElement;
const result = document.getElementById('trousseau-result')!;
const form = button.form!;
let isPlain = false;

async function ask(isAgain = false): Promise<string> {
  const body = new FormData(form);
  body.set(button.name, button.value);
  const answer = await fetch(button.formAction, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  const { html, nonce } = (await answer.json()) as { html?: string; nonce?: string };
  if (html !== undefined) return html;
  if (nonce === undefined || isAgain) throw new Error('The site gave no answer.');
  // The page has been open for too long, or its reader has logged in anew in the meantime.
  form.querySelector<HTMLInputElement>('[name="_wpnonce"]')!.value = nonce;
  return ask(true);
}

async function test(): Promise<void> {
  button.disabled = true;
  try {
    result.innerHTML = await ask();
    button.disabled = false;
  } catch {
    // The form is sent, as it would be without this script.
    isPlain = true;
    button.disabled = false;
    form.requestSubmit(button);
  }
}

form.addEventListener('submit', (event) => {
  if (event.submitter !== button || isPlain) return;
  event.preventDefault();
  void test();
});

// Tests the connection with what stands in the fields and leaves them as they are, typed passwords included.
const button = document.getElementById('trousseau-test') as HTMLButtonElement;
const result = document.getElementById('trousseau-result')!;
const form = button.form!;
let isPlain = false;

async function test(): Promise<void> {
  const body = new FormData(form);
  body.set(button.name, button.value);
  button.disabled = true;
  try {
    const answer = await fetch(button.formAction, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
    });
    const { html } = (await answer.json()) as { html: string };
    result.innerHTML = html;
    button.disabled = false;
  } catch {
    // As without this script.
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

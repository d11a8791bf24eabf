// The address of a list: copied, sent on by the phone, or as a square code that is drawn here.
import encodeQR from 'qr';

export function share(): void {
  const section = document.querySelector<HTMLElement>('[data-share]');
  if (!section) return;
  const url = section.dataset.share!;
  const copy = section.querySelector<HTMLButtonElement>('[data-copy]');
  copy?.addEventListener('click', async () => {
    section.querySelector<HTMLInputElement>('input[readonly]')!.select();
    await navigator.clipboard.writeText(url);
    copy.textContent = copy.dataset.copied!;
  });
  const send = section.querySelector<HTMLButtonElement>('[data-send]');
  if (send && navigator.share) {
    send.hidden = false;
    send.addEventListener('click', () => void navigator.share({ url, title: section.dataset.title! }));
  }
  const picture = section.querySelector<HTMLElement>('[data-qr]');
  if (picture) picture.innerHTML = encodeQR(url, 'svg', { border: 2 });
}

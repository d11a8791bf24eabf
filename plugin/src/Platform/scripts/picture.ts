// A field for a picture shows the chosen one in the frame in which guests will see it. A tall one is moved within its frame, and the
// rest of it stays on the device; so does what a large one has too much.
import { findAll } from './find.ts';

const WIDEST = 1600;

/** The part of a picture that fills a frame. `at` is how far down it begins, from 0 to 1. */
export function cut(width: number, height: number, ratio: number, at: number) {
  const part = Math.min(height, Math.round(width / ratio));
  return { top: Math.round((height - part) * at), part };
}

function field(input: HTMLInputElement): void {
  const frame = input.parentElement!.querySelector<HTMLElement>('.trousseau-frame')!;
  const image = frame.querySelector('img')!;
  const move = frame.querySelector('input')!;
  const ratio = Number(input.dataset.ratio);
  let chosen: File | undefined;
  // At once, so that the form can be sent right after.
  const send = () => {
    const { naturalWidth, naturalHeight } = image;
    const { top, part } = cut(naturalWidth, naturalHeight, ratio, Number(move.value) / 100);
    const width = Math.min(naturalWidth, WIDEST);
    const height = Math.round((part * width) / naturalWidth);
    if (height === naturalHeight) return;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d')!.drawImage(image, 0, top, naturalWidth, part, 0, 0, width, height);
    const type = chosen!.type === 'image/jpeg' ? chosen!.type : 'image/png';
    const bytes = Uint8Array.from(atob(canvas.toDataURL(type).split(',')[1]!), (byte) => byte.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], chosen!.name, { type }));
    input.files = files.files;
  };
  const place = () => {
    image.style.objectPosition = `50% ${move.value}%`;
  };
  input.addEventListener('change', async () => {
    chosen = input.files?.[0];
    image.src = chosen ? URL.createObjectURL(chosen) : 'data:,';
    move.value = '50';
    place();
    // The site says what is wrong with a file that browsers don't show.
    await image.decode().catch(() => {});
    frame.hidden = !image.naturalWidth;
    move.hidden = image.naturalHeight <= image.naturalWidth / ratio;
    if (!frame.hidden) send();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  move.addEventListener('input', place);
  move.addEventListener('change', send);
}

export function pictures(): void {
  for (const input of findAll<HTMLInputElement>('[data-ratio]')) field(input);
}

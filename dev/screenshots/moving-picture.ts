// Shows pictures of a phone one after another in one SVG, which is animated wherever a page embeds it: by CSS, without a
// script or a player, with captions as text.
import { writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export type Scene = { caption: string; shot: Buffer };

const SECONDS = 2.8;
const width = 800;
const height = 560;
const phone = { width: 234, height: 506, x: 500, y: 27 };

/** Writes the SVG. Readers who prefer reduced motion see only the scene at `poster`. */
export async function saveMovingPicture(
  browser: Browser,
  title: string,
  scenes: Scene[],
  poster: number,
  path: string,
): Promise<void> {
  const pictures = await asWebp(
    browser,
    scenes.map(({ shot }) => shot),
  );
  const length = scenes.length * SECONDS;
  // Each scene covers the ones before it until the film begins again.
  const moves = scenes.map((_, n) => {
    const from = (100 * n) / scenes.length;
    return `@keyframes s${n}{0%,${from.toFixed(2)}%{opacity:0}${(from + 1).toFixed(2)}%,100%{opacity:1}}.s${n}{animation:s${n} ${length}s infinite}`;
  });
  const drawn = scenes.map(({ caption }, n) => {
    const lines = wrapped(caption).map((line, row) => `<tspan x="60" dy="${row ? 44 : 0}">${line}</tspan>`);
    return `<g${n ? ` class="s s${n}"` : ''}>
<rect width="${width}" height="${height}" fill="#fbf7f1"/>
<text x="60" y="92" class="step">${n + 1} / ${scenes.length}</text>
<text y="${height / 2 - 22 * (lines.length - 1)}" class="caption">${lines.join('')}</text>
<image x="${phone.x}" y="${phone.y}" width="${phone.width}" height="${phone.height}" clip-path="url(#screen)" href="data:image/webp;base64,${pictures[n]}"/>
<rect x="${phone.x}" y="${phone.y}" width="${phone.width}" height="${phone.height}" rx="18" fill="none" stroke="#d9cec3"/>
</g>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${title}</title>
<style>
.caption{font:400 34px Georgia,"Times New Roman",serif;fill:#2d211e}
.step{font:600 15px system-ui,sans-serif;fill:#82334a}
${moves.slice(1).join('\n')}
@media (prefers-reduced-motion:reduce){.s{animation:none;opacity:0}.s${poster}{opacity:1}}
</style>
<clipPath id="screen"><rect x="${phone.x}" y="${phone.y}" width="${phone.width}" height="${phone.height}" rx="18"/></clipPath>
${drawn.join('\n')}
</svg>
`;
  writeFileSync(path, svg);
}

/** Converts pictures to WebP, a quarter of the PNG's size, with the browser. */
async function asWebp(browser: Browser, shots: Buffer[]): Promise<string[]> {
  const page = await browser.newPage();
  const pictures: string[] = [];
  for (const shot of shots)
    pictures.push(
      await page.evaluate(
        async ({ png, size }) => {
          const image = new Image();
          image.src = `data:image/png;base64,${png}`;
          await image.decode();
          const canvas = Object.assign(document.createElement('canvas'), size);
          const context = canvas.getContext('2d')!;
          context.imageSmoothingQuality = 'high';
          context.drawImage(image, 0, 0, size.width, size.height);
          return canvas.toDataURL('image/webp', 0.86).replace(/^.*,/, '');
        },
        {
          png: shot.toString('base64'),
          size: { width: 2 * phone.width, height: 2 * phone.height },
        },
      ),
    );
  await page.close();
  return pictures;
}

function wrapped(caption: string): string[] {
  const lines = [''];
  for (const word of caption.replaceAll('&', '&amp;').split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > 22) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

// Joins pictures of a phone side by side into one.
import type { Browser } from 'playwright-core';

const gap = 28;

export async function saveStrip(
  browser: Browser,
  shots: Buffer[],
  phone: { width: number; height: number },
  path: string,
): Promise<void> {
  const pictures = shots.map(
    (shot) =>
      `<img style="width:${phone.width}px;border-radius:28px" src="data:image/png;base64,${shot.toString('base64')}">`,
  );
  const sheet = await browser.newPage({
    viewport: { width: (phone.width + gap) * shots.length + gap, height: phone.height + 2 * gap },
    deviceScaleFactor: 0.6,
  });
  await sheet.setContent(
    `<body style="margin:0;display:flex;gap:${gap}px;padding:${gap}px;background:#e9e0d6">${pictures.join('')}`,
  );
  await sheet.screenshot({ path });
}

// Makes the pictures for WordPress's plugin directory in the folder .wordpress-org: icons, banners, and screenshots from
// docs/screenshots, with the project's own drawings, letters and colours.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../wordpress/browser.ts';

const plugin = join(import.meta.dirname, '../../plugin');
const theme = join(import.meta.dirname, '../../theme');
const pictures = join(import.meta.dirname, '../../docs/screenshots');
export const folder = join(plugin, '.wordpress-org');

/** The screenshots in the order of readme.txt, with the height to show from the top. */
export const screenshots = [
  { from: 'registry-desk.png', height: 1500 },
  { from: 'first-minutes.png' },
  { from: 'registry-stock-theme.png' },
  { from: 'settings.png' },
  { from: 'affiliate.png' },
];

const read = (path: string) => readFileSync(path, 'utf8');

async function shoot(
  browser: Browser,
  file: string,
  html: string,
  size: { width: number; height: number; scale?: number; jpeg?: boolean },
): Promise<void> {
  const { width, height, scale = 1, jpeg } = size;
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
  await page.setContent(`<!doctype html><style>body{margin:0}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  const path = join(folder, file);
  await page.screenshot({ path, ...(jpeg ? { type: 'jpeg', quality: 72 } : { omitBackground: true }) });
  await page.close();
  console.log(`${file}  ${Math.round(statSync(path).size / 1024)} KB`);
}

function banner(): string {
  const font = (name: string) =>
    `url(data:font/woff2;base64,${readFileSync(join(theme, 'assets/fonts', `${name}-latin.woff2`)).toString('base64')})`;
  return `<style>
    @font-face{font-family:Fraunces;font-weight:100 900;src:${font('fraunces')}}
    @font-face{font-family:Figtree;font-weight:300 900;src:${font('figtree')}}
    body{box-sizing:border-box;width:772px;height:250px;overflow:hidden;background:#fbf7f1;color:#2c2321;position:relative}
    .words{position:absolute;left:52px;top:50px}
    .words>svg{display:block;width:150px;height:20px;margin:0 0 8px -4px}
    b{font:500 62px/1.05 Fraunces;letter-spacing:-.02em;color:#82334a}
    p{margin:12px 0 0;font:400 21px/1.35 Figtree;color:#695b54}
    .gifts{position:absolute;right:36px;top:18px}
    .gifts svg{width:300px;height:323px}
  </style><div class="words">${read(join(theme, 'assets/sprig.svg'))}<b>Trousseau</b><p>Gift registries on your own site.<br>Nothing is given twice.</p></div>
  <div class="gifts">${read(join(theme, 'assets/gifts.svg'))}</div>`;
}

if (import.meta.main) {
  mkdirSync(folder, { recursive: true });
  const icon = read(join(plugin, 'assets/gift.svg'));
  writeFileSync(join(folder, 'icon.svg'), icon);
  const browser = await launchChromium('whole');
  try {
    for (const edge of [128, 256]) {
      const scaled = icon.replace(
        'width="96" height="96"',
        `style="display:block;width:${edge}px;height:${edge}px"`,
      );
      await shoot(browser, `icon-${edge}x${edge}.png`, scaled, { width: edge, height: edge });
    }
    await shoot(browser, 'banner-772x250.png', banner(), { width: 772, height: 250 });
    await shoot(browser, 'banner-1544x500.png', banner(), { width: 772, height: 250, scale: 2 });
    for (const [place, { from, height }] of screenshots.entries()) {
      const png = readFileSync(join(pictures, from));
      const [width, whole] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      const html = `<img style="display:block" src="data:image/png;base64,${png.toString('base64')}">`;
      await shoot(browser, `screenshot-${place + 1}.jpg`, html, {
        width,
        height: Math.min(whole, height ?? whole),
        jpeg: true,
      });
    }
  } finally {
    await browser.close();
  }
}

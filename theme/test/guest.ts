// What the tests share: a guest's browser that remembers where its requests went, and what a page must always be.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { WordPress, WordPressUser } from '../../plugin/dev/wordpress.ts';
import { signIn } from '../dev/browser.ts';

export const widths = { phone: 390, desk: 1280 };
export type Width = keyof typeof widths;
export type Scheme = 'light' | 'dark';

export interface Guest {
  page: Page;
  /** Addresses asked for since the guest came. */
  requests: string[];
  /** What the browser's console calls an error, but for pages that are not there. */
  errors: string[];
  /** Opens an address of the site and answers its HTTP status. */
  open(path: string): Promise<number>;
  leave(): Promise<void>;
}

export async function welcome(
  browser: Browser,
  site: WordPress,
  { width = 'desk', scheme = 'light', user }: { width?: Width; scheme?: Scheme; user?: WordPressUser } = {},
): Promise<Guest> {
  const context = await browser.newContext({
    viewport: { width: widths[width], height: 900 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 404')) errors.push(message.text());
  });
  const guest: Guest = {
    page,
    requests,
    errors,
    async open(path) {
      const response = await page.goto(site.url + path, { waitUntil: 'load' });
      return response!.status();
    },
    leave: () => context.close(),
  };
  if (user) await signIn(page, site, user);
  return guest;
}

/** Landmarks, one main heading, nothing wider than the window, nothing that axe-core complains about. */
export async function assertAccessible(page: Page): Promise<void> {
  const count = (selector: string) => page.locator(selector).count();
  assert.equal(await count('h1'), 1, 'one h1');
  assert.equal(await count('main'), 1, 'one main');
  assert.equal(await count('.wp-site-blocks > header'), 1, 'one header');
  assert.equal(await count('.wp-site-blocks > footer'), 1, 'one footer');

  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content! <= window!, `the page is ${content} pixels wide in a window of ${window}`);

  await page.evaluate(axe.source);
  await assertNoViolations(page, {});
}

/** The same page in the other scheme: colours are all that changes. */
export async function assertReadableAtNight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertNoViolations(page, { runOnly: ['color-contrast'] });
}

async function assertNoViolations(page: Page, options: axe.RunOptions): Promise<void> {
  const { violations, passes } = await page.evaluate(
    (settings) =>
      // WordPress's own toolbar and skip link are not the theme's.
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        { exclude: [['#wpadminbar'], ['.skip-link']] },
        settings,
      ),
    options,
  );
  assert.deepEqual(
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((node) => node.html) })),
    [],
  );
  const contrast = passes.find((rule) => rule.id === 'color-contrast');
  assert.ok(contrast && contrast.nodes.length > 3, 'axe-core measured the contrast');
}

/** Every button and every link that stands alone is as large as a fingertip. */
export async function assertLargeTargets(page: Page): Promise<void> {
  const small = await page
    .locator(
      `header a, footer a, header button, .wp-block-button__link, .trousseau-actions :is(a, button, input),
      .trousseau-page :is(.trousseau-ways > a, .trousseau-order__do > a, button, summary, select, textarea),
      .trousseau-page :is(.trousseau-choice, :is(.trousseau-tabs, .trousseau-rows) li > a),
      .trousseau-page input:not([type='hidden'], [type='radio'], [type='checkbox']),
      .trousseau-filter :is(label, [type='number']), .trousseau-page a:not(.trousseau-registries a)`,
    )
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
        // A link within a sentence is as high as its line.
        .filter(
          (element) =>
            ![...element.parentElement!.childNodes].some(
              (node) => node.nodeType === 3 && node.nodeValue!.trim(),
            ),
        )
        .filter((element) => element.getBoundingClientRect().height < 43.9)
        .map((element) => `${element.outerHTML} ${element.getBoundingClientRect().height}`),
    );
  assert.deepEqual(small, []);
}

/** How much of what is seen has moved since the page began to load, as browsers count it. */
export async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    // Those in sight: what is folded or far below is not loaded until somebody looks.
    const isInSight = (image: HTMLImageElement) =>
      image.checkVisibility() && image.getBoundingClientRect().top < innerHeight;
    const seen = [...document.images].filter(isInSight);
    await Promise.all(seen.map((image) => image.decode().catch(() => {})));
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What was seen before is handed over after the next frames.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    add(observer.takeRecords());
    return sum;
  });
}

// A real Chromium with the extension, whose button is pressed as by a person: this gives the extension access to the tab.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright-core';
import { temporaryFolder } from '../../api/test/support.ts';
import { buildExtension } from '../../dev/build/extension.ts';
import { until } from '../../dev/until.ts';

export interface Popup {
  evaluate<T>(script: string): Promise<T>;
  /** Returns the popup's text, once it shows this state. */
  text(state: string): Promise<string>;
  press(text: string): Promise<void>;
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Extended {
  context: BrowserContext;
  id: string;
  worker: Worker;
  press(page: Page): Promise<Popup>;
  open(name: string): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Target {
  targetId: string;
  type: string;
  url: string;
}

const PROTOCOL = 'Extensions.triggerAction' as 'Target.getTargets';

/** @param allowed Sites to which the person has already granted access. Tests can't operate the browser's own dialogs. */
export async function launchWithExtension(allowed: string[], language = 'en-US'): Promise<Extended> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'extension');
  for (const name of ['popup.html', 'sites.html', 'pages.css', 'icons', '_locales'])
    cpSync(join(import.meta.dirname, '..', name), join(path, name), { recursive: true });
  await buildExtension(path);
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../manifest.json'), 'utf8'));
  writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...manifest, host_permissions: allowed }));
  const context = await chromium.launchPersistentContext(join(folder.path, 'profile'), {
    executablePath: '/usr/bin/chromium',
    // Playwright's own headless mode doesn't support extensions.
    headless: false,
    viewport: { width: 1280, height: 800 },
    env: { ...process.env, LANGUAGE: language } as Record<string, string>,
    args: [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--lang=${language}`],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--disable-extensions-except=${path}`, `--load-extension=${path}`],
      '--enable-unsafe-extension-debugging',
    ],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const id = new URL(worker.url()).host;
  const protocol = await context.browser()!.newBrowserCDPSession();
  const targets = async (type: string): Promise<Target[]> =>
    (await protocol.send('Target.getTargets', { filter: [{ type }] })).targetInfos;

  async function press(page: Page): Promise<Popup> {
    await page.bringToFront();
    const tab = (await targets('tab')).find(({ url }) => url === page.url());
    if (!tab) throw new Error(`No tab shows ${page.url()}`);
    await protocol.send(PROTOCOL, { id, targetId: tab.targetId } as never);
    const shown = await until('the popup', async () =>
      (await targets('page')).find(({ url }) => url === `chrome-extension://${id}/popup.html`),
    );
    return popupOf(protocol, shown.targetId);
  }

  return {
    ...{ context, id, worker, press },
    async open(name) {
      const page = await context.newPage();
      await page.goto(`chrome-extension://${id}/${name}`);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Playwright knows only pages in tabs, so messages to the popup are passed through its DevTools session. */
async function popupOf(protocol: CDPSession, targetId: string): Promise<Popup> {
  const { sessionId } = await protocol.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>();
  protocol.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const answer = JSON.parse(event.message);
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  async function send<T>(method: string, params: object = {}): Promise<T> {
    const number = ++last;
    const answered = new Promise<{ result?: unknown; error?: { message: string } }>((done) =>
      waiting.set(number, done),
    );
    const message = JSON.stringify({ id: number, method, params });
    await protocol.send('Target.sendMessageToTarget', { sessionId, message });
    const { result, error } = await answered;
    if (error) throw new Error(error.message);
    return result as T;
  }
  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  return {
    evaluate,
    async text(state) {
      let seen = '';
      const shown = until(`the popup shows “${state}”`, async () => {
        const [now, text] = await evaluate<[string, string]>(
          '[document.querySelector("main")?.dataset.state ?? "", document.querySelector("main")?.innerText ?? ""]',
        );
        seen = `${now}: ${text}`;
        return now === state && text;
      });
      return shown.catch((error: Error) => {
        error.message += `, not “${seen}”`;
        throw error;
      });
    },
    press: (text) =>
      evaluate(
        `[...document.querySelectorAll('button, a')].find((one) => one.textContent === ${JSON.stringify(text)}).click()`,
      ),
    async picture() {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data, 'base64');
    },
    async close() {
      // The browser closes the popup itself when another tab gets the focus.
      await protocol.send('Target.closeTarget', { targetId }).catch(() => undefined);
      await until('the popup is closed', async () => {
        const { targetInfos } = await protocol.send('Target.getTargets');
        return !targetInfos.some((target) => target.targetId === targetId);
      });
    },
  };
}

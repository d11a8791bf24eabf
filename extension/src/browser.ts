// The parts of the browser's extension API that are used here. Both Chromium and Firefox offer it as `chrome`.
interface Area {
  get(name: string): Promise<Record<string, unknown>>;
  set(values: Record<string, unknown>): Promise<void>;
  remove(name: string): Promise<void>;
  onChanged: Listeners<[Record<string, { newValue?: unknown }>]>;
}

interface Listeners<Given extends unknown[]> {
  addListener(listener: (...given: Given) => unknown): void;
}

export interface Tab {
  id?: number;
  url?: string;
  windowId: number;
}

interface Browser {
  action: {
    setBadgeText(badge: { tabId: number; text: string }): Promise<void>;
    setBadgeBackgroundColor(badge: { tabId: number; color: string }): Promise<void>;
  };
  i18n: { getMessage(name: string, given?: string[]): string };
  permissions: {
    contains(asked: { origins: string[] }): Promise<boolean>;
    request(asked: { origins: string[] }): Promise<boolean>;
    remove(given: { origins: string[] }): Promise<boolean>;
  };
  runtime: {
    getURL(path: string): string;
    onMessage: Listeners<[message: unknown]>;
    sendMessage(message: unknown): Promise<unknown>;
  };
  scripting: {
    executeScript(script: { target: { tabId: number }; files: string[] }): Promise<{ result?: unknown }[]>;
  };
  storage: { local: Area; session: Area };
  tabs: {
    captureVisibleTab(windowId: number, options: { format: 'jpeg'; quality: number }): Promise<string>;
    create(tab: { url: string }): Promise<Tab>;
    get(id: number): Promise<Tab>;
    onRemoved: Listeners<[id: number]>;
    query(asked: { active: true; currentWindow: true }): Promise<Tab[]>;
  };
}

export const browser = (globalThis as unknown as { chrome: Browser }).chrome;

/** Returns the permission to ask a site. Firefox has none for a host with a port; without a port, it covers all of them. */
export function rightTo(address: string): { origins: string[] } {
  const { protocol, hostname } = new URL(address);
  return { origins: [`${protocol}//${hostname}/*`] };
}

/** Returns a text in the reader's language. */
export const words = (name: string, ...given: string[]) => browser.i18n.getMessage(name, given);

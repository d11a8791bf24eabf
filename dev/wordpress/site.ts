// Test helpers: requests to a WordPress as one of its users, and an item service that records its requests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '../until.ts';
import { type Call, inTurn } from './set-up.ts';
import type { WordPress, WordPressUser } from './wordpress.ts';

const pluginFolder = join(import.meta.dirname, '../../plugin');

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests know what they expect in it
  json: any;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Reports whether a server is listening there. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

export function basic(user: Pick<WordPressUser, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
}

/** Sends a REST request with an application password; without a user, anonymously. */
export async function rest(
  site: WordPress,
  user: WordPressUser | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (user) headers.authorization = basic(user);
  return answerOf(
    await fetch(`${site.url}/wp-json${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
}

export interface Visitor {
  (
    path: string,
    /** As `FormData`, it may contain files. */
    form?: Record<string, string> | FormData,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  cookies(): { name: string; value: string }[];
  /** Returns the fields of the plugin's form for this action, as on the page. */
  form(path: string, action: string): Promise<Record<string, string>>;
  /** Sends the form for this action with these changes, to the page itself or to another one. */
  send(path: string, action: string, fields?: Record<string, string>, to?: string): Promise<Answer>;
  /** Sends a form like `send`, and expects the site to accept it. */
  press(path: string, action: string, fields?: Record<string, string>, to?: string): Promise<Answer>;
  /** Presses a button of WordPress's screens: the form with this action, or this text. Returns the text of the page that follows. */
  pressScreen(screen: string, action: string, fields?: Record<string, string>): Promise<string>;
}

/**
 * Returns a visitor with a browser's cookies, logged in through wp-login.php, or a stranger. Pages are requested as HTML and forms are
 * sent with the site as their origin, as browsers do, unless a header says something else. Redirects are returned, not followed.
 */
export async function visit(site: WordPress, user: WordPressUser | null): Promise<Visitor> {
  const visitor = visitorOf(site, () => user);
  await visitor.signedIn();
  return visitor;
}

/** Returns a visitor like `visit`, who logs in with the first request. */
export function visitorOf(
  site: WordPress,
  user: () => WordPressUser | null,
): Visitor & { signedIn(): Promise<void> } {
  const cookies = new Map<string, string>();
  const request = async (path: string, form?: Record<string, string> | FormData, headers = {}) => {
    const response = await fetch(new URL(path, site.url), {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html,*/*;q=0.8',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { origin: site.url }),
        ...headers,
      },
      body: form instanceof FormData ? form : form ? new URLSearchParams(form) : null,
      redirect: 'manual',
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/expires=Thu, 01[ -]Jan[ -]1970/i.test(cookie)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answerOf(response);
  };
  const signIn = async () => {
    const person = user();
    if (!person) return;
    const { username, login } = person;
    const { status } = await request('/wp-login.php', { log: username, pwd: login });
    if (status !== 302) throw new Error(`${username} could not log in: ${status}`);
  };
  let signingIn: Promise<void> | undefined;
  const signedIn = () => {
    signingIn ??= signIn();
    return signingIn;
  };
  const ask: typeof request = async (...asked) => {
    await signedIn();
    return request(...asked);
  };
  const form = async (path: string, action: string) => {
    const { status, text } = await ask(path);
    return (
      fieldsOf(text, action) ??
      assert.fail(`no form ${action} on ${path}: ${status} ${/<main.*<\/main>/s.exec(text)?.[0] ?? text}`)
    );
  };
  const send: Visitor['send'] = async (path, action, fields = {}, to = path) =>
    ask(to, { ...(await form(path, action)), ...fields });
  const press: Visitor['press'] = async (...sent) => {
    const answer = await send(...sent);
    assert.equal(answer.status, 303, answer.text);
    return answer;
  };
  const pressScreen: Visitor['pressScreen'] = async (screen, action, fields = {}) => {
    const { text } = await ask(screen);
    const form = formWith(text, action) ?? assert.fail(`no form ${action} on ${screen}: ${text}`);
    const sent = await ask(screen.replace(/wp-admin\/.*/, 'wp-admin/admin-post.php'), { ...form, ...fields });
    assert.equal(sent.status, 303, sent.text);
    return decoded((await ask(sent.headers.get('location')!)).text);
  };
  const known = () => [...cookies].map(([name, value]) => ({ name, value }));
  return Object.assign(ask, { signedIn, form, send, press, pressScreen, cookies: known });
}

/** Returns a form with a file, for a visitor to send. */
export function formWithFile(
  fields: Record<string, string>,
  field: string,
  content: Buffer | string,
  name = 'picture.png',
  type = name.endsWith('.json') ? 'application/json' : 'image/png',
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set(field, new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  return form;
}

/** Sends a list's file to the page that makes a list of it. */
export const bringList = (visitor: Visitor, list: unknown): Promise<Answer> =>
  visitor('/registries/mine/', formWithFile({ do: 'import' }, 'file', JSON.stringify(list), 'list.json'));

/** Returns the number of the list to whose page the answer leads. */
export function listIn({ status, headers, text }: Answer): number {
  assert.equal(status, 303, text.slice(0, 500));
  return Number(/registries\/(\d+)\//.exec(headers.get('location')!)![1]);
}

/** Returns the faults that a form names when it is shown again. */
export function faultsIn({ status, text }: Answer): string {
  assert.equal(status, 422, text.slice(0, 500));
  return decoded(/role="alert".*?<\/(ul|span)>/s.exec(text)![0].replace(/<[^>]*>/g, ' ')).trim();
}

/** Repeats the visit until the page shows these words: a new service must first find out who its callers are. */
export const whenShowing = (visitor: Visitor, path: string, words: string): Promise<Answer> =>
  until(
    `${path} shows ${words}`,
    async () => {
      const answer = await visitor(path);
      return answer.text.includes(words) && answer;
    },
    { everyMs: 200 },
  );

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'", '#038': '&' };

/** Decodes the text in HTML, as a browser does. */
export function decoded(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#039|#038);/g, (_, name) => entities[name]!);
}

/** Returns the text of a page as a person reads it. */
export const words = (html: string): string =>
  decoded(html.replace(/<(script|style|svg).*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')).replace(
    /[\s\u2068\u2069\u00a0\u202f]+/g,
    ' ',
  );

/** Returns the fields that a browser would send with the first form that contains this text. */
export function formWith(page: string, text: string): Record<string, string> | undefined {
  const html = page.match(/<form[^>]*>.*?<\/form>/gs)?.find((form) => form.includes(text));
  if (!html) return undefined;
  const attribute = (tag: string, name: string) => {
    const value = new RegExp(`\\s${name}=(["'])(.*?)\\1`, 's').exec(tag)?.[2];
    return value === undefined ? undefined : decoded(value);
  };
  const fields: [string | undefined, string][] = [];
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const type = attribute(tag, 'type') ?? 'text';
    const isTick = ['radio', 'checkbox'].includes(type);
    if (['submit', 'button', 'image'].includes(type) || (isTick && !/\schecked\b/.test(tag))) continue;
    fields.push([attribute(tag, 'name'), attribute(tag, 'value') ?? (isTick ? 'on' : '')]);
  }
  for (const [, tag, text] of html.matchAll(/<textarea([^>]*)>(.*?)<\/textarea>/gs))
    fields.push([attribute(tag!, 'name'), decoded(text!)]);
  for (const [, tag, inner] of html.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const options = inner!.match(/<option[^>]*>/g) ?? [];
    const chosen = options.find((option) => /\sselected\b/.test(option)) ?? options[0];
    if (chosen) fields.push([attribute(tag!, 'name'), attribute(chosen, 'value') ?? '']);
  }
  return Object.fromEntries(fields.filter(([name]) => name));
}

/** Returns the fields of the plugin's form for this action. */
export const fieldsOf = (page: string, action: string) => formWith(page, `name="do" value="${action}"`);

/** Sends all waiting emails, even those that aren't due. The process calls the functions in `before` first. */
export const sendWaitingMails = (site: WordPress, ...before: Call[]) =>
  inTurn(site, ...before, ['send_waiting_mails']);

/** Adds a user with one of WordPress's own roles, or without a role. */
export async function addUser(site: WordPress, username: string, role: string): Promise<WordPressUser> {
  const login = `${username} and a password of its own`;
  const email = `${username}@example.test`;
  const [id, password] = await site.call('add_user', {
    ...{ user_login: username, user_pass: login, user_email: email, role },
  });
  return { id, username, email, password, login };
}

/** Returns the lines of WordPress's log about the plugin's files. */
export function complaints(site: WordPress): string[] {
  return site
    .log()
    .split('\n')
    .filter((line) => line.includes(`${pluginFolder}/`));
}

export interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface RecordingService extends AsyncDisposable {
  url: string;
  requests: Recorded[];
  /** Chooses the answers; strings and bytes are sent unchanged, everything else as JSON. */
  answer: (request: Recorded) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

/** Starts a real HTTP server that records its requests and sends the test's answers. */
export async function recordingService(
  answer: RecordingService['answer'] = () => ({}),
): Promise<RecordingService> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const recorded = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    service.requests.push(recorded);
    const { status = 200, headers = {}, body } = await service.answer(recorded);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    const isWhole = typeof body === 'string' || body === undefined || Buffer.isBuffer(body);
    response.end(isWhole ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const service: RecordingService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
    close,
    [Symbol.asyncDispose]: close,
  };
  return service;
}

export interface TestItem {
  id: number;
  registry_id: number;
  name: string;
  url: string;
  [field: string]: unknown;
}

/** Answers as the item service does, for these items: a registry's list, one item, PUT with If-Match, claims. */
export function itemsOf(items: Map<number, TestItem>, admin = true): RecordingService['answer'] {
  const revision = new Map<number, number>();
  const claims = new Map<string, Reply>();
  const etag = (id: number) => `"${id}-${revision.get(id) ?? 0}"`;
  const shown = ({ affiliate_url, affiliate_status, ...item }: TestItem) =>
    admin
      ? { ...item, affiliate_url: affiliate_url ?? null, affiliate_status: affiliate_status ?? null }
      : item;
  return ({ method, path, headers, body }) => {
    if (path === '/health') return { body: { status: 'healthy', service: 'trousseau-api' } };
    const list = /^\/registries\/(\d+)\/items$/.exec(path);
    if (list) {
      return { body: [...items.values()].filter((item) => item.registry_id === Number(list[1])).map(shown) };
    }
    const known = /^\/claims\/(\w+)$/.exec(path);
    if (known)
      return (
        [...claims.values()]
          .filter(({ body }) => (body as { id: string }).id === known[1])
          .map(({ body }) => ({ body }))[0] ?? { status: 404, body: { detail: 'Claim not found' } }
      );
    const [, claimed] = /^\/registries\/\d+\/items\/(\d+)\/claims$/.exec(path) ?? [];
    const id = Number(claimed ?? /^\/items\/(\d+)$/.exec(path)?.[1]);
    const item = items.get(id);
    if (!item) return { status: 404, body: { detail: 'Item not found' } };
    if (claimed) {
      const key = String(headers['idempotency-key']);
      const made = claims.get(key) ?? claim(item, JSON.parse(body), claims.size);
      if (made.status === 201) claims.set(key, made);
      return made;
    }
    if (method === 'PUT') {
      if (headers['if-match'] && headers['if-match'] !== etag(id)) {
        return { status: 412, headers: { etag: etag(id) }, body: { detail: 'The item has changed' } };
      }
      Object.assign(item, JSON.parse(body));
      revision.set(id, (revision.get(id) ?? 0) + 1);
    }
    return { headers: { etag: etag(id) }, body: { success: true, data: shown(item), message: 'ok' } };
  };
}

function claim(item: TestItem, { quantity, ...asked }: { quantity: number }, number: number): Reply {
  const given = Number(item.quantity_purchased ?? 0);
  if (quantity > Number(item.quantity_needed ?? 1) - given)
    return { status: 409, body: { detail: 'Not that many are left' } };
  item.quantity_purchased = given + quantity;
  const id = `claim${number}`.padEnd(22, '0');
  const now = new Date().toISOString();
  return {
    status: 201,
    body: {
      ...{ id, registry_id: item.registry_id, item_id: item.id, quantity, message: null, thanked_at: null },
      ...{ expires_at: null, created_at: now, updated_at: now },
      ...asked,
    },
  };
}

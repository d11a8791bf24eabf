// Runs `npm run site` and `npm run wordpress` as users do: as processes with arguments, output and signals.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { freePort } from '../../api/test/free-port.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { isFetched, wasmPhp, wordPressFromNpm } from '../../dev/wordpress/packages.ts';
import { answers, fieldsOf, type Visitor, visit } from '../../dev/wordpress/site.ts';
import { skipWithoutLanguages, type WordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';
import { portsOf } from '../whole.ts';

const starter = join(import.meta.dirname, '../site.ts');

// Stops processes of a test that fails halfway.
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Ends with its variable, before the folder that it writes to is deleted. */
interface Started extends AsyncDisposable {
  child: ChildProcess;
  url: string;
  mails: string;
  passwords: Record<string, string>;
  /** Paths of the lists: public, private, behind a link, closed. */
  lists: string[];
}

function run(args: string[], env: Record<string, string> = {}, command = [process.execPath]) {
  const [program, ...before] = command;
  const child = spawn(program!, [...before, starter, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  return { child, text };
}

const LIST = /http:\/\/[^/]+(\/\S+)\s+a (?:public |private )?list\b/g;

async function start(args: string[], env: Record<string, string> = {}): Promise<Started> {
  const { child, text } = run(args, env);
  const isOver = () => child.exitCode !== null || text.stdout.includes('Ctrl-C stops it');
  await until('the site is ready', isOver, { withinMs: 1_800_000 });
  if (child.exitCode !== null) throw new Error(text.stdout + text.stderr);
  const words = text.stdout;
  const url = /ready at (http:\S+)/.exec(words)![1]!;
  const people = [...words.matchAll(/^ {4}(admin|alice|jonas|bob|carol) +(\S+)/gm)];
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    },
    ...{ child, url },
    mails: /(http:\S+) +the emails/.exec(words)![1]!,
    passwords: Object.fromEntries(people.map(([, name, password]) => [name, password])),
    lists: Array.from(words.matchAll(LIST), ([, path]) => path!),
  };
}

async function stop({ child, url }: Started, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  const [code] = await once(child, 'exit');
  assert.equal(code, signal === 'SIGKILL' ? null : 0);
  // A killed process can't wait for its cleanup.
  if (signal === 'SIGKILL') await until('all of it is gone', async () => !(await answers(url)));
  assert.equal(await answers(url), false);
}

/** Returns the message of a failed start: a sentence, not a stack trace. */
async function refusal(args: string[], env: Record<string, string> = {}, command?: string[]) {
  const { child, text } = run(args, env, command);
  const [code] = await once(child, 'close');
  assert.equal(code, 1, text.stdout + text.stderr);
  assert.doesNotMatch(text.stderr, /^\s+at |node:internal/m);
  assert.equal(text.stderr.trim().split('\n').length, 1, text.stderr);
  return text.stderr;
}

const visitor = (site: Started, name?: string) =>
  visit(
    { url: site.url } as WordPress,
    name ? ({ username: name, login: site.passwords[name]! } as WordPressUser) : null,
  );

/** Checks that strangers, and a guest without an account, find their own pages and no others, and the emails. */
async function lookAround(site: Started): Promise<void> {
  const [wedding, birth, house] = site.lists as [string, string, string];
  const stranger = await visitor(site);
  const [front, open, shut] = [await stranger('/'), await stranger(wedding), await stranger(birth)];
  assert.deepEqual([front.status, open.status, shut.status], [200, 200, 404]);
  assert.match(front.text, /Amélie &#038; Jonas|Amélie &amp; Jonas/);
  assert.match(open.text, /Enamelled cast-iron cocotte/);
  const picture = /<img[^>]* src="([^"]+\/sample\/\w+\.svg)"/.exec(open.text)![1]!;
  assert.equal((await fetch(picture)).headers.get('content-type'), 'image/svg+xml');
  // Opening the page sends due emails, unless WordPress's cron is already running: then they arrive a little later.
  const invited = /href="\/([^"]+)">[^<]* invited you to their gift list<small>to ruth@example\.org/;
  const look = async () => invited.exec(await (await fetch(site.mails)).text())?.[1];
  const invitation = await until('the invitation is there', look, { everyMs: 500, withinMs: 120_000 });
  const mail = await (await fetch(site.mails + invitation)).text();
  const link = /href=&quot;(http[^&]*\/invitation\/[^&]*)&quot;/.exec(mail)?.[1];
  assert.ok(link, mail);
  const ruth = await visitor(site);
  const asked = await ruth(link);
  assert.equal((await ruth(link, fieldsOf(asked.text, 'open')!)).status, 303);
  assert.match((await ruth(birth)).text, /Wicker pram/);
  assert.equal((await stranger(house, fieldsOf((await stranger(house)).text, 'open')!)).status, 303);
}

/** Checks that the sample, in German, has kinds of lists and gifts, and that Site Health finds the plugin's checks alone. */
async function lookClosely(site: Started): Promise<void> {
  const health = (await (await visitor(site, 'admin'))('/wp-admin/site-health.php')).text;
  assert.match(health, /trousseau_/);
  assert.doesNotMatch(health, /background[-_]updates|debug_enabled|dotorg/);
  const [jonas, bob] = await Promise.all(['jonas', 'bob'].map((name) => visitor(site, name)));
  assert.match((await bob!(site.lists[3]!)).text, /Danke für alles!/);
  const [own] = (await jonas!('/registries/mine/')).text.match(/\/registries\/\d+\/home\//)!;
  const gifts = (await jonas!(own.replace('home', 'gifts'))).text;
  for (const words of [/Herzenswunsch/, /Espresso cups/, /Anderswo bekommen/]) assert.match(gifts, words);
}

const listsOf = async (owner: Visitor) =>
  new Set((await owner('/registries/mine/')).text.match(/\/registries\/\d+\/home\//g));

// Tests don't download 600 MB unless asked to.
const isAsked = process.env.CI === 'true';
if (isAsked) await Promise.all([wasmPhp('8.3', () => {}), wordPressFromNpm(() => {})]);
const missing = isFetched('8.3') ? false : 'PHP and WordPress are not fetched yet: npm run site does that';

describe('with nothing but npm', { skip: missing }, () => {
  test('the whole site starts, and is kept when it stops', async () => {
    await using folder = await temporaryFolder();
    const port = String(await freePort(portsOf));
    const args = ['--port', port, '--folder', join(folder.path, 'site')];
    // Each worker compiles PHP and WordPress on its own.
    const workers = { TROUSSEAU_DEV_WORKERS: '2' };
    await using site = await start(args, workers);
    // --fresh doesn't delete a running site.
    assert.match(await refusal([...args, '--fresh']), new RegExp(`^Port ${port} is taken.* --port`));
    assert.match(await refusal(['--debian', '--port', port]), new RegExp(`^Port ${port} is taken`));
    await lookAround(site);

    const bob = await visitor(site, 'bob');
    const [wedding = ''] = site.lists;
    const give = /href="([^"]*\/give\/\?item=\d+)"/.exec((await bob(wedding)).text)![1]!;
    const form = fieldsOf((await bob(give)).text, 'give');
    const given = await bob(give, { ...form, state: 'reserved', message: 'From Bob' });
    assert.equal(given.status, 303, given.text);
    await stop(site, 'SIGINT');

    await using later = await start(args, workers);
    assert.deepEqual(later.passwords, site.passwords);
    const alice = await visitor(later, 'alice');
    assert.equal((await listsOf(alice)).size, 4);
    const list = give.slice(0, give.indexOf('give/'));
    assert.match((await alice(`${list}given/`)).text, /From Bob/, 'the gift is still given');
    await stop(later, 'SIGTERM');
  });

  test('a folder without WordPress and a full disk give a sentence each', async () => {
    await using folder = await temporaryFolder();
    const port = ['--port', String(await freePort(portsOf))];
    const args = [...port, '--folder', join(folder.path, 'site')];
    const kept = join(folder.path, 'site/sample.json');
    await mkdir(join(folder.path, 'site'));
    await writeFile(kept, '{}');
    assert.match(await refusal([...port, '--folder', folder.path, '--fresh']), /has other files in it/);
    assert.ok(existsSync(kept), 'nothing of it is deleted');
    assert.match(await refusal([...args, '--fresh']), /has other files in it/);
    await writeFile(join(folder.path, 'site/.trousseau-site'), '');
    const elsewhere = { TROUSSEAU_DEV_WORDPRESS: folder.path };
    assert.match(await refusal([...args, '--fresh'], elsewhere), /contains no WordPress/);
    assert.equal(existsSync(kept), false, 'started over');
    if (process.getuid?.() !== 0) return;
    // Only this process sees the small disk.
    const script = `mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"`;
    const small = ['unshare', '--mount', 'sh', '-c', script, folder.path, process.execPath];
    assert.match(await refusal(args, {}, small), /disk.* is full/);
  });
});

test('what cannot start is refused in words: ports, arguments, settings, no connection', async () => {
  for (const port of portsOf(8080)) {
    const asked = fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1000) });
    const { cause } = await asked.catch((error) => error);
    assert.notEqual(cause?.message, 'bad port', `${port}`);
  }
  assert.match(await refusal(['--port', '10080']), /^Browsers refuse port 10080: .*--port/);
  assert.match(await refusal(['--port', 'there']), /--port must be a number from 1 to 65535, not "there"/);
  assert.match(await refusal(['--prot', '1']), /--prot/);
  const workers = { TROUSSEAU_DEV_WORKERS: 'many' };
  assert.match(await refusal([], workers), /TROUSSEAU_DEV_WORKERS must be a number/);

  await using folder = await temporaryFolder();
  const args = ['--port', String(await freePort(portsOf)), '--folder', join(folder.path, 'site')];
  const offline = {
    ...{ TROUSSEAU_CACHE: folder.path, npm_config_registry: 'http://127.0.0.1:9/' },
    npm_config_fetch_retry_mintimeout: '1',
  };
  assert.match(await refusal(args, offline), /could not be fetched from npm: its registry does not answer/);
});

describe("on this machine's PHP and MariaDB", { skip: skipWithoutLanguages() }, () => {
  // dev/test/wordpress.test.ts runs several at once, and checks what they leave behind.
  test('the same site runs in another language, and is gone when it is killed', async () => {
    const site = await start(['--debian', '--port', String(await freePort(portsOf)), '--locale', 'de_DE']);
    const list = await (await fetch(site.url + site.lists[0])).text();
    assert.match(list, /<html[^>]* lang="de-DE"/);
    assert.match(list, /Enamelled cast-iron cocotte/);
    await lookClosely(site);
    await stop(site, 'SIGKILL');
  });
});

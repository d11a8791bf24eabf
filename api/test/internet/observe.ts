import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export type Observed = {
  answer: { problem: { code: string } | null; name: string | null; price: number | null };
  ms: number;
  /** The service's largest growth in memory; undefined where the system does not tell. */
  megabytes: number | undefined;
  /** The longest that somebody else waited for an answer meanwhile. */
  waitedMs: number;
  /** CPU time of the thread that answers everybody; undefined where the system does not tell. */
  mainMs: number | undefined;
};

export type Watched = { url: string; pid: number; authorization: string };

// Requests that watch for delays; without pauses they would be most of the machine's load.
const OFTEN_MS = 20;

const NOT_ALLOWED = 'http://127.0.0.1/';

/** Warms a service up, so that later growth comes from the lookups. */
export async function watch(url: string, pid: number, authorization: string): Promise<Watched> {
  const watched = { url, pid, authorization };
  await lookUp(watched, NOT_ALLOWED);
  for (let times = 0; times < 300; times++)
    await (await fetch(`${url}/items?limit=1`, { headers: { authorization } })).text();
  return watched;
}

export async function lookUp(
  { url, authorization }: Pick<Watched, 'url' | 'authorization'>,
  page: string,
): Promise<Observed['answer']> {
  const response = await fetch(`${url}/lookups`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ url: page }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Observed['answer'];
}

async function megabytesOf(pid: number, which: 'VmRSS' | 'VmHWM'): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1];
  return found === undefined ? undefined : Number(found) / 1024;
}

/** CPU time of a process's first thread so far, which the kernel counts in hundredths of a second. */
async function mainMsOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => undefined);
  // Behind the name, which may have blanks.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && 10 * (Number(fields[11]) + Number(fields[12]));
}

export async function observe(watched: Watched, page: string): Promise<Observed> {
  const { pid, url, authorization } = watched;
  // Forgets the peak so far.
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {});
  const before = await megabytesOf(pid, 'VmRSS');
  const spent = await mainMsOf(pid);
  let waitedMs = 0;
  let done = false;
  const others = (async () => {
    while (!done) {
      const started = performance.now();
      const response = await fetch(`${url}/items?limit=1`, { headers: { authorization } });
      await response.text();
      waitedMs = Math.max(waitedMs, performance.now() - started);
      await sleep(OFTEN_MS);
    }
  })();
  const started = performance.now();
  const answer = await lookUp(watched, page);
  const ms = Math.round(performance.now() - started);
  done = true;
  await others;
  const peak = await megabytesOf(pid, 'VmHWM');
  const spentNow = await mainMsOf(pid);
  return {
    answer,
    ms,
    megabytes:
      before === undefined || peak === undefined ? undefined : Math.max(0, Math.round(peak - before)),
    waitedMs: Math.round(waitedMs),
    mainMs: spent === undefined || spentNow === undefined ? undefined : spentNow - spent,
  };
}

import assert from 'node:assert/strict';
import { type Answer, isWellFormed, read } from '../../api/test/answers.ts';
import { basic, PASSWORD } from '../../api/test/fake-host.ts';
import { type ServiceProcess, startServiceProcess } from '../../api/test/service-process.ts';
import { authorization, type Name, PASSWORDS } from '../../api/test/support.ts';
import { Late, PATIENCE_MS, watchTheMachine } from './time.ts';

/** How a run was asked for. */
export type Run = { long: boolean; seed: number };

/** One kind of trouble: makes it, and writes what came of it into its tally. */
export type Part = (run: Run, tally: Tally) => Promise<void>;

/** What is in a store at the end: every item, deleted or not. */
export type StoredRow = { id: number; name: string };

const MOST_TRIES = 5;
const SILENCE_MS = 2 * 60_000;

/** What one part did and found. Nothing here throws: the table is printed whole, whatever was found. */
export class Tally {
  faults = 0;
  requests = 0;
  writes = 0;
  lost = 0;
  doubled = 0;
  seconds = 0;
  /** How often a fault was made once more, because the machine had no time for the first one. */
  repeated = 0;
  /** Promises that were broken, each with where. */
  readonly broken: string[] = [];
  /** What could not be tried here, and why. */
  readonly skipped: string[] = [];
  /** Figures worth a line of their own. */
  readonly notes: string[] = [];

  check(holds: boolean, promise: string): void {
    if (!holds && !this.broken.includes(promise)) this.broken.push(promise);
  }

  /**
   * Carries one fault out; what it throws is a broken promise under the fault's name. On a starved machine a service is
   * late whatever fails: only what it says when it has time can be judged, so it is given the same fault again.
   */
  async fault(name: string, work: () => Promise<void>): Promise<void> {
    this.faults++;
    await this.look(name, async () => {
      for (let tries = 1; ; tries++) {
        const wasStarved = watchTheMachine();
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof Late) || !wasStarved() || tries === MOST_TRIES) throw error;
          this.repeated++;
        }
      }
    });
  }

  /** The same, where nothing has been made to fail. */
  async look(name: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.check(false, `${name}: ${inOneLine(error)}`);
    }
  }

  skip(what: string, why: string): void {
    this.skipped.push(`${what}: ${why}`);
    // In CI everything is there to be tried: what isn't is a fault of the CI.
    if (process.env.CI === 'true') this.check(false, `${what} was not tried: ${why}`);
  }

  /** Sends `'POST /items'` and holds the answer against what is promised of all; nothing if no answer came. */
  async send(
    url: string,
    who: Name | { authorization: string } | undefined,
    target: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const [method = '', path = ''] = target.split(' ');
    this.requests++;
    const credentials = typeof who === 'string' ? { authorization: authorization(who) } : who;
    let answer: Answer;
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...credentials,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? null : JSON.stringify(json),
        // Far longer than the service may take for anything, so that silence is seen as what it is.
        signal: AbortSignal.timeout(SILENCE_MS),
      });
      answer = await read(response);
    } catch (error) {
      this.check(
        (error as Error).name !== 'TimeoutError',
        `${target} got no answer within ${SILENCE_MS / 1000} s`,
      );
      return undefined;
    }
    await this.look(target, () => {
      isWellFormed(answer);
      assert.notEqual(answer.status, 500, 'answered 500');
      if (answer.status === 503) assert.ok(answer.headers.get('retry-after'), '503 without Retry-After');
    });
    return answer;
  }

  /** A change that was promised is there, or is lost. */
  kept(holds: boolean, what: string): void {
    if (holds) return;
    this.lost++;
    this.check(false, what);
  }

  /** A service's log holds no credential, and tells of no internal error. */
  readLog(text: string): void {
    for (const secret of SECRETS) this.check(!text.includes(secret), `the log holds "${secret}"`);
    for (const [, error] of text.matchAll(/"err":(.{0,400}).*"msg":"internal error"/g))
      this.check(false, `internal error: ${error}`);
  }
}

/** What one service has promised to keep. Every write carries a name of its own. */
export class Ledger {
  readonly #tally: Tally;
  readonly #answered = new Map<string, number>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** The item of this name is stored, under this id: so it was answered. */
  promised(name: string, id: number): void {
    this.#tally.writes++;
    const before = this.#answered.get(name);
    this.#tally.check(
      before === undefined || before === id,
      `"${name}" was answered as ${before} and as ${id}`,
    );
    this.#answered.set(name, id);
  }

  /** Counts what was promised and isn't there, and what is there twice. */
  judge(rows: readonly StoredRow[]): void {
    const ids = new Map<string, number>();
    for (const { id, name } of rows) {
      if (ids.has(name)) {
        this.#tally.doubled++;
        this.#tally.check(false, `"${name}" is stored twice, as ${ids.get(name)} and ${id}`);
      }
      ids.set(name, id);
    }
    for (const [name, id] of this.#answered)
      this.#tally.kept(ids.get(name) === id, `"${name}", answered as item ${id}, is lost`);
  }

  /** One request to store one item. */
  async storeOne(url: string): Promise<Answer | undefined> {
    const name = `Gift ${++gifts}`;
    const answer = await this.#tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift(name) });
    if (answer?.status === 201) this.promised(name, answer.body.data.id);
    return answer;
  }
}

let gifts = 0;

/** A gift that a registry takes. */
export const gift = (name: string) => ({ name, url: 'https://shop.example/gift' });

export function isUnavailable(answer: Answer | undefined, where: string): void {
  isAnswer(answer, 503, 'The item store cannot be reached at the moment', where);
}

export function isStored(answer: Answer | undefined, where: string): void {
  if (answer?.status !== 201) throw judged(answer, `${where}: ${answer?.status} ${answer?.text}`);
}

/** This refusal and no other. */
export function isAnswer(
  answer: Answer | undefined,
  status: number,
  detail: string,
  where = 'answered',
): void {
  if (answer?.status === status && answer.text === JSON.stringify({ detail })) return;
  throw judged(answer, `${where}: ${answer?.status} ${answer?.text} instead of ${status} ${detail}`);
}

/** An answer that isn't the right one: wrong, or one that tells of no time. */
export const judged = (answer: Answer | undefined, what: string): Error =>
  tellsOfNoTime(answer) ? new Late(what) : new Error(what);

export const tellsOfNoTime = (answer: Answer | undefined): boolean =>
  answer?.status === 503 || answer?.status === 504;

/** The service as it ships, for as long as a part may take. */
export const startService = (env: Record<string, string>, prefix?: string[]): ServiceProcess =>
  startServiceProcess(env, prefix, 12 * PATIENCE_MS);

/** Stops a service as an operator does: it finishes what it has begun and ends well. */
export async function stop({ child, exit, stdout, stderr }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM');
  const end = await exit;
  if (stdout().includes('not stopped in time')) throw new Late('not stopped in time');
  assert.deepEqual(end, { code: 0, signal: null }, `ended with ${end.code ?? end.signal}: ${stderr()}`);
}

const NAMES = ['admin', 'alice', 'bob', 'carol'] as const;
const SECRETS = [...Object.values(PASSWORDS), PASSWORD]
  .flatMap((password) => [password, password.replaceAll(' ', '')])
  .concat(NAMES.flatMap((name) => [authorization(name), basic(name)].map((header) => header.slice(6))));

const inOneLine = (error: unknown) =>
  String(error instanceof Error ? error.message : error)
    .replaceAll(/\s+/g, ' ')
    .slice(0, 500);

/** Numbers from a seed: the same seed, the same numbers (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

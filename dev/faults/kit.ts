import assert from 'node:assert/strict';
import { type Answer, isWellFormed, read } from '../../api/test/answers.ts';
import { basic, PASSWORD } from '../../api/test/fake-host.ts';
import { type ServiceProcess, startServiceProcess } from '../../api/test/service-process.ts';
import { authorization, type Name, PASSWORDS } from '../../api/test/support.ts';
import { Late, PATIENCE_MS, watchTheMachine } from './time.ts';

/** The settings of a run. With `kills`, a cluster's leader is killed so many times, instead of all other faults. */
export type Run = { long: boolean; seed: number; kills: number };

/** Makes one kind of trouble, and records the results in its tally. */
export type Part = (run: Run, tally: Tally) => Promise<void>;

/** An item in a store at the end of a run, deleted or not. */
export type StoredRow = { id: number; name: string };

const MOST_TRIES = 5;
const SILENCE_MS = 2 * 60_000;

/** The counts and findings of one part. No method throws, so that the table is always printed in full. */
export class Tally {
  faults = 0;
  requests = 0;
  writes = 0;
  lost = 0;
  doubled = 0;
  seconds = 0;
  /** How many faults were repeated because the machine had been too busy. */
  repeated = 0;
  /** Broken promises, each with where it was broken. */
  readonly broken: string[] = [];
  /** Checks that could not run here, each with the reason. */
  readonly skipped: string[] = [];
  /** Lines to print about the part's figures. */
  readonly notes: string[] = [];

  check(holds: boolean, promise: string): void {
    if (!holds && !this.broken.includes(promise)) this.broken.push(promise);
  }

  /**
   * Runs one fault; an error counts as a broken promise under the fault's name. A service on a starved machine
   * answers late no matter what, which proves nothing, so the same fault is repeated.
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

  /** Runs a check without a fault; an error counts as a broken promise under this name. */
  async look(name: string, work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.check(false, `${name}: ${inOneLine(error)}`);
    }
  }

  skip(what: string, why: string): void {
    this.skipped.push(`${what}: ${why}`);
    // CI has everything that the parts need, so a skipped part is a failure there.
    if (process.env.CI === 'true') this.check(false, `${what} was not tried: ${why}`);
  }

  /** Sends a request such as `'POST /items'` and checks the rules for all answers; undefined if no answer came. */
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
        // The limit is far longer than the service may take, so a request without an answer is a fault.
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

  /** Counts a promised change as lost if it doesn't hold. */
  kept(holds: boolean, what: string): void {
    if (holds) return;
    this.lost++;
    this.check(false, what);
  }

  /** Checks that a service's log contains no credentials and no internal errors. */
  readLog(text: string): void {
    for (const secret of SECRETS) this.check(!text.includes(secret), `the log holds "${secret}"`);
    for (const [, error] of text.matchAll(/"err":(.{0,400}).*"msg":"internal error"/g))
      this.check(false, `internal error: ${error}`);
  }
}

/** The items that one service has confirmed. Every write has a unique name. */
export class Ledger {
  readonly #tally: Tally;
  readonly #answered = new Map<string, number>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Records that the service confirmed an item with this name under this id. */
  promised(name: string, id: number): void {
    this.#tally.writes++;
    const before = this.#answered.get(name);
    this.#tally.check(
      before === undefined || before === id,
      `"${name}" was answered as ${before} and as ${id}`,
    );
    this.#answered.set(name, id);
  }

  /** Counts promised items that are missing, and items that are stored twice. */
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

  async storeOne(url: string): Promise<Answer | undefined> {
    const name = `Gift ${++gifts}`;
    const answer = await this.#tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift(name) });
    if (answer?.status === 201) this.promised(name, answer.body.data.id);
    return answer;
  }
}

let gifts = 0;

/** Returns a valid gift with this name. */
export const gift = (name: string) => ({ name, url: 'https://shop.example/gift' });

export function isUnavailable(answer: Answer | undefined, where: string): void {
  isAnswer(answer, 503, 'The item store cannot be reached at the moment', where);
}

export function isStored(answer: Answer | undefined, where: string): void {
  if (answer?.status !== 201) throw judged(answer, `${where}: ${answer?.status} ${answer?.text}`);
}

/** Throws unless the answer is this refusal. */
export function isAnswer(
  answer: Answer | undefined,
  status: number,
  detail: string,
  where = 'answered',
): void {
  if (answer?.status === status && answer.text === JSON.stringify({ detail })) return;
  throw judged(answer, `${where}: ${answer?.status} ${answer?.text} instead of ${status} ${detail}`);
}

/** Returns the error for an unexpected answer: `Late` if the answer says that time ran out. */
export const judged = (answer: Answer | undefined, what: string): Error =>
  tellsOfNoTime(answer) ? new Late(what) : new Error(what);

export const tellsOfNoTime = (answer: Answer | undefined): boolean =>
  answer?.status === 503 || answer?.status === 504;

/** Starts the service as it ships, for as long as a part may take. */
export const startService = (env: Record<string, string>, prefix?: string[]): ServiceProcess =>
  startServiceProcess(env, prefix, 12 * PATIENCE_MS);

/** Stops a service as an operator does: it must finish its requests and end with code 0. */
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

/** Returns a random number generator; the same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

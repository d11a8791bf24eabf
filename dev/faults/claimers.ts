import type { Claim } from '../../api/src/contract/index.ts';
import type { Answer } from '../../api/test/answers.ts';
import { agrees } from '../../api/test/claim-service.ts';
import { eventsAgree } from '../../api/test/events-agree.ts';
import type { Tally } from './kit.ts';

type Send = (target: string, json?: unknown, headers?: Record<string, string>) => Promise<Answer | undefined>;
type Query = <T>(sql: string) => Promise<T[]>;

/** A claim that the service confirmed, with every state that it may have by now. */
type Promised = { id: string; may: Claim['state'][] };

type Parts = { tally: Tally; seed: number; random: (below: number) => number; send: Send };

const NO_ANSWER_YET = 'The first request with this Idempotency-Key has no answer yet';

/** Claims pieces of one item, buys and releases them, and compares the store with the answers. */
export function claimers({ tally, seed, random, send }: Parts) {
  const promised = new Map<string, Promised>();
  const free: string[] = [];
  let count = 0;
  let item: { registry: number; id: number } | undefined;

  function answered(name: string, { id, state }: Claim): void {
    tally.writes++;
    const before = promised.get(name);
    tally.check(before === undefined || before.id === id, `"${name}" was answered as two claims`);
    if (before) return;
    promised.set(name, { id, may: [state] });
    free.push(name);
  }

  /** Sends a claim; returns true if the service answered with a claim or a refusal. */
  async function claim(name: string, path: string, json: object, key?: string): Promise<boolean> {
    const answer = await send(`POST ${path}`, json, key ? { 'idempotency-key': key } : undefined);
    if (answer?.status === 201) answered(name, answer.body);
    const isRefused = answer?.status === 409 && answer.body.detail !== NO_ANSWER_YET;
    return answer?.status === 201 || isRefused;
  }

  async function claimOne(insist: (name: string, attempt: () => Promise<boolean>) => Promise<void>) {
    if (!item) return;
    const name = `Claim ${++count}`;
    const path = `/registries/${item.registry}/items/${item.id}/claims`;
    const json = { message: name, quantity: 1 + random(2), expires_in: 86_400 };
    if (random(2)) return void (await claim(name, path, json));
    const key = `${seed}-${name.replace(' ', '-')}`;
    await insist(name, () => claim(name, path, json, key));
    // A repeated request with the same key must give the same claim.
    if (promised.has(name) && random(4) === 0) await claim(name, path, json, key);
  }

  async function changeOne(): Promise<void> {
    // No other writer may take this claim while its change is under way.
    const [name] = free.splice(random(free.length || 1), 1);
    const one = name === undefined ? undefined : promised.get(name);
    if (!name || !one) return;
    const state = random(2) ? 'purchased' : 'released';
    const last = one.may;
    one.may = [...last, state];
    const isRelease = state === 'released' && random(2) === 0;
    const answer = isRelease
      ? await send(`DELETE /claims/${one.id}`)
      : await send(`PATCH /claims/${one.id}`, { state });
    if (answer?.status === 200 || answer?.status === 204) {
      one.may = [state];
      tally.writes++;
    }
    if (!one.may.includes('released')) free.push(name);
  }

  return {
    /** Makes this the item that is claimed from now on. */
    sell(registry: number, id: number): void {
      item = { registry, id };
    },

    work: (insist: Parameters<typeof claimOne>[0]): Promise<void> =>
      random(3) ? claimOne(insist) : changeOne(),

    async judge(query: Query): Promise<void> {
      const rows = await query<{ id: string; state: Claim['state']; message: string }>(
        'select id, state, message from claims',
      );
      const byName = new Map<string, string>();
      for (const { id, message } of rows) {
        if (byName.has(message)) {
          tally.doubled++;
          tally.check(false, `"${message}" is stored as two claims`);
        }
        byName.set(message, id);
      }
      const states = new Map(rows.map(({ id, state }) => [id, state]));
      for (const [name, { id, may }] of promised) {
        tally.kept(byName.get(name) === id, `"${name}", answered as ${id}, is lost`);
        const state = states.get(id);
        tally.kept(!!state && may.includes(state), `"${name}" is ${state} instead of ${may.join(' or ')}`);
      }
      await tally.look('ledger and numbers', () => agrees({ query }));
      await tally.look('events', () => eventsAgree({ query }));
      const oversold = await query(
        'select id from items where quantity_purchased + claimed > quantity_needed and claimed > 0',
      );
      tally.check(oversold.length === 0, 'more is claimed than there was');
      tally.notes.push(`${promised.size} claims answered, ledger, numbers and events agree`);
    },
  };
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, Item, Registry } from 'trousseau-client';
import type { Role } from './accounts.ts';
import type { Answer } from './answers.ts';
import type { Call, Caller } from './caller.ts';
import type { Receiver } from './receiver.ts';

/** The beginning of the titles of the suite's registries, by which data of a killed run is found. */
export const MARK = '[conformance]';

/** The person behind an account of the site. */
export type Person = { id: number; username: string; name: string; email: string; password: string };

/** Facts about a deployment before the first case. */
export type Deployment = Caller & {
  people: Record<Role, Person>;
  /** Whether item endpoints are open to every authenticated user, or only to a registry's owners and guests. */
  itemAccess: 'authenticated' | 'registry';
  /** The receiver to which the service may send webhooks, if one was named. */
  receiver?: Receiver | undefined;
};

type RegistryFields = { title?: string; status?: string; story?: string; meta?: object };

/** Thrown when a case does not apply to this deployment; the message says why. */
export class NotApplicable extends Error {}

/** The tools of one case, with registries of its own. */
export type World = ReturnType<typeof worldOf>['world'];

/** The id of no record. Refusals are tried on it, so that a service that doesn't refuse changes nothing. */
export const NO_ID = Number.MAX_SAFE_INTEGER;

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
export function ok(status: number, answer: Answer): any {
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

/** Returns a text that no other case or run uses. */
export const unique = () => randomBytes(9).toString('hex');

export function worldOf(
  { ask, check, hasKey, people, itemAccess, receiver }: Deployment,
  stopped: AbortSignal,
) {
  /** The paths of this case's registries and webhooks, and who created them. */
  const made = new Map<string, Role>();
  const underWay = new Set<Promise<unknown>>();
  let ended = false;
  let last = '';

  /** Records created and deleted registries, and ends the case if the run was stopped. */
  const asking: Call = async (as, target, body, headers) => {
    stopped.throwIfAborted();
    if (ended) throw new Error('The case has ended');
    last = `${target.slice(0, 200)} as ${as ?? 'nobody'}`;
    const answer = await ask(as, target, body, headers);
    last += `, answered ${answer.status}`;
    // Recorded even if other parts of the answer are wrong.
    const [method, path = ''] = target.split(' ');
    if (as && method === 'POST' && /^\/registries$|\/webhooks$/.test(path) && answer.status < 300)
      made.set(`${path}/${answer.body.id}`, as);
    if (method === 'DELETE' && answer.status < 300) made.delete(path);
    return answer;
  };
  const calls: { ask: Call; call: Call } = {
    ask(...request) {
      const asked = asking(...request);
      underWay.add(asked);
      return asked.finally(() => underWay.delete(asked));
    },
    async call(...request) {
      const answer = await calls.ask(...request);
      check(request[0], request[1], answer);
      return answer;
    },
  };

  const world = {
    /** Sends a request, and returns its answer unchecked. */
    ask: calls.ask,
    /** Sends a request, and checks its answer for the rules of all answers. */
    call: calls.call,
    hasKey,
    people,
    itemAccess,

    /** Makes a private registry of this case's own, to which the guest is invited and the stranger is not. */
    async registry(
      { title = '', meta, ...fields }: RegistryFields = {},
      as: Role = 'owner',
    ): Promise<Registry> {
      const invited = { registry_invitees: [people.guest.username], ...meta };
      const body = { title: `${MARK} ${title}`.trim(), ...fields, meta: invited };
      return ok(201, await calls.call(as, 'POST /registries', body));
    },

    /** Makes an item in a registry, and returns it as the administrator sees it. */
    async item({ id }: { id: number }, fields: object = {}): Promise<Item> {
      const body = { name: 'Pan', url: 'https://shop.example/pan', ...fields };
      return ok(201, await calls.call('administrator', `POST /registries/${id}/items`, body)).data;
    },

    /** Makes a claim, which must succeed. */
    async claim(as: Role, item: { id: number; registry_id: number }, body: object = {}): Promise<Claim> {
      const path = `/registries/${item.registry_id}/items/${item.id}/claims`;
      return ok(201, await calls.call(as, `POST ${path}`, body));
    },

    /** Returns the items of a registry, as a role sees them there. */
    async listed(registry: number, as: Role = 'owner'): Promise<Item[]> {
      return ok(200, await calls.call(as, `GET /registries/${registry}/items`));
    },

    /** Returns how many pieces a role sees as purchased in the list of the registry's items. */
    async purchased({ id, registry_id }: Item, as: Role = 'administrator'): Promise<number> {
      return (await world.listed(registry_id, as)).find((item) => item.id === id)!.quantity_purchased;
    },

    /** Returns the receiver of webhooks; skips the case if the run has none. */
    receiver(): Receiver {
      if (!receiver) throw new NotApplicable('no --receiver was given');
      return receiver;
    },

    /** Waits for so many seconds. */
    pass: (seconds: number) => sleep(seconds * 1000, undefined, { signal: stopped }),

    /** Skips the case unless this holds. */
    needs(holds: boolean, otherwise: string): void {
      if (!holds) throw new NotApplicable(otherwise);
    },
  };

  return {
    world,
    /** Returns the last request, for error messages. */
    lastRequest: () => last,

    /** Deletes the case's webhooks and registries; returns those that could not be deleted. */
    async cleanUp(): Promise<string[]> {
      // A case that fails with several requests in flight leaves the others running.
      ended = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      const left: string[] = [];
      for (const [path, role] of [...made].reverse()) {
        const answer = await ask(role, `DELETE ${path}`).catch((error: Error) => error);
        const why = answer instanceof Error ? answer.message : answer.text;
        if (answer instanceof Error || (answer.status >= 300 && answer.status !== 404))
          left.push(`${path} of ${people[role].username} is still there: ${why}`);
      }
      return left;
    },
  };
}

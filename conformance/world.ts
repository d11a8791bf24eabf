import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, Item, Registry } from 'trousseau-client';
import type { Role } from './accounts.ts';
import type { Answer } from './answers.ts';
import type { Call, Caller } from './caller.ts';
import type { Receiver } from './receiver.ts';

/** The start of the suite's titles, by which remains of a killed run are found. */
export const MARK = '[conformance]';

/** The role of an account on the site. */
export type Person = { id: number; username: string; name: string; email: string; password: string };

/** Facts about a deployment before the first case. */
export type Deployment = Caller & {
  people: Record<Role, Person>;
  /** Item endpoints are open to every signed-in user, or to a registry's people. */
  itemAccess: 'authenticated' | 'registry';
  /** An address to which the service may send webhooks, where one was named. */
  receiver?: Receiver | undefined;
};

type RegistryFields = { title?: string; status?: string; story?: string; meta?: object };

/** The reason why a case does not apply to this deployment. */
export class NotApplicable extends Error {}

/** The tools of one case, with registries of its own. */
export type World = ReturnType<typeof worldOf>['world'];

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
export function ok(status: number, answer: Answer): any {
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

/** Text that no other case and no other run has. */
export const unique = () => randomBytes(9).toString('hex');

export function worldOf({ ask, check, people, itemAccess, receiver }: Deployment, stopped: AbortSignal) {
  /** The registries of this case, and their makers. */
  const made = new Map<number, Role>();
  const underWay = new Set<Promise<unknown>>();
  let ended = false;
  let last = '';

  /** Records made and deleted registries, and ends the case when the run was stopped. */
  const asking: Call = async (as, target, body, headers) => {
    stopped.throwIfAborted();
    if (ended) throw new Error('The case has ended');
    last = `${target.slice(0, 200)} as ${as ?? 'nobody'}`;
    const answer = await ask(as, target, body, headers);
    last += `, answered ${answer.status}`;
    // Whatever else may be wrong with the answer.
    if (as && target === 'POST /registries' && answer.status < 300) made.set(answer.body.id, as);
    const deleted = /^DELETE \/registries\/(\d+)$/.exec(target);
    if (deleted && answer.status < 300) made.delete(Number(deleted[1]));
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
    /** An answer as it is. */
    ask: calls.ask,
    /** An answer, checked for the rules that hold for every answer. */
    call: calls.call,
    people,
    itemAccess,

    /** A private registry of this case's own, to which the guest is invited and the stranger is not. */
    async registry(
      { title = '', meta, ...fields }: RegistryFields = {},
      as: Role = 'owner',
    ): Promise<Registry> {
      const invited = { registry_invitees: [people.guest.username], ...meta };
      const body = { title: `${MARK} ${title}`.trim(), ...fields, meta: invited };
      return ok(201, await calls.call(as, 'POST /registries', body));
    },

    /** An item of it, as the administrator sees it. */
    async item({ id }: { id: number }, fields: object = {}): Promise<Item> {
      const body = { name: 'Pan', url: 'https://shop.example/pan', ...fields };
      return ok(201, await calls.call('administrator', `POST /registries/${id}/items`, body)).data;
    },

    /** A claim that is taken. */
    async claim(as: Role, item: { id: number; registry_id: number }, body: object = {}): Promise<Claim> {
      const path = `/registries/${item.registry_id}/items/${item.id}/claims`;
      return ok(201, await calls.call(as, `POST ${path}`, body));
    },

    /** The items of a registry, as somebody sees them there. */
    async listed(registry: number, as: Role = 'owner'): Promise<Item[]> {
      return ok(200, await calls.call(as, `GET /registries/${registry}/items`));
    },

    /** How many pieces somebody sees as purchased, where the registry's items are listed. */
    async purchased({ id, registry_id }: Item, as: Role = 'administrator'): Promise<number> {
      return (await world.listed(registry_id, as)).find((item) => item.id === id)!.quantity_purchased;
    },

    /** The receiver of webhooks; skips the case where the run has none. */
    receiver(): Receiver {
      if (!receiver) throw new NotApplicable('no --receiver is named');
      return receiver;
    },

    /** Waits so many seconds. */
    pass: (seconds: number) => sleep(seconds * 1000, undefined, { signal: stopped }),

    /** Skips the case where this doesn't hold. */
    needs(holds: boolean, otherwise: string): void {
      if (!holds) throw new NotApplicable(otherwise);
    },
  };

  return {
    world,
    /** The last request, to find a fault. */
    lastRequest: () => last,

    /** Deletes the case's registries; returns those that could not be deleted. */
    async cleanUp(): Promise<string[]> {
      // A case that fails during several requests leaves the others in progress.
      ended = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      const left: string[] = [];
      for (const [id, role] of made) {
        const answer = await ask(role, `DELETE /registries/${id}`).catch((error: Error) => error);
        if (answer instanceof Error || (answer.status >= 300 && answer.status !== 404))
          left.push(
            `registry ${id} of ${people[role].username} is still there: ${answer instanceof Error ? answer.message : answer.text}`,
          );
      }
      return left;
    },
  };
}

import { AssertionError } from 'node:assert/strict';
import type { Accounts } from './accounts.ts';
import type { Case } from './case.ts';
import { cases as all } from './cases/index.ts';
import { deploymentAt } from './deployment.ts';
import { startReceiver } from './receiver.ts';
import { type Deployment, NotApplicable, worldOf } from './world.ts';

export type Outcome = {
  id: string;
  section: Case['section'];
  result: 'passed' | 'failed' | 'not applicable';
  milliseconds: number;
  /** Why it failed or was skipped. */
  why?: string;
};

export type Run = {
  url: string;
  itemAccess: Deployment['itemAccess'];
  outcomes: Outcome[];
  /** Data that could not be deleted, a sentence each. */
  left: string[];
  interrupted: boolean;
};

export type SuiteOptions = {
  url: string;
  accounts: Accounts;
  /** Whether to include cases that wait for a minute. */
  slow?: boolean;
  /** Runs only cases whose id contains one of these texts. */
  only?: string[];
  /** How many cases run at the same time. */
  parallel?: number;
  /** A free `host:port` of this machine, to which the service may send webhooks. */
  receiver?: string | undefined;
  /** Ends the run early: running cases finish, and everything that they created is deleted. */
  signal?: AbortSignal;
  onBegin?: (deployment: Deployment, cases: Case[], swept: number) => void;
  onOutcome?: (outcome: Outcome) => void;
};

export function chosen({ slow = true, only = [] }: Pick<SuiteOptions, 'slow' | 'only'>): Case[] {
  return all.filter(
    (one) => (slow || !one.slow) && (only.length === 0 || only.some((text) => one.id.includes(text))),
  );
}

/** Runs the cases against a service and deletes what they made. */
export async function runSuite(options: SuiteOptions): Promise<Run> {
  const { url, accounts, parallel = 8, signal = new AbortController().signal } = options;
  const cases = chosen(options);
  const { deployment: found, swept } = await deploymentAt(url, accounts);
  const receiver = options.receiver === undefined ? undefined : await startReceiver(options.receiver);
  await using _receiver = { [Symbol.asyncDispose]: async () => receiver?.close() };
  const deployment = { ...found, receiver };
  options.onBegin?.(deployment, cases, swept);

  const run: Run = { url, itemAccess: deployment.itemAccess, outcomes: [], left: [], interrupted: false };
  const perform = async (one: Case) => {
    const outcome = await outcomeOf(one, deployment, signal, run.left);
    // A failure of an interrupted case means nothing.
    if (signal.aborted && outcome.result === 'failed') return;
    run.outcomes.push(outcome);
    options.onOutcome?.(outcome);
  };
  const inTurn = async (queue: Case[]) => {
    for (let one = queue.shift(); one && !signal.aborted; one = queue.shift()) await perform(one);
  };
  await inTurn(cases.filter((one) => one.alone));
  const waiting = cases.filter((one) => one.slow && !one.alone);
  const queue = cases.filter((one) => !one.slow && !one.alone);
  await Promise.all([
    ...waiting.map((one) => inTurn([one])),
    ...Array.from({ length: parallel }, () => inTurn(queue)),
  ]);
  run.interrupted = signal.aborted;
  return run;
}

async function outcomeOf(
  { id, section, test }: Case,
  deployment: Deployment,
  signal: AbortSignal,
  left: string[],
): Promise<Outcome> {
  const { world, lastRequest, cleanUp } = worldOf(deployment, signal);
  const since = performance.now();
  const outcome = (result: Outcome['result'], why?: string): Outcome => ({
    ...{ id, section, result, milliseconds: Math.round(performance.now() - since) },
    ...(why !== undefined && { why }),
  });
  try {
    await test(world);
    return outcome('passed');
  } catch (error) {
    if (error instanceof NotApplicable) return outcome('not applicable', error.message);
    const { message, cause } = error as Error;
    const said = error instanceof AssertionError || !cause ? message : `${message}: ${cause}`;
    return outcome('failed', `${said.trim()}\nlast request: ${lastRequest()}`);
  } finally {
    left.push(...(await cleanUp()));
  }
}

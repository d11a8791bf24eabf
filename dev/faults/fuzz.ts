import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Answer, type Call, callsOf } from '../../api/test/answers.ts';
import { startTestService, type TestService } from '../../api/test/support.ts';
import { until } from '../until.ts';
import type { Part, Run, Tally } from './kit.ts';
import { type Documented, furniture, requestsTo, SECRET, type Sent } from './requests.ts';
import { comesAbout } from './time.ts';

/** Ids that nobody can guess. */
type Made = {
  claims: string[];
  /** Webhooks' ids, by the path under which they were created. */
  webhooks: Map<string, string>;
};

/** Stores something for every role. */
async function furnish(call: Call): Promise<Made> {
  const made: Made = { claims: [], webhooks: new Map() };
  for (const { as, target, body } of furniture) {
    // On a starved machine the service may answer 503 or 504; the request is then repeated.
    const isThere = await comesAbout(async () => {
      const answer = await call(as, target, body);
      if (answer.status === 201 && target.endsWith('/claims')) made.claims.push(answer.body.id);
      if (answer.status === 201 && target.endsWith('/webhooks'))
        made.webhooks.set(target.replace('POST ', ''), answer.body.id);
      return answer.status === 201;
    });
    assert.ok(isThere, `${target} makes nothing`);
  }
  return made;
}

/** Checks that an answer contains nothing that this role may not see. `surprised`: no request has ended a surprise yet. */
function showsNothingSecret(
  { role, target, body }: Sent,
  { status, text }: Answer,
  surprised: boolean,
): void {
  const isStranger = role === 'carol' || role === 'nobody';
  if (role === 'nobody')
    assert.ok(status >= 400 || /^GET \/(health)?(\?|$)/.test(target), `nobody got ${status}`);
  if (isStranger)
    for (const secret of [SECRET.story, SECRET.invitee])
      assert.ok(!text.includes(secret), `${role} sees ${secret}`);
  if (role === 'admin') return;
  const isTheirs = (secret: string) => body?.includes(secret) || decodeURIComponent(target).includes(secret);
  for (const [secret, may] of [
    [SECRET.giver, role === 'alice'],
    [SECRET.surprise, role === 'alice' && !surprised],
    [SECRET.message, role === 'alice' || role === 'bob'],
  ] as const)
    assert.ok(may || isTheirs(secret) || !text.includes(secret), `${role} sees ${secret}`);
  const mayAsk = !isStranger && /\/affiliate(\?|$)/.test(target);
  assert.ok(mayAsk || !text.includes(SECRET.affiliate), `${role} sees an affiliate link`);
}

/** Runs the fuzzer with one setting of ITEM_ACCESS. */
async function underSetting(run: Run, tally: Tally, itemAccess: string, requests: number): Promise<void> {
  const outline = await startTestService();
  // A starved service may answer 503 at first.
  const document = await until('the service describes itself', async () => {
    const answer = await outline.fetch('/openapi.json');
    return answer.status === 200 && ((await answer.json()) as Documented);
  });
  await outline.close();
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method, path] as const),
  );
  for (const [index, [method, path]] of all.entries()) {
    await tally.look(`${method.toUpperCase()} ${path} (ITEM_ACCESS=${itemAccess})`, () =>
      fuzzOperation(
        { ...run, seed: run.seed + index },
        tally,
        itemAccess,
        requestsTo(document, method, path),
        Math.ceil(requests / all.length),
      ),
    );
  }
}

const BATCH = 12;
const MOST_ROUNDS = 20;

async function fuzzOperation(
  run: Run,
  tally: Tally,
  itemAccess: string,
  requests: fc.Arbitrary<Sent>,
  many: number,
): Promise<void> {
  let service: TestService | undefined;
  let call: Call;
  let made: Made;
  let surprised = true;
  const statuses = new Map<number, number>();
  // Each batch of requests starts on a new store with nothing deleted.
  const moveIn = async () => {
    await moveOut();
    // No request reaches a shop or a receiver: the names are invented, and none of them resolves.
    const rules = { resolve: () => Promise.reject(new Error('nowhere')) };
    service = await startTestService(
      { ITEM_ACCESS: itemAccess, LOG_LEVEL: 'error' },
      { pages: { rules }, webhooks: { rules } },
    );
    call = await callsOf(service);
    made = await furnish(call);
    surprised = true;
  };
  const moveOut = async () => {
    if (!service) return;
    await service.close();
    tally.readLog(service.log.join(''));
  };
  const sendOne = async (sent: Sent): Promise<void> => {
    const { role, body, headers } = sent;
    const target = sent.target
      .replace(/claim-(\d+)/, (_, n) => made.claims[n % made.claims.length]!)
      .replace(/(\/\S*webhooks)\/webhook-made/, (named, path) =>
        made.webhooks.has(path) ? `${path}/${made.webhooks.get(path)}` : named,
      );
    // The surprise counts as ended before the answer: a request at the same time may already see the change.
    if (target.startsWith('PATCH /registries') && body?.includes('surprise')) surprised = false;
    tally.requests++;
    try {
      const answer = await call(role === 'nobody' ? undefined : role, target, body, headers);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      assert.notEqual(answer.status, 500);
      showsNothingSecret(sent, answer, surprised);
    } catch (error) {
      const request = `${role} ${target} ${JSON.stringify(headers)} ${body ?? ''}`.slice(0, 600);
      throw new Error(`${(error as Error).message} when ${request}`);
    }
  };
  let sets = 0;
  const sendMany = fc.asyncProperty(
    fc.array(requests, { minLength: BATCH, maxLength: BATCH }),
    async (batch) => {
      if (sets++ % 25 === 0) await moveIn();
      const outcomes = await Promise.allSettled(batch.map(sendOne));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
  );
  const gotThrough = () => [...statuses.keys()].some((status) => status < 300);
  try {
    // In a small number of random requests, those to some operations may all be refused; then further rounds follow.
    for (let round = 0; round < (gotThrough() ? 1 : MOST_ROUNDS); round++)
      await fc.assert(
        sendMany,
        // The message names the one request at fault, so there is nothing to shrink.
        { seed: run.seed + round * 10_000, numRuns: Math.ceil(many / BATCH), endOnFailure: true },
      );
  } catch (error) {
    throw (error as Error).cause ?? error;
  } finally {
    await moveOut();
  }
  assert.ok(gotThrough(), `the fuzz never got through: ${JSON.stringify([...statuses])}`);
}

/** Calls every operation of the OpenAPI document, as every role, with valid, nearly valid and hostile input. */
export const fuzz: Part = async (run, tally) => {
  const each = run.long ? 51_000 : 1_500;
  await underSetting(run, tally, 'authenticated', each);
  await underSetting({ ...run, seed: run.seed + 1_000 }, tally, 'registry', each);
  tally.notes.push('every operation of the document, under both settings of ITEM_ACCESS');
};

// A gift that several pay for when something is amiss, as far as it takes several processes, or the service's notices and its clock.
// GoalTest.php has who is asked, and what they choose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';

const MISSED = 'the goal wasn’t reached';
const NOBODY = 'Nobody is buying';

describeSite('a shared gift that goes wrong', {}, (site) => {
  let ahead = 0;
  site.startWith(() => {
    const clock = { wall: () => Date.now() + ahead, steady: () => performance.now() + ahead };
    return { muPlugins: ['test-mails'], clock };
  });

  /** A list with a pram of 520 €, to which these give shares. */
  async function pram(shares: { bob: number; carol?: number }, registry_event_date: string | null) {
    const meta = { registry_currency: 'EUR', registry_invitees: ['bob', 'carol'], registry_event_date };
    const { id, items } = await site.list({ meta }, { name: 'Pram', unit: 'money', quantity_needed: 52_000 });
    const give = async (name: 'bob' | 'carol', quantity: number) =>
      (await site.client(name).registries.items.claims.create(id, items[0]!, { quantity }))!.id;
    return {
      ...{ id, give, bob: await give('bob', shares.bob) },
      carol: shares.carol ? await give('carol', shares.carol) : '',
    };
  }
  /** The receivers of the new mails with these words in their subjects, and the number of gifts in each. */
  async function mails(about: string) {
    await site.runDueJobs('mail', 0.01);
    return (await site.mails())
      .filter(({ subject }) => subject.includes(about))
      .map(({ to, text }) => `${to}: ${text.match(/\/registries\/gift\//g)?.length ?? 0}`);
  }

  test('two processes, a second share and a mail that fails make one mail', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { id, give } = await pram({ bob: 10_000 }, yesterday);
    const round = () =>
      site.inTurn(['delete_post_meta', id, '_trousseau_shares_looked'], ['run_jobs', 'shares']);
    await give('bob', 2000);
    await site.setOption('test_no_mail', '1');
    await Promise.all([round(), round(), round()]);
    const waiting = (await site.jobs('mail')).filter(({ unique_key }) => unique_key!.includes('goal-missed'));
    assert.equal(waiting.length, 1);
    assert.deepEqual(await mails(MISSED), []);
    await round();
    await site.setOption('test_no_mail', '');
    assert.deepEqual(await mails(MISSED), ['bob@example.test: 2']);
    await round();
    assert.deepEqual(await mails(MISSED), []);
  });

  test('others hear once when the buyer steps back, or when the buyer’s time is over', async () => {
    const { id, bob, carol } = await pram({ bob: 10_000, carol: 5000 }, null);
    const [bobs, carols] = [site.client('bob').claims, site.client('carol').claims];
    const noticed = () => until('a notice', () => site.hasJob('buyer', id));
    const look = () => site.runDueJobs('buyer');
    const ended = () =>
      until('an end', async () => {
        await look();
        return !(await site.hasJob('buyer', id));
      });
    await carols.update(carol, { buys: true, pay_to: 'To Carol' });
    await noticed();
    await look();
    assert.deepEqual(await mails(NOBODY), []);
    assert.equal(await site.hasJob('buyer', id), true, 'waits for the end of the reservation');
    await carols.update(carol, { buys: false });
    await ended();
    assert.deepEqual(await mails(NOBODY), ['bob@example.test: 1']);
    await site.inTurn(['add_job', 'buyer', null, 0, `${id}`], ['run_jobs', 'buyer']);
    assert.deepEqual(await mails(NOBODY), [], 'once');

    await bobs.update(bob, { buys: true, expires_in: 3600 });
    await carols.update(carol, { expires_in: 80 * 86_400 });
    await noticed();
    await look();
    ahead += 2 * 3_600_000;
    await ended();
    assert.deepEqual(await mails(NOBODY), ['carol@example.test: 1']);
    assert.equal((await site.client('admin').claims.get(bob))!.state, 'expired');
  });
});

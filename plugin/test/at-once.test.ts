// Two presses, two owners or two processes at the same moment, and what the service must hear of at once. The tests of each feature in
// plugin/test/wordpress have the rest.
// @again wordpress
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Answer, fieldsOf, formWithFile, type Visitor, words } from '../../dev/wordpress/site.ts';

type Fields = Record<string, string>;

const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

describeSite('at the same moment', {}, (site) => {
  const { alice, bob } = site.visitors;
  let ahead = 0;
  site.startWith(() => {
    const clock = { wall: () => Date.now() + ahead, steady: () => performance.now() + ahead };
    return { muPlugins: ['test-mails'], clock };
  });

  const ours = (...gifts: string[]) =>
    site.list({ title: 'Us', meta: { registry_owners: ['bob'], registry_currency: 'EUR' } }, ...gifts);
  const saved = async (visitor: Visitor, page: string, fields: Fields) => {
    const answer = await visitor(page, fields);
    assert.equal(answer.status, 303, answer.text);
  };

  test('thanks go out once, however often the button is pressed', async () => {
    const { id, items } = await site.list({}, 'Copper pan');
    const giver = { name: 'Aunt Ida', email: 'aunt@example.org' };
    await site.client('admin').registries.items.claims.create(id, items[0]!, { state: 'purchased', giver });
    const path = `/registries/${id}/given/`;
    await alice.press(path, 'here');
    assert.match((await alice(path, { do: 'save' })).text, /Arrived.*Thanked[\s\S]*Copper pan.*yes.*no/);
    const form = await alice.form(path, 'write');
    await site.mails();
    await Promise.all([1, 2, 3].map(() => saved(alice, path, form)));
    await saved(alice, path, form);
    assert.equal((await site.mails()).length, 1);
    assert.match((await alice(path, { do: 'save' })).text, /Copper pan.*yes.*yes/);
  });

  test('a gift that the owners have got elsewhere tells them nothing of a surprise: the same whatever was given', async () => {
    const aunt = 'aunt@example.org';
    const seen = [];
    for (const count of [0, 2]) {
      const meta = { registry_invitees: [aunt], registry_surprise_until: 'always' };
      const { id, gifts, give, items } = await site.list({ meta }, { name: 'Pan', quantity_needed: 3 });
      const device = await site.guest(id, aunt);
      if (count) await device.press(give(), 'give', { giver: 'Aunt', count: `${count}` });
      const form = `${gifts}?item=${items[0]}`;
      await alice.press(form, 'got');
      const asOwner = (await site.client().items.get(items[0]!))!;
      const pages = [words((await alice(gifts)).text), words((await alice(form)).text)];
      // The first of these lists is among the other lists to which gifts of the second can go.
      const others = /(?<=Move or copy the selected gifts to ).*(?=When you move)/;
      seen.push([asOwner.quantity_purchased, ...pages.map((page) => page.replace(others, ''))]);
    }
    assert.deepEqual(seen[0], seen[1]);
  });

  test('drafts that two owners publish at once come once, and a form sent twice makes one draft', async () => {
    const { id, gifts, details } = await ours();
    const drafts = (): Promise<string[]> => site.call('gift-drafts.names', id);
    const opened = async (fields: Fields): Promise<Fields> => ({
      ...(await alice.form(`${gifts}?by-hand=1`, 'add')),
      ...{ draft: '1', ...fields },
    });
    const facts = { name: 'Kettle', address: 'https://shop.example/kettle', price: '12.50', currency: 'EUR' };
    const twice = await opened(facts);
    for (const form of [twice, twice, await opened({ name: 'B' })]) await saved(alice, gifts, form);
    assert.deepEqual(await drafts(), ['Kettle', 'B']);
    assert.deepEqual((await alice(details, { do: 'export', as: 'json' })).json.items, []);
    const form = new FormData();
    form.set('do', 'publish');
    for (const draft of await site.call('gift-drafts.ids', id)) form.append('drafts[]', String(draft));
    const answers = await Promise.all([alice(gifts, form), bob(gifts, form)]);
    answers.push(await alice(gifts, form));
    assert.deepEqual(statuses(answers), [303, 303, 303]);
    const [kettle, b, ...more] = (await site.client().registries.items.list(id))!;
    assert.deepEqual([kettle!.name, b!.name, more, await drafts()], ['Kettle', 'B', [], []]);
    assert.deepEqual([kettle!.url, Number(kettle!.price)], [facts.address, 12.5]);

    const forms = [await opened({ name: 'C' }), await opened({ name: 'D' }), await opened({ name: 'E' })];
    await Promise.all(forms.map((form) => alice(gifts, form)));
    assert.equal((await drafts()).length, 3);
  });

  test('one of two owners who press at the same moment is asked', async () => {
    const { gifts, items } = await ours('Glasses');
    const page = `${gifts}?item=${items[0]}`;
    const forms = [await alice.form(page, 'change'), await bob.form(page, 'change')];
    const answers = await Promise.all([
      alice(page, { ...forms[0]!, name: 'Wine glasses' }),
      bob(page, { ...forms[1]!, name: 'Beer glasses' }),
    ]);
    assert.deepEqual(statuses(answers), [303, 422]);
    const { text } = answers.find(({ status }) => status === 422)!;
    const both = /<b>Now:<\/b> <bdi>(.*?)<\/bdi><\/span><span><b>Yours:<\/b> <bdi>(.*?)<\/bdi>/s.exec(text)!;
    assert.equal((await site.client().items.get(items[0]!))!.name, both[1]);
    assert.deepEqual(both.slice(1).sort(), ['Beer glasses', 'Wine glasses']);
  });

  test('a picture that was sent is asked about, too, and is chosen once more', async () => {
    const { gifts, details, items } = await ours('Glasses');
    const page = `${gifts}?item=${items[0]}`;
    const item = async () => (await site.client().items.get(items[0]!))!;
    const opened = (visitor: Visitor, at = page) => visitor.form(at, 'change');
    const send = (visitor: Visitor, to: string, fields: Fields, name = 'upload') =>
      visitor(to, formWithFile(fields, name, picture));
    const [one, other, third] = [await opened(alice), await opened(bob), await opened(bob)];
    for (const _ of ['a press', 'a double press']) assert.equal((await send(alice, page, one)).status, 303);
    const first = (await item()).image_url;
    assert.match(first!, /\/trousseau\//);
    const asked = await send(bob, page, { ...other, name: 'Mugs' });
    assert.equal(asked.status, 422);
    assert.match(asked.text, /Someone else changed the picture, too/);
    assert.equal((await item()).image_url, first);
    await saved(bob, page, fieldsOf(asked.text, 'change')!);
    const { image_url, name } = await item();
    assert.deepEqual([image_url, name], [first, 'Mugs'], 'no file: the other’s stays');
    assert.equal((await bob(page, { ...third, name: 'Cups' })).status, 422);
    const late = await send(bob, page, { ...third, name: 'Cups' });
    assert.match(late.text, /Someone else changed the picture, too/);
    const chosen = await send(bob, page, fieldsOf(late.text, 'change')!);
    assert.equal(chosen.status, 303, chosen.text);
    assert.notEqual((await item()).image_url, first);

    const [left, right] = [await opened(alice, details), await opened(bob, details)];
    assert.equal((await send(alice, details, left, 'picture')).status, 303);
    const shown = async () =>
      /trousseau-frame"><img[^>]* src="([^"]+)/.exec((await alice(details)).text)?.[1];
    const before = await shown();
    assert.ok(before);
    assert.equal((await send(bob, details, right, 'picture')).status, 422);
    assert.equal(await shown(), before);
    await saved(bob, details, { ...right, date: '2027-05-30' });
    assert.equal(await shown(), before, 'a picture that nobody touched stays');
    await saved(bob, details, { ...(await opened(bob, details)), 'no-picture': '1' });
    assert.equal(await shown(), undefined);
  });

  test('a list is taken once by a partner who presses twice, and the service knows its new owner', async () => {
    await site.mails();
    const { id } = await ours();
    const people = `/registries/${id}/people/`;
    await saved(alice, people, { do: 'offer', person: 'bob' });
    await bob(people);
    await Promise.all([bob(people, { do: 'take' }), bob(people, { do: 'take' })]);
    assert.equal(await site.postMeta(id, 'registry_owners'), '["alice"]');
    assert.equal((await site.client('bob').registries.get(id))!.user_id, site.users.bob.id);
    const told = (await site.mails()).filter(({ subject }) => /bob has taken over the list/.test(subject));
    const recipients = told.map(({ to }) => to);
    assert.deepEqual(recipients, [site.users.alice.email]);
  });

  /** A list with a pram of 520 €, to which these give shares. */
  async function pram(shares: { bob: number; carol?: number }, registry_event_date: string | null) {
    const meta = { registry_currency: 'EUR', registry_invitees: ['bob', 'carol'], registry_event_date };
    const { id, items } = await site.list({ meta }, { name: 'Pram', unit: 'money', quantity_needed: 52_000 });
    const give = async (name: 'bob' | 'carol', quantity: number) =>
      (await site.client(name).registries.items.claims.create(id, items[0]!, { quantity }))!.id;
    const bob = await give('bob', shares.bob);
    return { id, give, bob, carol: shares.carol ? await give('carol', shares.carol) : '' };
  }
  /** Who received a new email with this subject, and how many gifts it lists. */
  async function mails(about: string) {
    await site.runDueJobs('mail', 0.01);
    return (await site.mails())
      .filter(({ subject }) => subject.includes(about))
      .map(({ to, text }) => `${to}: ${text.match(/\/registries\/gift\//g)?.length ?? 0}`);
  }

  test('a goal that was missed makes one email, whatever two processes, a second share and an email that fails do', async () => {
    const missed = 'the goal wasn’t reached';
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { id, give } = await pram({ bob: 10_000 }, yesterday);
    const round = () => site.inTurn(['add_job', 'buyer', null, 0, String(id)], ['run_jobs', 'buyer']);
    await give('bob', 2000);
    await site.setOption('test_no_mail', '1');
    await Promise.all([round(), round(), round()]);
    const waiting = (await site.jobs('mail')).filter(({ unique_key }) => unique_key!.includes('goal-missed'));
    assert.equal(waiting.length, 1);
    assert.deepEqual(await mails(missed), []);
    await round();
    await site.setOption('test_no_mail', '');
    assert.deepEqual(await mails(missed), ['bob@example.test: 2']);
    await round();
    assert.deepEqual(await mails(missed), []);
  });

  test('others hear once when the buyer of a group gift steps back, or when the buyer’s time is over', async () => {
    const nobody = 'Nobody is buying';
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
    assert.deepEqual(await mails(nobody), []);
    assert.equal(await site.hasJob('buyer', id), true, 'waits for the end of the reservation');
    await carols.update(carol, { buys: false });
    await ended();
    assert.deepEqual(await mails(nobody), ['bob@example.test: 1']);
    await site.inTurn(['add_job', 'buyer', null, 0, `${id}`], ['run_jobs', 'buyer']);
    assert.deepEqual(await mails(nobody), [], 'once');

    await bobs.update(bob, { buys: true, expires_in: 3600 });
    await carols.update(carol, { expires_in: 80 * 86_400 });
    await noticed();
    await look();
    ahead += 2 * 3_600_000;
    await ended();
    assert.deepEqual(await mails(nobody), ['carol@example.test: 1']);
    assert.equal((await site.client('admin').claims.get(bob))!.state, 'expired');
  });
});

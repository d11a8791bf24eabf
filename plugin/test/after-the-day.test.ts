// What owners do with gifts and after the day, as far as it takes two presses at once, a file or the service.
// ThanksTest.php, ClosingTest.php, DeliveryTest.php and GotElsewhereTest.php have the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Answer, decoded, fieldsOf, words } from '../../dev/wordpress/site.ts';

const AUNT = 'aunt@example.org';

describeSite('after the day', {}, (site) => {
  const { alice } = site.visitors;

  /** A list with a gift that somebody has bought; the path of the gifts given. */
  async function given(): Promise<string> {
    const { id, items } = await site.list({}, 'Copper pan');
    const giver = { name: 'Aunt Ida', email: 'aunt@example.org' };
    await site.client('admin').registries.items.claims.create(id, items[0]!, { state: 'purchased', giver });
    return `/registries/${id}/given/`;
  }

  test('thanks go out once, however often the button is pressed', async () => {
    const path = await given();
    await alice.press(path, 'here');
    assert.match((await alice(path, { do: 'save' })).text, /Arrived.*Thanked[\s\S]*Copper pan.*yes.*no/);
    const form = await alice.form(path, 'write');
    await site.mails();
    const answers = await Promise.all([alice(path, form), alice(path, form), alice(path, form)]);
    answers.push(await alice(path, form));
    for (const { status } of answers) assert.equal(status, 303);
    assert.equal((await site.mails()).length, 1);
    const { text } = await alice(path);
    assert.equal(fieldsOf(text, 'write'), undefined);
    assert.match((await alice(path, { do: 'save' })).text, /Copper pan.*yes.*yes/);
  });

  test('the last day and the address for gifts go along in the owner’s file and personal data, and not in a copy', async () => {
    const [closes, delivery] = ['2026-06-20', 'Ann & Sam <3\nGartenweg 7\n\n12345 Zwiebelau'];
    const { details } = await site.list({ meta: { registry_event_date: '2026-05-30' } });
    await alice.press(details, 'change', { closes, delivery });
    const file = (await alice(details, { do: 'export', as: 'json' })).text;
    assert.deepEqual([JSON.parse(file).closes, JSON.parse(file).delivery], [closes, delivery]);
    const ours = JSON.stringify(await site.personalData('exporter', site.users.alice.email));
    assert.match(ours, /Closes on.*2026-06-20/);
    assert.match(ours, /Gartenweg/);
    const form = new FormData();
    form.set('do', 'import');
    form.set('file', new Blob([file], { type: 'application/json' }), 'list.json');
    const made = await alice('/registries/mine/', form);
    const at = async (made: Answer, part: string) => {
      const address = site.local(made.headers.get('location')!).replace('/gifts/', '/details/');
      return await alice.form(`${address}?part=${part}`, 'change');
    };
    assert.equal((await at(made, 'after')).closes, closes);
    assert.equal((await at(made, 'delivery')).delivery, delivery);
    const copied = await alice.press(`${details}?part=after`, 'copy');
    assert.equal((await at(copied, 'after')).closes, '');
    await alice.press(`${details}?part=after`, 'reopen');
    assert.match(decoded((await alice(details)).text), /Your list is open again/);
  });

  test('a gift that the owners have got elsewhere tells them nothing of a surprise: the same whatever was given', async () => {
    const seen = [];
    for (const count of [0, 2]) {
      const meta = { registry_invitees: [AUNT], registry_surprise_until: 'always' };
      const { id, gifts, give, items } = await site.list({ meta }, { name: 'Pan', quantity_needed: 3 });
      const aunt = await site.guest(id, AUNT);
      if (count) await aunt.press(give(), 'give', { giver: 'Aunt', count: `${count}` });
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
});

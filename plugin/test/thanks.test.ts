// An owner's thanks, written on the page of the gifts given and sent by mail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { basic, decoded, fieldsOf, formWith } from '../../dev/wordpress/site.ts';

describeSite('thanks by mail', {}, (site) => {
  const { alice } = site.visitors;

  const client = (user = site.users.alice) => site.client(user);
  let givers = 0;
  async function gift({ giver = 'Aunt Ida', email = `aunt${++givers}@example.org` } = {}) {
    const { id } = (await client().registries.create({ title: 'Ann & Sam', status: 'private' }))!;
    const { data } = (await client().registries.items.create(id, {
      name: 'Copper pan',
      url: 'https://shop.example/pan',
    }))!;
    const answer = await fetch(`${site.service.url}/registries/${id}/items/${data.id}/claims`, {
      method: 'POST',
      headers: { authorization: basic(site.users.admin), 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'purchased', giver: { name: giver, email } }),
    });
    const claim = (await answer.json()).id as string;
    return { id, claim, email, path: `/registries/${id}/given/`, field: `thanks-${claim}` };
  }
  const thankedAt = async (id: number) => (await client().registries.claims.list(id))!.claims[0]!.thanked_at;
  const formOf = async (path: string, by = alice) => fieldsOf((await by(path)).text, 'write');

  test('go to the giver with the gift filled in, and tick it', async () => {
    const { id, claim, email, path, field } = await gift();
    const form = (await formOf(path)) ?? assert.fail('no form');
    assert.equal(form.claim, claim);
    assert.match(form[field]!, /^Dear Aunt Ida,\s+thank you so much for “Copper pan”!/);
    await site.mails();
    const words = 'Dear Ida,\n\nit “simmers” & <shines>.\nCome to dinner!\n\nAnn';
    assert.equal((await alice(path, { ...form, [field]: words })).status, 303);
    const mails = await site.mails();
    assert.deepEqual(
      mails.map(({ to, subject }) => [to.replace(/[<>]/g, ''), subject]),
      [[email, 'Thank you for your gift']],
    );
    for (const line of words.split('\n')) assert.ok(mails[0]!.text.includes(line), line);
    assert.ok(mails[0]!.text.includes('“Ann & Sam”'));
    assert.ok(await thankedAt(id));
    const { text } = await alice(path);
    assert.match(text, /Your thanks are on their way to Aunt Ida/);
    assert.match(text, /Thanked ✓/);
    assert.equal(fieldsOf(text, 'write'), undefined);
    assert.match((await alice(path, { do: 'save' })).text, /Copper pan.*yes/);
  });

  test('stand beside the tick for what has arrived, which puts a gift on the shelf of those received', async () => {
    const { path, claim } = await gift();
    const shelf = (html: string) => decoded(html).split('<h2>Received</h2>')[1] ?? '';
    const before = (await alice(path)).text;
    assert.equal(shelf(before), '');
    const here = fieldsOf(before, 'here')!;
    const bob = await site.visit('bob');
    assert.notEqual((await bob(path, here)).status, 303);
    const answer = await alice(path, here);
    assert.equal(answer.headers.get('location')?.split('#')[1], `trousseau-claim-${claim}-here`);
    assert.equal((await alice(path, here)).status, 303, 'the second press');
    const after = (await alice(path)).text;
    assert.match(shelf(after), /Copper pan[\s\S]*Received ✓/);
    assert.match((await alice(path, { do: 'save' })).text, /Received.*Thanked[\s\S]*Copper pan.*yes.*no/);
    assert.match(decoded(after), /1 gift to say thank you for/);
    assert.equal((await alice(path, fieldsOf(after, 'not-here')!)).status, 303);
    assert.equal(shelf((await alice(path)).text), '');
  });

  test('go out once, however often the button is pressed', async () => {
    const { path } = await gift();
    const form = (await formOf(path))!;
    await site.mails();
    const answers = await Promise.all([alice(path, form), alice(path, form), alice(path, form)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.equal((await alice(path, form)).status, 303);
    assert.equal((await site.mails()).length, 1);
  });

  test('are not sent if they are empty or too long, and stay in the form', async () => {
    const { id, path, field } = await gift();
    const form = (await formOf(path))!;
    const long = 'x'.repeat(2001);
    for (const [words, why] of [
      ['', /Write a few words/],
      [long, /At most 2,000 characters/],
    ] as const) {
      const answer = await alice(path, { ...form, [field]: words });
      assert.equal(answer.status, 422);
      assert.match(answer.text, why);
      assert.match(answer.text, /trousseau-thanks" open/);
      assert.equal(fieldsOf(answer.text, 'write')![field], words);
    }
    assert.equal(await thankedAt(id), null);
    assert.deepEqual(await site.mails(), []);
  });

  test('don’t go to somebody who wants no mails, and the owner is told', async () => {
    const { id, email, path } = await gift();
    const stop = `/registries/no-mail/?of=${encodeURIComponent(await site.sealed('no-mail', email))}`;
    const giver = await site.visit();
    assert.equal((await giver(stop, formWith((await giver(stop)).text, 'name="do"')!)).status, 303);
    const answer = await alice(path, (await formOf(path))!);
    assert.equal(answer.status, 422);
    assert.match(decoded(answer.text), /wants no more mails from this site/);
    assert.equal(await thankedAt(id), null);
    assert.deepEqual(await site.mails(), []);
  });

  test('have a limit, also after “Undo”', async () => {
    const { claim, path } = await gift();
    const form = (await formOf(path))!;
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) {
      statuses.push((await alice(path, form)).status);
      await alice(path, { do: 'not-thanked', claim });
    }
    assert.deepEqual(statuses, [303, 303, 303, 422]);
    assert.equal((await site.mails()).length, 3);
  });

  test('are the owners’ alone, and wait for the end of a surprise', async () => {
    const { id, claim, path, field } = await gift();
    const form = { do: 'write', claim, [field]: 'Thank you!' };
    for (const by of [await site.visit(), await site.visit('carol')])
      assert.notEqual((await by(path, form)).status, 303);
    const other = await gift();
    assert.equal((await alice(other.path, form)).status, 303, 'no gift of that list');
    await site.setPostMeta(id, { registry_surprise_until: 'always' });
    assert.equal(await formOf(path), undefined);
    await alice(path, form);
    assert.deepEqual(await site.mails(), []);
    await site.setPostMeta(id, { registry_surprise_until: '' });
    assert.equal(await thankedAt(id), null);
  });
});

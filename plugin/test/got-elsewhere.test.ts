// Gifts that the owners of a list have got elsewhere: nobody chooses one any more, and guests who have are told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { basic, decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

const AUNT = 'aunt@example.org';

describeSite('a gift that the owners have got elsewhere', {}, (site) => {
  const { alice } = site.visitors;
  let aunt: Visitor;

  const client = (user = site.users.alice) => site.client(user);
  const local = (link: string) => link.replace(new URL(link).origin, '');
  /** A list with three pans, and a guest who has opened the invitation. */
  async function list(surprise = '', quantity_needed = 3) {
    const meta = { registry_invitees: [AUNT], registry_surprise_until: surprise };
    const { id, permalink } = (await client().registries.create({
      title: 'Ann & Sam',
      status: 'private',
      meta,
    }))!;
    await client().registries.items.create(id, {
      name: 'Pan',
      url: 'https://shop.example/pan',
      quantity_needed,
    });
    const [item] = await site.itemIds(id);
    aunt = await site.visit();
    assert.equal((await aunt(local(await site.guestLink(id, AUNT)), { do: 'open' })).status, 303);
    const gifts = `/registries/${id}/gifts/`;
    return {
      ...{ id, item: item!, gifts, path: local(permalink) },
      give: `/registries/${id}/give/?item=${item}`,
      form: `${gifts}?item=${item}`,
    };
  }
  async function give(at: string, count: number) {
    await aunt.press(at, 'give', { giver: 'Aunt', count: String(count) });
    return local(/https?:\S*\/gift\/\S*/.exec((await site.mails()).at(-1)!.text)![0]);
  }
  const press = async (form: string, action: 'got' | 'not-got') => {
    const answer = await alice(form, fieldsOf((await alice(form)).text, action)!);
    assert.equal(answer.status, 303, answer.text);
  };
  const mails = async () => {
    await site.makeDue('mail', 0.02);
    await site.runJobs('mail');
    return (await site.mails()).map(({ to, subject }) => [to.replace(/[<>]/g, ''), subject]);
  };
  const stored = (item: number) =>
    fetch(`${site.service.url}/items/${item}`, { headers: { authorization: basic(site.users.admin) } }).then(
      async (answer) => (await answer.json()).data.quantity_purchased as number,
    );

  test('can be chosen by nobody, also after a guest has changed their mind, and is open again at a press', async () => {
    const { item, gifts, form, give: at, path } = await list();
    const gift = await give(at, 1);
    const opened = await aunt.form(at, 'give');
    await press(form, 'got');
    await press(form, 'not-got');
    assert.equal(await stored(item), 1, 'as before');
    assert.match((await aunt(path)).text, /2 of 3 still needed/);

    await press(form, 'got');
    assert.match(decoded((await alice(gifts)).text), /got elsewhere/);
    const page = decoded((await aunt(path)).text);
    assert.match(page, /They have this already/);
    assert.doesNotMatch(page, /\/give\//);
    assert.match(decoded((await aunt(at)).text), /They have this already\. Maybe something else/);
    const early = await aunt(at, { ...opened, giver: 'Aunt', count: '1' });
    assert.match(decoded(early.text), /They have this already\. Maybe something else/);
    assert.equal((await aunt(gift, { do: 'release' })).status, 303);
    assert.ok((await stored(item)) >= 3, 'what is released isn’t free');
    await press(form, 'not-got');
    assert.equal(await stored(item), 0);
    assert.match((await aunt(path)).text, /3 of 3 still needed/);
    await give(at, 3);
  });

  test('may be one of which guests give any number', async () => {
    const { item, form, give: at, path } = await list('', 2_147_483_647);
    const gift = await give(at, 2);
    await press(form, 'got');
    assert.match(decoded((await aunt(path)).text), /They have this already/);
    assert.equal((await aunt(gift, { do: 'release' })).status, 303);
    assert.match(decoded((await aunt(at)).text), /They have this already\. Maybe something else/);
    assert.doesNotMatch((await aunt(path)).text, /\/give\//);
    await press(form, 'not-got');
    assert.equal(await stored(item), 0);
    await give(at, 2);
  });

  test('tells its givers a quarter of an hour later, unless the owner thinks again', async () => {
    await mails();
    const { form, give: at } = await list();
    await give(at, 2);
    await press(form, 'got');
    assert.deepEqual(await site.mails(), []);
    await press(form, 'not-got');
    assert.deepEqual(await mails(), []);
    await press(form, 'got');
    assert.deepEqual(await mails(), [[AUNT, 'They have “2 × Pan” from elsewhere now']]);
    assert.deepEqual(await mails(), []);
  });

  test('tells a surprised owner nothing: the same whatever was given', async () => {
    const seen = [];
    for (const count of [0, 2]) {
      const { item, form, gifts, give: at } = await list('always');
      if (count) await give(at, count);
      await press(form, 'got');
      const [page, edited] = await Promise.all([alice(gifts), alice(form)]);
      const asOwner = (await client().items.get(item))!;
      seen.push([
        asOwner.quantity_purchased,
        ...[page, edited].map(({ text }) =>
          decoded(/<main[\s\S]*<\/main>/.exec(text)![0].replace(/<[^>]*>/g, ' ')),
        ),
      ]);
    }
    assert.deepEqual(seen[0], seen[1]);
  });
});

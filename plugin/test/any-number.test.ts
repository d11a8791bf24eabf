// Gifts of which guests give as many as they like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

describeSite('a gift of any number', {}, (site) => {
  const { alice, bob } = site.visitors;

  const client = () => site.client();
  /** A list with book tokens, any number of them. */
  async function list(meta: object = {}) {
    const all = { registry_invitees: ['bob', 'carol'], registry_currency: 'EUR', ...meta };
    const { id, gifts, path } = await site.list({ title: 'Us', meta: all });
    await alice.press(`${gifts}?by-hand=1`, 'add', { name: 'Book tokens', any_number: '1' }, gifts);
    const item = (await client().registries.items.list(id))![0]!.id;
    return { id, gifts, item, path, give: `/registries/${id}/give/?item=${item}` };
  }
  async function give(visitor: Visitor, { give }: { give: string }, count: number, state = 'purchased') {
    return visitor.send(give, 'give', { count: String(count), state });
  }
  const words = async (visitor: Visitor, path: string) => decoded((await visitor(path)).text);

  test('guests may always give more, and read no number; the owner reads how many are given', async () => {
    const tokens = await list();
    const carol = await site.visit('carol');
    assert.match(await words(alice, tokens.gifts), /Any number, 0 given so far/);
    await site.mails();
    for (const [visitor, count] of [
      [bob, 3],
      [carol, 1000],
    ] as const) {
      const answer = await give(visitor, tokens, count);
      assert.equal(answer.status, 303, answer.text);
      assert.doesNotMatch(await words(visitor, tokens.path), /\d needed|all of them|Given/);
      const page = await words(visitor, tokens.path);
      assert.match(page, /<p class="trousseau-need">As many as you like<\/p>/);
      assert.doesNotMatch(page, /2[,. {2}]?147/);
    }
    const dora = await words(alice, tokens.give);
    assert.match(dora, /As many as you like/);
    assert.doesNotMatch(dora, /\d needed|still needed|2147/);
    assert.match(await words(alice, tokens.gifts), /Any number, 1,003 given so far/);
    const mails = await site.mails();
    assert.ok(mails.length > 0);
    for (const { text } of mails) assert.doesNotMatch(text, /more (is|are) needed|Nobody else|2,?147/);
  });

  test('a surprised owner’s pages are the same before and after somebody gives', async () => {
    const tokens = await list({ registry_surprise_until: '2099-01-01' });
    const seen = async () =>
      (
        await Promise.all(
          [tokens.gifts, `${tokens.gifts}?item=${tokens.item}`, tokens.path].map((at) => words(alice, at)),
        )
      )
        .join('\n')
        .replace(/name="(opened|key|since)" value="[^"]*"/g, '');
    await seen();
    const before = await seen();
    assert.match(before, /Any number/);
    assert.doesNotMatch(before, /\d given/);
    assert.equal((await give(bob, tokens, 3)).status, 303);
    assert.equal(await seen(), before);
  });

  test('nobody takes all of them: a thousand at once, when giving and when changing it', async () => {
    const tokens = await list();
    const refused = await give(bob, tokens, 1001);
    assert.equal(refused.status, 422);
    assert.match(decoded(refused.text), /Up to 1,000\./);
    assert.equal((await give(bob, tokens, 5, 'reserved')).status, 303);
    const mine = /href="([^"]*\/gift\/[^"]*)"/.exec((await bob(tokens.path)).text);
    assert.ok(mine, 'a way to the gift');
    const at = decoded(mine[1]!).replace(site.url, '');
    const form = await bob.form(at, 'change');
    assert.equal((await bob(at, { ...form, count: '1001' })).status, 422);
    assert.equal((await bob(at, { ...form, count: '12' })).status, 303);
    assert.match(await words(alice, tokens.gifts), /Any number, 12 given so far/);
  });

  test('the owner may name a number later, and back; a copy of the list has it, too', async () => {
    const tokens = await list();
    const page = `${tokens.gifts}?item=${tokens.item}`;
    const form = await alice.form(page, 'change');
    assert.deepEqual([form.quantity, form.any_number], ['1', '1']);
    const { any_number: _, ...rest } = form;
    assert.equal((await alice(page, { ...rest, quantity: '12' })).status, 303);
    assert.match(await words(bob, tokens.path), /12 needed/);
    await alice.press(page, 'change', { any_number: '1' });
    assert.match(await words(bob, tokens.path), /As many as you like/);
    const details = `/registries/${tokens.id}/details/?part=after`;
    const copied = await alice(details, await alice.form(details, 'copy'));
    assert.equal(copied.status, 303);
    assert.match(
      await words(alice, copied.headers.get('location')!.replace(site.url, '')),
      /Any number, 0 given so far/,
    );
  });

  test('several pay for a number of pieces only, and nothing that was typed is lost', async () => {
    const { gifts } = await list();
    const form = await alice.form(`${gifts}?by-hand=1`, 'add');
    const typed = { name: 'Pram', price: '400', several: '1', pay_to: 'in an envelope', any_number: '1' };
    const refused = await alice(gifts, { ...form, ...typed });
    assert.equal(refused.status, 422);
    assert.match(
      refused.text,
      /id="trousseau-any_number-fault"[^>]*>A group gift needs a fixed number\. Choose one or the other/,
    );
    const shown = fieldsOf(refused.text, 'add')!;
    for (const [name, value] of Object.entries(typed)) assert.equal(shown[name], value, name);
  });
});

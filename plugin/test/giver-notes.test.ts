// A giver's own notes on what they have bought, wrapped or given: they order their page of gifts, and nobody else sees them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { inSeconds } from '../../dev/wordpress/set-up.ts';
import { decoded, fieldsOf } from '../../dev/wordpress/site.ts';

const AUNT = 'aunt@example.org';
const MINE = '/registries/my-gifts/';

describeSite('a giver’s own notes', {}, (site) => {
  const { alice: owner, nobody: aunt } = site.visitors;
  let id: number;
  /** The page of a gift that the aunt has chosen. */
  const gifts: Record<string, string> = {};
  before(async () => {
    const client = site.client();
    const meta = { registry_invitees: [AUNT] };
    ({ id } = (await client.registries.create({ title: 'Ann & Sam', status: 'private', meta }))!);
    assert.equal((await aunt(local(await site.guestLink(id, AUNT)), { do: 'open' })).status, 303);
    for (const name of ['Pan', 'Sieve', 'Ladle']) {
      await client.registries.items.create(id, { name, url: `https://shop.example/${name}` });
      const at = `/registries/${id}/give/?item=${(await site.itemIds(id)).at(-1)}`;
      await aunt.press(at, 'give', { giver: 'Aunt' });
      gifts[name] = local(/https?:\S*\/gift\/\S*/.exec((await site.mails()).at(-1)!.text)![0]);
    }
  });

  const local = (link: string) => link.replace(new URL(link).origin, '');
  /** Presses the button with these words on a gift's page. */
  const press = async (gift: string, words: string) => {
    const form = [...(await aunt(gift)).text.matchAll(/<form[\s\S]*?<\/form>/g)].find(([html]) =>
      decoded(html).includes(words),
    );
    assert.ok(form, `“${words}” is a button`);
    const { text, status } = await aunt(
      gift,
      fieldsOf(form[0], /name="do" value="([^"]+)"/.exec(form[0])![1]!)!,
    );
    assert.equal(status, 303, text);
  };
  /** The headings of the page with the gifts under each. */
  const board = (html: string) =>
    Object.fromEntries(
      [...decoded(html).matchAll(/<h2>([^<]+)<\/h2>\s*<ul class="trousseau-rows"([\s\S]*?)<\/ul>/g)].map(
        ([, heading, rows]) => [heading, [...rows!.matchAll(/<strong>([^<]+)/g)].map(([, name]) => name)],
      ),
    );

  test('order one’s gifts by how far they are, on every device', async () => {
    assert.deepEqual(Object.keys(board((await aunt(MINE)).text)), ['To buy or send']);
    await press(gifts.Sieve!, 'I’ve bought it');
    await press(gifts.Ladle!, 'I’ve bought it');
    await press(gifts.Ladle!, 'I’ve wrapped it');
    const expected = { 'To buy or send': ['Pan'], 'Bought or sent': ['Sieve'], Wrapped: ['Ladle'] };
    assert.deepEqual(board((await aunt(MINE)).text), expected);
    const other = await site.visit();
    const byMail = `${MINE}?of=${await site.sealed('my-gifts', `${inSeconds(3600)} ${AUNT}`)}`;
    assert.deepEqual(board((await other(byMail)).text), expected);

    await press(gifts.Ladle!, 'I’ve given it');
    assert.match(decoded((await aunt(gifts.Ladle!)).text), /You’ve given it|Only you can see this/);
    assert.deepEqual(board((await aunt(MINE)).text).Given, ['Ladle']);
    await press(gifts.Ladle!, 'I haven’t given it yet');
    assert.deepEqual(board((await aunt(MINE)).text)['Bought or sent'], ['Ladle', 'Sieve']);
    await press(gifts.Ladle!, 'I’ve wrapped it');
  });

  test('are for what is bought only, and go with the gift', async () => {
    const early = await aunt(gifts.Pan!, { do: 'note', note: 'wrapped' });
    assert.equal(early.status, 422);
    assert.match(early.text, /your gift has changed/);
    assert.equal(
      (await aunt(gifts.Ladle!, { do: 'note', note: 'eaten' })).status,
      303,
      'no note is as good as none',
    );
    assert.deepEqual(board((await aunt(MINE)).text)['Bought or sent'], ['Ladle', 'Sieve']);
    await press(gifts.Ladle!, 'I’ve wrapped it');
    await press(gifts.Ladle!, 'Cancel my gift');
    assert.equal((await aunt(gifts.Ladle!, { do: 'note', note: 'given' })).status, 422);
    assert.deepEqual(board((await aunt(MINE)).text)['No longer yours'] ?? [], []);
  });

  test('are seen by nobody else: owners find the gift as bought', async () => {
    await press(gifts.Sieve!, 'I’ve wrapped it');
    const given = decoded((await owner(`/registries/${id}/given/`)).text);
    assert.match(given, /Sieve/);
    assert.doesNotMatch(given, /wrapped/i);
    const stranger = await site.visit();
    assert.deepEqual(board((await stranger(MINE)).text), {});
  });
});

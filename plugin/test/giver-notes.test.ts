// A giver's own notes on what they have bought, wrapped or given: they order their page of gifts, and nobody else sees them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient } from 'trousseau-client';
import { guestLink, inSeconds, itemIds, sealed } from '../../dev/wordpress/set-up.ts';
import { complaints, decoded, fieldsOf, type Visitor, visit } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

const AUNT = 'aunt@example.org';
const MINE = '/registries/my-gifts/';

describe('a giver’s own notes', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let owner: Visitor;
  let aunt: Visitor;
  let id: number;
  /** The page of a gift that the aunt has chosen. */
  const gifts: Record<string, string> = {};
  before(async () => {
    site = await startWholeSite();
    owner = await visit(site, site.users.alice);
    const client = createClient({ env: {}, baseUrl: site.service.url, ...site.users.alice });
    const meta = { registry_invitees: [AUNT] };
    ({ id } = (await client.registries.create({ title: 'Ann & Sam', status: 'private', meta }))!);
    aunt = await visit(site, null);
    assert.equal((await aunt(local(await guestLink(site, id, AUNT)), { do: 'open' })).status, 303);
    for (const name of ['Pan', 'Sieve', 'Ladle']) {
      await client.registries.items.create(id, { name, url: `https://shop.example/${name}` });
      const at = `/registries/${id}/give/?item=${(await itemIds(site, id)).at(-1)}`;
      const form = fieldsOf((await aunt(at)).text, 'give')!;
      assert.equal((await aunt(at, { ...form, giver: 'Aunt' })).status, 303);
      gifts[name] = local(/https?:\S*\/gift\/\S*/.exec((await site.mails()).at(-1)!.text)![0]);
    }
  });
  after(() => site?.stop());

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
    assert.deepEqual(Object.keys(board((await aunt(MINE)).text)), ['To buy or to send']);
    await press(gifts.Sieve!, 'I’ve bought it');
    await press(gifts.Ladle!, 'I’ve bought it');
    await press(gifts.Ladle!, 'It’s wrapped');
    const expected = { 'To buy or to send': ['Pan'], 'Bought or sent': ['Sieve'], Wrapped: ['Ladle'] };
    assert.deepEqual(board((await aunt(MINE)).text), expected);
    const other = await visit(site, null);
    const byMail = `${MINE}?of=${await sealed(site, 'my-gifts', `${inSeconds(3600)} ${AUNT}`)}`;
    assert.deepEqual(board((await other(byMail)).text), expected);

    await press(gifts.Ladle!, 'I’ve given it');
    assert.match(decoded((await aunt(gifts.Ladle!)).text), /You’ve given it|Only you see this/);
    assert.deepEqual(board((await aunt(MINE)).text).Given, ['Ladle']);
    await press(gifts.Ladle!, 'Not given yet');
    assert.deepEqual(board((await aunt(MINE)).text)['Bought or sent'], ['Ladle', 'Sieve']);
    await press(gifts.Ladle!, 'It’s wrapped');
  });

  test('are for what is bought only, and go with the gift', async () => {
    const early = await aunt(gifts.Pan!, { do: 'note', note: 'wrapped' });
    assert.equal(early.status, 422);
    assert.match(early.text, /your gift has changed in the meantime/);
    assert.equal(
      (await aunt(gifts.Ladle!, { do: 'note', note: 'eaten' })).status,
      303,
      'no note is as good as none',
    );
    assert.deepEqual(board((await aunt(MINE)).text)['Bought or sent'], ['Ladle', 'Sieve']);
    await press(gifts.Ladle!, 'It’s wrapped');
    await press(gifts.Ladle!, 'Cancel my gift');
    assert.equal((await aunt(gifts.Ladle!, { do: 'note', note: 'given' })).status, 422);
    assert.deepEqual(board((await aunt(MINE)).text)['No longer yours'] ?? [], []);
  });

  test('are seen by nobody else: owners find the gift as bought', async () => {
    await press(gifts.Sieve!, 'It’s wrapped');
    const given = decoded((await owner(`/registries/${id}/given/`)).text);
    assert.match(given, /Sieve/);
    assert.doesNotMatch(given, /wrapped/i);
    const stranger = await visit(site, null);
    assert.deepEqual(board((await stranger(MINE)).text), {});
    assert.deepEqual(complaints(site), []);
  });
});

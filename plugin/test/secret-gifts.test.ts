// Gifts that aren't on a list: guests tell each other, and the owners read them once no surprise conceals them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, formWith, type Visitor } from '../../dev/wordpress/site.ts';

const AUNT = 'aunt@example.org';
const SECRET = 'A weekend by the sea';

describeSite('gifts that aren’t on the list', {}, (site) => {
  const { alice, bob } = site.visitors;

  const client = () => site.client();
  async function list({ on = true, surprise = 'always', status = 'private' as 'private' | 'publish' } = {}) {
    const meta = { registry_invitees: [AUNT, 'bob'], registry_surprise_until: surprise };
    const { id, path, ...made } = await site.list({ status, meta });
    const details = `${made.details}?part=privacy`;
    if (on) {
      const form = await alice.form(details, 'change');
      assert.equal((await alice(details, { ...form, extras: 'yes' })).status, 303);
      assert.equal((await alice.form(details, 'change')).extras, 'yes');
    }
    const aunt = await site.guest(id, AUNT);
    return { id, details, aunt, path, page: `/registries/${id}/secret/` };
  }
  const add = async (visitor: Visitor, page: string, fields: Record<string, string>) =>
    visitor.send(page, 'add', { ...fields });
  const main = async (visitor: Visitor, path: string) =>
    decoded(/<main[\s\S]*<\/main>/.exec((await visitor(path)).text)![0].replace(/<[^>]*>/g, ' '));

  test('are seen by the other guests, and taken back by their giver alone', async () => {
    const { page, aunt, path, id } = await list();
    assert.match(await main(aunt, path), /Gifts not on the list/);
    assert.match(await main(aunt, page), /can’t see this\.[\s\S]*Nothing here yet/);
    for (const fields of [
      { text: '', giver: 'Aunt Ida' },
      { text: SECRET, giver: '' },
      { text: 'x'.repeat(201), giver: 'Aunt Ida' },
    ])
      assert.equal((await add(aunt, page, fields)).status, 422);
    assert.equal((await add(aunt, page, { text: SECRET, giver: 'Aunt Ida' })).status, 303);
    assert.equal((await add(aunt, page, { text: SECRET, giver: 'Aunt Ida' })).status, 303);
    assert.match(await main(bob, page), /A weekend by the sea\s+from \S?Aunt Ida/);
    assert.equal((await main(bob, page)).match(/weekend/g)?.length, 1, 'the same text is there once');
    assert.doesNotMatch(JSON.stringify(await site.postMeta(id, '_trousseau_secret_gifts')), /sea|Ida/);

    assert.equal(formWith((await bob(page)).text, 'value="remove"'), undefined);
    const back = formWith((await aunt(page)).text, 'value="remove"')!;
    await bob(page, back);
    assert.match(await main(bob, page), /weekend/, 'another guest’s press');
    assert.equal((await aunt(page, back)).status, 303);
    assert.doesNotMatch(await main(bob, page), /weekend/);
  });

  test('are read by the owners only when no surprise conceals them', async () => {
    for (const keeps of ['all', 'names']) {
      const { id, page, aunt, path } = await list();
      await site.setPostMeta(id, { registry_surprise_keeps: keeps });
      const pages = ['gifts', 'guests', 'given', 'details'].map((name) => `/registries/${id}/${name}/`);
      const seen = () => Promise.all([path, ...pages].map((at) => main(alice, at)));
      const before = await seen();
      assert.equal((await add(aunt, page, { text: SECRET, giver: 'Aunt Ida' })).status, 303);
      assert.deepEqual(await seen(), before);
      const denied = await alice(page);
      assert.doesNotMatch(denied.text, /weekend/);
      assert.notEqual((await alice(page, { do: 'add', text: 'Mine', giver: 'Alice' })).status, 303);
      for (const route of [`/wp-json/wp/v2/registry/${id}?context=edit`, `/registries/${id}/details/`])
        assert.doesNotMatch((await alice(route, undefined)).text, /weekend/);

      await site.setPostMeta(id, { registry_surprise_until: '2020-01-01' });
      assert.match(
        await main(alice, pages[2]!),
        /Gifts not on your list\s+\S?Aunt Ida\S?\s+\S?A weekend by the sea/,
      );
      assert.match(await main(aunt, page), /The owners can see this, too/);
    }
  });

  test('are for guests alone, and off until the owners want them', async () => {
    const off = await list({ on: false });
    assert.doesNotMatch(await main(off.aunt, off.path), /aren’t on the list/);
    assert.match(await main(off.aunt, off.page), /only give what’s on it/);
    assert.notEqual((await off.aunt(off.page, { do: 'add', text: SECRET, giver: 'Ida' })).status, 303);

    const { page, aunt, path, id } = await list({ status: 'publish' });
    assert.equal((await add(aunt, page, { text: SECRET, giver: 'Aunt Ida' })).status, 303);
    const stranger = await site.visit();
    assert.doesNotMatch(await main(stranger, path), /weekend|aren’t on the list/);
    assert.match(await main(stranger, page), /this page is for guests/);
    assert.notEqual((await stranger(page, { do: 'add', text: SECRET, giver: 'X' })).status, 303);
    assert.match(JSON.stringify(await site.personalData('exporter', AUNT)), /Gifts not on the list.*weekend/);
    // A guest who is taken off the list takes theirs along.
    await client().registries.update(id, { meta: { registry_invitees: ['bob'] } });
    assert.doesNotMatch(await main(bob, page), /weekend/);
    assert.match(await main(aunt, page), /this page is for guests/);
  });

  test('are limited for one guest, and no more are added once the list is closed', async () => {
    const { page, aunt, details } = await list({ surprise: '' });
    for (let n = 1; n <= 10; n++)
      assert.equal((await add(aunt, page, { text: `Gift ${n}`, giver: 'Ida' })).status, 303);
    const more = await add(aunt, page, { text: 'Gift 11', giver: 'Ida' });
    assert.equal(more.status, 422);
    assert.match(more.text, /There’s no room for more here/);
    assert.match(more.text, /value="Gift 11"/);
    const opened = await bob.form(page, 'add');
    await alice.press(details.replace('privacy', 'after'), 'change', { closes: '2026-01-01' });
    await bob(page, { ...opened, text: 'Too late' });
    assert.doesNotMatch(await main(bob, page), /Too late/);
  });
});

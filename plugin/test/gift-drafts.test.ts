// Gifts that only a list's owners see until they publish them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { basic, decoded, fieldsOf } from '../../dev/wordpress/site.ts';

type Fields = Record<string, string>;
const SECRETS = ['Quokkapan', 'Numbatshop', 'Wombatwords', 'Dingoheading'];
const SECRET = {
  ...{ name: SECRETS[0]!, retailer: SECRETS[1]!, description: SECRETS[2]!, section: SECRETS[3]! },
  address: 'https://shop.example/quokkapan-28',
};

describeSite('drafts of gifts', {}, (site) => {
  const { alice, bob } = site.visitors;

  const client = () => site.client();
  /** A list that alice and bob own. */
  async function list(names: string[] = [], fields: object = {}, meta: object = {}) {
    const all = { registry_owners: ['bob'], registry_currency: 'EUR', ...meta };
    return site.list({ title: 'Us', meta: all, ...fields }, ...names);
  }
  const items = async (id: number) => (await client().registries.items.list(id))!;
  const names = async (id: number) => (await items(id)).map(({ name }) => name);
  const drafts = (id: number): Promise<string[]> => site.call('gift-drafts.names', id);
  const ids = async (id: number): Promise<string[]> => (await site.call('gift-drafts.ids', id)).map(String);
  async function keep(gifts: string, fields: Fields, visitor = alice) {
    const form = { ...(await visitor.form(`${gifts}?by-hand=1`, 'add')), draft: '1', ...fields };
    return { form, answer: await visitor(gifts, form) };
  }
  async function kept(gifts: string, fields: Fields) {
    const { answer } = await keep(gifts, fields);
    assert.equal(answer.status, 303, answer.text);
  }
  const publish = (gifts: string, chosen: string[], visitor = alice) => {
    const form = new FormData();
    form.set('do', 'publish');
    for (const id of chosen) form.append('drafts[]', id);
    return visitor(gifts, form);
  };

  test('a draft shows on its owners’ page, and nowhere else', async () => {
    const { id, gifts, path } = await list(['Pan'], { status: 'publish' });
    const stranger = await site.visit();
    const before = (await stranger(path)).text;
    await kept(gifts, { ...SECRET, most_wanted: '1' });
    for (const owner of [alice, bob]) {
      const page = decoded((await owner(gifts)).text);
      assert.match(page, /1 draft.*Quokkapan.*★ Most wanted.*Dingoheading.*Numbatshop/s);
    }
    const carol = await site.visit('carol');
    assert.equal((await carol(gifts)).status, 403);

    const seen: Record<string, string> = {};
    for (const [who, visitor] of Object.entries({ stranger, carol, alice })) {
      for (const at of [
        path,
        `${path}feed/`,
        '/registry/',
        '/registry/feed/',
        '/?s=Quokkapan&feed=rss2',
        '/wp-sitemap.xml',
      ]) {
        const { text } = await visitor(at);
        // A feed of results repeats the word that was looked for.
        seen[`${who} ${at}`] = at.includes('?s=') ? [...text.matchAll(/<item>.*?<\/item>/gs)].join() : text;
      }
    }
    for (const who of ['alice', 'carol', 'admin'] as const) {
      const asked = ['', '?context=edit', '/../search?search=Quokkapan'].filter(
        (query) => who === 'alice' || !query.includes('edit'),
      );
      for (const query of asked)
        seen[`REST ${who} ${query}`] = (
          await site.rest(
            who,
            'GET',
            query.startsWith('/') ? '/wp/v2/search?search=Quokkapan' : `/wp/v2/registry/${id}${query}`,
          )
        ).text;
      for (const at of [
        `/registries/${id}`,
        `/registries/${id}/items`,
        `/registries/${id}/events`,
        '/items',
      ]) {
        const answer = await site.service.fetch(at, { headers: { authorization: basic(site.users[who]) } });
        seen[`service ${who} ${at}`] = await answer.text();
      }
    }
    seen.file = (await alice(`/registries/${id}/details/`, { do: 'export', as: 'json' })).text;
    for (const table of ['postmeta', 'posts', 'options', 'trousseau_jobs', 'trousseau_values'])
      seen[table] = JSON.stringify(await site.rows(table));
    for (const [where, text] of Object.entries(seen))
      for (const word of [...SECRETS, 'quokkapan-28']) assert.ok(!text.includes(word), `${word}: ${where}`);
    assert.ok(seen.postmeta!.includes('_trousseau_drafts'), 'this is where it is kept');
    const plain = (html: string) =>
      html.replace(/<script.*?<\/script>|value="[^"]*"|data-visitor="[^"]*"/gs, '');
    assert.equal(plain((await stranger(path)).text), plain(before), 'strangers’ page is as it was');
    assert.match(JSON.stringify(await site.personalData('exporter', site.users.alice.email)), /Quokkapan/);
  });

  test('a gift from a shop’s page can be kept as a draft; a picture of one’s own can’t, and says so', async () => {
    const { id, gifts } = await list();
    const facts = { name: 'Kettle', address: 'https://shop.example/kettle', price: '12.50', currency: 'EUR' };
    const found = fieldsOf((await alice(gifts, { do: 'offer', ...facts })).text, 'add')!;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...found, draft: '1' })) form.set(name, value);
    form.set('upload', new File(['x'], 'us.png', { type: 'image/png' }));
    const refused = await alice(gifts, form);
    assert.equal(refused.status, 422);
    assert.match(decoded(refused.text), /Drafts can’t have a picture of your own/);
    const again = fieldsOf(refused.text, 'add')!;
    assert.equal((await alice(gifts, { ...again, draft: '1' })).status, 303);
    assert.equal((await publish(gifts, await ids(id))).status, 303);
    const [kettle] = await items(id);
    assert.deepEqual([kettle!.name, kettle!.url, Number(kettle!.price)], ['Kettle', facts.address, 12.5]);
  });

  test('pressed twice, by two owners at once, each gift comes once; and a form sent twice makes one draft', async () => {
    const { id, gifts } = await list();
    const { form } = await keep(gifts, { name: 'A' });
    assert.equal((await alice(gifts, form)).status, 303);
    await kept(gifts, { name: 'B' });
    assert.deepEqual(await drafts(id), ['A', 'B']);
    const chosen = await ids(id);
    const answers = await Promise.all([publish(gifts, chosen), publish(gifts, chosen, bob)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    assert.equal((await publish(gifts, chosen)).status, 303);
    assert.deepEqual(await names(id), ['A', 'B']);
    assert.deepEqual(await drafts(id), []);

    const forms: Fields[] = [];
    for (const n of [0, 1, 2])
      forms.push({ ...(await alice.form(`${gifts}?by-hand=1`, 'add')), draft: '1', name: `At once ${n}` });
    await Promise.all(forms.map((form) => alice(gifts, form)));
    assert.equal((await drafts(id)).length, 3);
  });
});

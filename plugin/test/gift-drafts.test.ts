// Gifts that only a list's owners see until they publish them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, fieldsOf } from '../../dev/wordpress/site.ts';

type Fields = Record<string, string>;
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

  test('a gift from a shop’s page can be kept as a draft; a picture of one’s own can’t, and says so', async () => {
    const { id, gifts, details } = await list();
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
    const saved = await alice(details, { do: 'export', as: 'json' });
    assert.deepEqual(saved.json.items, []);
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

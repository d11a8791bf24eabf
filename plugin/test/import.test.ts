// A list taken along to another site, and taken in there piece by piece, with the service as it ships.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { startGate } from '../../dev/wordpress/gate.ts';
import {
  bringList,
  decoded,
  formWithFile,
  listIn,
  type Reply,
  recordingService,
} from '../../dev/wordpress/site.ts';

const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));

describeSite('a list that comes along', {}, (site) => {
  const { alice } = site.visitors;
  site.startWith(() => ({ muPlugins: ['clock'] }));

  const gift = (n: number, fields = {}) => ({
    name: `Wish ${n}`,
    url: `https://shop.example/${n}`,
    ...fields,
  });
  const file = (items: unknown[], fields = {}) => ({
    ...{ format: 'trousseau-registry-1', title: 'From afar', story: 'Once <b>elsewhere</b>', items },
    ...fields,
  });
  const bring = (data: unknown) => bringList(alice, data);
  const names = async (id: number) =>
    (await site.client().registries.items.list(id))!.map(({ name }) => name);
  const said = async (id: number) => decoded((await alice(`/registries/${id}/gifts/`)).text);
  const kept = (id: number) => site.hasJob('import', id);
  const goOn = (id: number, seconds: number) =>
    site.inTurn(['make_due', 'import'], ['import.advance', id, seconds]);

  test('nobody can take the keys of an import before it begins', async () => {
    const bob = await site.visit('bob');
    const { id } = (await site.client('bob').registries.create({ title: 'Spoilers' }))!;
    const path = `/registries/${id}/gifts/`;
    const form = await bob.form(`${path}?by-hand=1`, 'add');
    for (let next = id + 1; next < id + 6; next++)
      assert.equal((await bob(path, { ...form, name: 'Spoiler', key: `import-${next}-0` })).status, 303);
    const taken = listIn(await bring(file([gift(1), gift(2)])));
    assert.ok(taken < id + 6, `${taken} is one of those numbers`);
    assert.deepEqual(await names(taken), ['Wish 1', 'Wish 2']);
  });

  test('everything that is saved is there again: gifts, headings, order, words, picture, guests by address', async () => {
    const { id, gifts, details } = await site.list({
      story: 'We <met> on a train & stayed.',
      meta: {
        ...{ registry_event_type: 'Wedding', registry_event_date: '2030-05-30', registry_currency: 'EUR' },
        ...{ registry_surprise_until: 'always', registry_invitees: ['bob', 'aunt@example.org'] },
      },
    });
    const pan = { name: 'Pan <1>', price: '24.50', section: 'Kitchen', description: 'Copper, "if" you can' };
    for (const fields of [
      { ...pan, quantity: '3', most_wanted: '1' },
      { name: 'Towels', section: 'Bath' },
      { name: 'Kettle', section: 'Kitchen' },
      { name: 'Pram', price: '400', several: '1', pay_to: 'Ann & Sam <3, at home', section: 'Bath' },
    ])
      await alice.press(`${gifts}?by-hand=1`, 'add', fields as Record<string, string>, gifts);
    await alice(gifts, { do: 'move', item: String((await site.itemIds(id))[2]), where: 'top' });
    const form = await alice.form(details, 'change');
    const [closes, delivery] = ['2030-06-20', 'Ann & Sam <3\nGartenweg 7\n\n12345 Zwiebelau'];
    const change = { ...form, occasion: 'wedding', surprise: 'always', currency: 'EUR', closes, delivery };
    assert.equal((await alice(details, formWithFile(change, 'picture', picture))).status, 303);
    const saved = (await alice(details, { do: 'export', as: 'json' })).json;
    assert.doesNotMatch(JSON.stringify(saved), /quantity_purchased|affiliate/);
    assert.equal(saved.meta.registry_pay_to, 'Ann & Sam <3, at home');
    assert.deepEqual([saved.closes, saved.delivery], [closes, delivery]);
    const own = JSON.stringify(await site.personalData('exporter', site.users.alice.email));
    assert.match(own, /Closes on.*2030-06-20.*Gartenweg|Gartenweg.*Closes on.*2030-06-20/);
    const { unit, quantity_needed } = saved.items.at(-1);
    assert.deepEqual([unit, quantity_needed], ['money', 40_000]);

    const copy = listIn(await bring({ ...saved, status: 'publish', site: 'https://elsewhere.example' }));
    assert.equal(await site.postStatus(copy), 'private');
    const text = await said(copy);
    assert.match(text, /These guests had accounts on the other site: bob\. Invite them/);
    const again = (await alice(`/registries/${copy}/details/`, { do: 'export', as: 'json' })).json;
    assert.ok(again.picture.length > 1000);
    const found = { ...again, picture: '', meta: { ...again.meta, registry_invitees: [] } };
    assert.deepEqual(found, { ...saved, picture: '', meta: { ...saved.meta, registry_invitees: [] } });
    assert.deepEqual(again.meta.registry_invitees, ['aunt@example.org']);
    const order = again.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(order, ['Kettle', 'Pan <1>', 'Towels', 'Pram']);
    const { section, most_wanted: isWanted } = again.items[1];
    assert.deepEqual([section, isWanted], ['Kitchen', true]);
    await alice(`/registries/${copy}/gifts/`, { do: 'import-read' });
    assert.doesNotMatch(await said(copy), /These guests had accounts/);
    assert.deepEqual(await site.mails(), [], 'nobody is written to');
  });

  test('a list is copied as a new one without guests and day, once for two presses', async () => {
    const meta = {
      ...{ registry_event_date: '2030-05-30', registry_surprise_until: '2030-05-31' },
      ...{ registry_currency: 'EUR', registry_invitees: ['bob', 'aunt@example.org'] },
    };
    const { id } = await site.list(
      { title: 'Once more', status: 'publish', story: 'We moved.', meta },
      { name: 'Pan', price: 12 },
      { name: 'Kettle', price: 12, quantity_needed: 2_147_483_647 },
    );
    const gifts = `/registries/${id}/gifts/`;
    await alice.press(`${gifts}?by-hand=1`, 'add', { name: 'Of our own' }, gifts);
    const details = `/registries/${id}/details/?part=after`;
    await alice.press(details, 'change', { closes: '2030-06-20' });
    const press = async () => alice(details, await alice.form(details, 'copy'));
    const answers = await Promise.all([press(), press()]);
    const [copy, ...more] = answers.filter(({ headers }) => headers.get('location')?.endsWith('/gifts/'));
    assert.deepEqual([more, answers.map(({ status }) => status)], [[], [303, 303]]);
    const number = listIn(copy!);
    assert.notEqual(number, id);
    assert.match(await said(number), /This is the copy.*Any number, 0 given so far/s);
    assert.equal((await alice.form(`/registries/${number}/details/?part=after`, 'change')).closes, '');
    assert.deepEqual(await names(number), ['Pan', 'Kettle', 'Of our own']);
    const made = (await site.client().registries.get(number))!;
    assert.equal((await site.client().registries.items.list(number))!.at(-1)!.url, made.permalink);
    assert.deepEqual([made.title, made.status, made.story], ['Copy of Once more', 'private', 'We moved.']);
    const { registry_invitees, registry_event_date, registry_surprise_until } = made.meta;
    assert.deepEqual([registry_invitees, registry_event_date, registry_surprise_until], [[], null, null]);
    assert.equal(made.meta.registry_currency, 'EUR');
    const bob = await site.visit('bob');
    assert.notEqual((await bob(details, { do: 'copy' })).status, 303, 'owners only');
    assert.deepEqual(await site.mails(), []);
  });

  test('hundreds of gifts come in pieces, none lost and none twice, even if a process dies', async () => {
    const gifts = Array.from({ length: 300 }, (_, n) => gift(n, n % 50 ? {} : { section: `Part ${n / 50}` }));
    await using gate = await startGate(() => site.service.url);
    await site.setOption('trousseau_base_url', gate.url);
    const page = bring(file(gifts));
    const stored = () => gate.requests.filter((request) => request === 'POST /items').length;
    await Promise.race([page, until('a hundred gifts', () => stored() >= 100)]);
    // After some seconds the page leaves the rest to background tasks. The clock stays there: a clock that goes back would make what the
    // site remembers newer than what it reads.
    site.setClockAhead(5);
    const id = listIn(await page);
    const first = (await names(id)).length;
    assert.ok(first < 300, `${first} gifts`);
    assert.match(await said(id), /gifts from your file are here/);
    // Two runs go on at once, one of which had begun before the last state was stored.
    await site.call('import.forget_last', id, 20);
    await Promise.all([goOn(id, 3), goOn(id, 3)]);
    // The service is away for a while: nothing is lost by it.
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:9');
    await goOn(id, 1);
    await site.setOption('trousseau_base_url', site.service.url);
    for (let rounds = 0; (await kept(id)) && rounds < 40; rounds++) await goOn(id, 20);
    assert.equal(await kept(id), false);
    assert.deepEqual((await names(id)).sort(), gifts.map(({ name }) => name).sort());
    assert.doesNotMatch(await said(id), /from your file/);
    const { items } = (await alice(`/registries/${id}/details/`, { do: 'export', as: 'json' })).json;
    const exported = items.map(({ name, section }: Record<string, string>) => [name, section]);
    const sections = gifts.map(({ name }, n) => [name, n % 50 ? '' : `Part ${n / 50}`]);
    assert.deepEqual(exported, sections, 'in the order of the file');
  });

  test('a gift that fails for a moment is stored later: where another server answers, and where the first try still runs', async () => {
    let answer: Reply = { status: 404, body: 'Not found' };
    await using other = await recordingService(() => answer);
    await site.setOption('trousseau_base_url', other.url);
    const id = listIn(await bring(file([gift(1), gift(2)])));
    answer = { status: 409, headers: { 'retry-after': '10' }, body: { detail: 'has no answer yet' } };
    await goOn(id, 1);
    assert.equal(other.requests.filter(({ method }) => method === 'POST').length, 2);
    await site.setOption('trousseau_base_url', site.service.url);
    await goOn(id, 20);
    assert.deepEqual((await names(id)).sort(), ['Wish 1', 'Wish 2']);
    assert.doesNotMatch(await said(id), /Wish 1, Wish 2/);
  });

  test('a picture that is too large for the request costs no gifts', async () => {
    const data = file([gift(1), gift(2)], { title: 'Too much', picture: picture.toString('base64') });
    await assert.rejects(site.call('import.die_midway', data, site.users.alice.id), /dead/);
    const [id] = await site.registryIds({ post_status: 'private', title: 'Too much' });
    assert.equal(await kept(id!), true);
    await goOn(id!, 20);
    assert.deepEqual(await names(id!), ['Wish 1', 'Wish 2']);
  });

  test('a list that is deleted meanwhile leaves nothing behind', async () => {
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:9');
    const id = listIn(await bring(file([gift(1), gift(2)])));
    await site.setOption('trousseau_base_url', site.service.url);
    assert.equal(await kept(id), true);
    await site.deletePost(id);
    await goOn(id, 5);
    assert.equal(await kept(id), false);
  });
});

// Gifts that only a list's owners see until they publish them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { basic, decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

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
    const { id, permalink } = (await client().registries.create({
      title: 'Us',
      status: 'private',
      meta: { registry_owners: ['bob'], registry_currency: 'EUR', ...meta },
      ...fields,
    }))!;
    for (const name of names)
      await client().registries.items.create(id, { name, url: `https://shop.example/${name}` });
    return { id, gifts: `/registries/${id}/gifts/`, path: new URL(permalink).pathname };
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

  test('chosen drafts are published with all they have, and only those', async () => {
    const { id, gifts } = await list(['Pan', 'Pot']);
    await kept(gifts, { name: 'Lid', price: '24.90', quantity: '3', section: 'Kitchen', most_wanted: '1' });
    await kept(gifts, { name: 'Pram', price: '400', several: '1', pay_to: 'in an envelope' });
    await kept(gifts, { name: 'Later' });
    assert.deepEqual(await names(id), ['Pan', 'Pot']);
    const none = await publish(gifts, []);
    assert.equal(none.status, 422);
    assert.match(decoded(none.text), /Choose the drafts that you want to publish/);

    const answer = await publish(gifts, (await ids(id)).slice(0, 2));
    assert.equal(answer.status, 303, answer.text);
    assert.match(decoded((await alice(gifts)).text), /On your list now: .*Lid.*, .*Pram/);
    assert.deepEqual(
      (await items(id)).map(({ name, price, quantity_needed, unit }) => [
        name,
        price && Number(price),
        quantity_needed,
        unit,
      ]),
      [
        ['Pan', null, 1, undefined],
        ['Pot', null, 1, undefined],
        ['Lid', 24.9, 3, undefined],
        ['Pram', null, 40_000, 'money'],
      ],
    );
    assert.deepEqual(await drafts(id), ['Later']);
    const lid = (await items(id))[2]!.id;
    const form = await alice.form(`${gifts}?item=${lid}`, 'change');
    assert.deepEqual([form.section, form.most_wanted], ['Kitchen', '1']);
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
    assert.match(decoded(refused.text), /A draft can’t have a picture of your own/);
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
  });

  for (const late of [false, true])
    test(`an answer that is lost makes no second gift, ${late ? 'even when the service has forgotten the key' : 'and until it comes the draft can’t change'}`, async () => {
      const { id, gifts } = await list();
      await kept(gifts, { name: 'A' });
      const [draft] = await ids(id);
      const opened = await alice.form(`${gifts}?item=${draft}`, 'change');
      // This server passes everything on, and loses the answers to new items.
      const proxy = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(
            ([name]) => !['host', 'connection', 'content-length', 'expect'].includes(name),
          ),
        ) as Record<string, string>;
        const answer = await fetch(site.service.url + request.url, {
          method: request.method!,
          headers,
          ...(chunks.length ? { body: Buffer.concat(chunks) } : {}),
        });
        const body = Buffer.from(await answer.arrayBuffer());
        if (request.method === 'POST') return void request.socket.destroy();
        const type = answer.headers.get('content-type');
        response
          .writeHead(answer.status, type ? { 'content-type': type } : {})
          .end(answer.status === 304 ? '' : body);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => proxy.once('listening', resolve));
      await site.setOption('trousseau_base_url', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
      const lost = await publish(gifts, [draft!]);
      await site.setOption('trousseau_base_url', site.service.url);
      proxy.closeAllConnections();
      proxy.close();
      assert.equal(lost.status, 422);
      assert.match(decoded(lost.text), /“.?A.?” is still a draft\./);
      assert.deepEqual(await names(id), ['A'], 'the service has it');
      assert.deepEqual(await drafts(id), ['A'], 'the site doesn’t know that');

      const changed = await alice(`${gifts}?item=${draft}`, { ...opened, name: 'B' });
      assert.equal(changed.status, 422);
      assert.match(decoded(changed.text), /Publishing it was interrupted/);
      if (late) await site.call('gift-drafts.age', id);
      await alice(gifts);
      assert.equal((await publish(gifts, [draft!])).status, 303);
      assert.deepEqual(await names(id), ['A']);
      assert.deepEqual(await drafts(id), []);
    });

  test('a refused gift stays a draft and says why; the others are published', async () => {
    const { id, gifts } = await list(['Pan']);
    await kept(gifts, { name: 'A', most_wanted: '1' });
    await kept(gifts, { name: 'B', most_wanted: '1' });
    await kept(gifts, { name: 'C' });
    const answer = await publish(gifts, await ids(id));
    assert.equal(answer.status, 422);
    assert.match(
      decoded(answer.text),
      /“.?B.?” is still a draft\. Up to a third of your gifts.*already: .?A/s,
    );
    assert.match(decoded(answer.text), /On your list now: .?A.?, .?C/);
    assert.deepEqual(await names(id), ['Pan', 'A', 'C']);
    assert.deepEqual(await drafts(id), ['B']);

    const [draft] = await ids(id);
    const form = await alice.form(`${gifts}?item=${draft}`, 'change');
    const { most_wanted: _, ...rest } = form;
    assert.equal((await alice(`${gifts}?item=${draft}`, rest)).status, 303);
    assert.equal((await publish(gifts, [draft!])).status, 303);
    assert.deepEqual(await names(id), ['Pan', 'A', 'C', 'B']);
  });

  test('a price in another currency than the list has by now is not published', async () => {
    const { id, gifts } = await list();
    await kept(gifts, { name: 'A', price: '12' });
    await client().registries.update(id, { meta: { registry_currency: 'USD' } });
    const answer = await publish(gifts, await ids(id));
    assert.equal(answer.status, 422);
    assert.match(decoded(answer.text), /Its price is in EUR, and your list is in USD now/);
    const page = `${gifts}?item=${(await ids(id))[0]}`;
    await alice.press(page, 'change', { price: '15' });
    assert.equal((await publish(gifts, await ids(id))).status, 303);
    assert.equal(Number((await items(id))[0]!.price), 15);
  });

  test('while the service is away drafts are kept, and published later', async () => {
    const { id, gifts } = await list(['Pan']);
    await alice(gifts);
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:9');
    await kept(gifts, { name: 'A' });
    const refused = await publish(gifts, await ids(id));
    assert.equal(refused.status, 422);
    await site.setOption('trousseau_base_url', site.service.url);
    assert.deepEqual(await drafts(id), ['A']);
    assert.equal((await publish(gifts, await ids(id))).status, 303);
    assert.deepEqual(await names(id), ['Pan', 'A']);
  });

  test('a list that is a draft itself has drafts of gifts, and says why none can be published', async () => {
    const id = await site.addPost({
      ...{
        post_type: 'registry',
        post_status: 'draft',
        post_title: 'Half a list',
        post_author: site.users.alice.id,
      },
    });
    const gifts = `/registries/${id}/gifts/`;
    await kept(gifts, { name: 'A' });
    const answer = await publish(gifts, await ids(id));
    assert.equal(answer.status, 422);
    assert.match(decoded(answer.text), /Your list is still a draft/);
    assert.deepEqual(await drafts(id), ['A']);
    assert.ok(await site.pathOf(id));
  });

  test('two owners who change one draft keep each other’s fields, and see both texts of the same one', async () => {
    const { id, gifts } = await list();
    await kept(gifts, { name: 'A' });
    const page = `${gifts}?item=${(await ids(id))[0]}`;
    const open = async (visitor: Visitor) => await visitor.form(page, 'change');
    const [hers, his] = [await open(alice), await open(bob)];
    assert.equal((await alice(page, { ...hers, name: 'Wine glasses' })).status, 303);
    assert.equal((await bob(page, { ...his, price: '24.90' })).status, 303);
    const now = await open(alice);
    assert.deepEqual([now.name, now.price], ['Wine glasses', '24.90']);
    const [one, other] = [await open(alice), await open(bob)];
    assert.equal((await alice(page, { ...one, name: 'Glasses' })).status, 303);
    const disputed = await bob(page, { ...other, name: 'Cups' });
    assert.equal(disputed.status, 422);
    assert.match(disputed.text, /<b>Now:<\/b> <bdi>Glasses.*<b>Yours:<\/b> <bdi>Cups/s);
    assert.match(decoded((await alice(gifts)).text), /changed by you/);

    const forms = await Promise.all(
      Array.from({ length: 3 }, async (_, n) => ({
        ...(await alice.form(`${gifts}?by-hand=1`, 'add')),
        ...{ draft: '1', name: `At once ${n}` },
      })),
    );
    await Promise.all(forms.map((form) => alice(gifts, form)));
    assert.equal((await drafts(id)).length, 4);
  });

  test('a draft is deleted for good, and other people can’t do any of it', async () => {
    const { id, gifts } = await list([], { status: 'publish' });
    await kept(gifts, { name: 'A' });
    const [draft] = await ids(id);
    const carol = await site.visit('carol');
    await publish(gifts, [draft!], carol);
    await carol(gifts, { do: 'remove', item: draft! });
    assert.deepEqual([await drafts(id), await names(id)], [['A'], []]);
    assert.equal((await alice(gifts, { do: 'remove', item: draft! })).status, 303);
    assert.match(decoded((await alice(gifts)).text), /The draft “.?A.?” is deleted/);
    assert.deepEqual([await drafts(id), await names(id)], [[], []]);
    assert.equal((await alice(gifts, { do: 'remove', item: draft! })).status, 303, 'pressed twice');
    const gone = await alice(`${gifts}?item=${draft}`, { do: 'change', item: draft!, name: 'A' });
    assert.equal(gone.status, 422);
  });

  test('a list has up to a hundred drafts, and one more is refused with all that was typed', async () => {
    const { id, gifts } = await list();
    assert.equal(await site.call('gift-drafts.add', id, 101), 100);
    const { answer } = await keep(gifts, { name: 'One more', description: 'Blue' });
    assert.equal(answer.status, 422);
    assert.match(decoded(answer.text), /up to 100 drafts/);
    assert.equal(fieldsOf(answer.text, 'add')!.description, 'Blue');
    const page = `${gifts}?item=${(await ids(id))[99]}`;
    assert.equal(
      (await alice.send(page, 'change', { name: 'Changed' })).status,
      303,
      'a full list’s drafts can change',
    );
    assert.equal((await drafts(id)).at(-1), 'Changed');
  });
});

// The address to which gifts are sent: for givers who have confirmed, and for nobody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, type Visitor } from '../../dev/wordpress/site.ts';

const ADDRESS = 'Ann & Sam <3\nGartenweg 7\n\n12345 Zwiebelau';
const WORD = /Gartenweg|Zwiebelau/;

describeSite('the address for gifts', {}, (site) => {
  const { alice } = site.visitors;

  async function list(status: 'private' | 'publish' = 'private') {
    const client = site.client();
    const meta = { registry_invitees: ['aunt@example.org'] };
    const { id, permalink } = (await client.registries.create({ title: 'Ann & Sam', status, meta }))!;
    await client.registries.items.create(id, {
      name: 'Pan',
      url: 'https://shop.example/pan',
      quantity_needed: 5,
    });
    return { id, details: `/registries/${id}/details/`, path: permalink.replace(site.url, '') };
  }
  const write = async (details: string, delivery: string) => alice.send(details, 'change', { delivery });
  async function aunt(id: number): Promise<Visitor> {
    const visitor = await site.visit();
    const link = (await site.guestLink(id, 'aunt@example.org')).replace(site.url, '');
    assert.equal((await visitor(link, { do: 'open' })).status, 303);
    return visitor;
  }
  /** Gives a piece, and returns the page of the gift and the mail. */
  async function give(visitor: Visitor, id: number, typed: Record<string, string> = {}) {
    await site.mails();
    const at = `/registries/${id}/give/?item=${(await site.itemIds(id))[0]}`;
    await visitor.press(at, 'give', { giver: 'Aunt', count: '1', ...typed });
    const [mail] = await site.mails();
    const url = new URL(/https?:\S*\/gift\/\S*/.exec(mail!.text)![0]);
    return { mail: mail!, gift: url.pathname + url.search };
  }

  test('is seen on the page and in the mail of a giver who has confirmed', async () => {
    const { id, details, path } = await list();
    assert.equal((await write(details, ADDRESS)).status, 303);
    assert.equal((await alice.form(details, 'change')).delivery, ADDRESS);
    assert.doesNotMatch(JSON.stringify(await site.postMeta(id, '_trousseau_delivery')), WORD, 'encrypted');

    const visitor = await aunt(id);
    for (const page of [
      path,
      `/registries/${id}/give/?item=${(await site.itemIds(id))[0]}`,
      '/registries/my-gifts/',
    ])
      assert.doesNotMatch((await visitor(page)).text, WORD, page);
    const { mail, gift } = await give(visitor, id);
    assert.match(mail.text, /Where to send it: Ann & Sam <3, Gartenweg 7, 12345 Zwiebelau/);
    assert.match(decoded((await visitor(gift)).text), /Ann & Sam <3<br \/>\nGartenweg 7/);

    await visitor(gift, { do: 'bought' });
    assert.match((await site.mails())[0]!.text, WORD);
    await visitor(gift, { do: 'release' });
    assert.deepEqual(await site.mails(), [], 'there is time to undo it');
    await site.sendWaitingMails();
    assert.doesNotMatch((await site.mails())[0]!.text, WORD);
    assert.doesNotMatch((await visitor(gift)).text, WORD, 'no longer a giver');
  });

  test('is not seen before a stranger has confirmed by mail', async () => {
    const { id, details, path } = await list('publish');
    await write(details, ADDRESS);
    const visitor = await site.visit();
    assert.doesNotMatch((await visitor(path)).text, WORD);
    const { mail, gift } = await give(visitor, id, { email: 'vera@example.org' });
    assert.doesNotMatch(mail.raw, WORD);
    assert.doesNotMatch((await visitor(gift)).text, WORD);
    assert.equal((await visitor(gift, { do: 'confirm' })).status, 303);
    assert.match((await visitor(gift)).text, WORD);
    assert.match((await site.mails())[0]!.text, WORD);
    for (const route of [`/wp-json/wp/v2/registry/${id}`, `/wp-json/wp/v2/registry/${id}?context=edit`])
      assert.doesNotMatch((await visitor(route)).text, WORD, route);
  });

  test('is kept from a giver who is no longer invited', async () => {
    const { id, details } = await list();
    await write(details, ADDRESS);
    const visitor = await aunt(id);
    const { gift } = await give(visitor, id);
    assert.match((await visitor(gift)).text, WORD);
    await alice(`/registries/${id}/guests/`, { do: 'cancel', guest: 'aunt@example.org' });
    assert.doesNotMatch((await visitor(gift)).text, WORD);
  });

  test('is changed, taken away, refused when it is too long, and left alone by an older form', async () => {
    const { id, details } = await list();
    await write(details, ADDRESS);
    const { delivery, ...older } = await alice.form(details, 'change');
    assert.equal(delivery, ADDRESS);
    assert.equal((await alice(details, older)).status, 303);
    const long = await write(details, 'x'.repeat(501));
    assert.equal(long.status, 422);
    assert.match(long.text, /At most 500 characters/);
    assert.match((await alice(details)).text, WORD);
    assert.equal((await write(details, '')).status, 303);
    assert.deepEqual(await site.postMeta(id, '_trousseau_delivery'), '');
  });

  test('goes along in the owner’s file and in their personal data', async () => {
    const { details } = await list();
    await write(details, ADDRESS);
    const file = (await alice(details, { do: 'export', as: 'json' })).text;
    assert.equal(JSON.parse(file).delivery, ADDRESS);
    assert.match(JSON.stringify(await site.personalData('exporter', site.users.alice.email)), WORD);
    const form = new FormData();
    form.set('do', 'import');
    form.set('file', new Blob([file], { type: 'application/json' }), 'list.json');
    const made = await alice('/registries/mine/', form);
    assert.equal(made.status, 303, made.text);
    const id = Number(/registries\/(\d+)/.exec(made.headers.get('location')!)![1]);
    assert.equal((await alice.form(`/registries/${id}/details/`, 'change')).delivery, ADDRESS);
  });
});

// A list that closes by itself on a day after the day: guests read a thank-you, nobody gives any more, and its owner opens
// it again at a press.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Answer, decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

const GOODBYE = /This list is closed, and nothing more is to be given/;
const AUNT = 'aunt@example.org';
const PAST = '2026-06-20';
const TO_COME = '2036-06-20';

describeSite('a list that closes', {}, (site) => {
  const { alice } = site.visitors;

  async function list(status: 'private' | 'publish' = 'private') {
    const client = site.client();
    const meta = { registry_invitees: [AUNT], registry_event_date: '2026-05-30' };
    const { id, permalink } = (await client.registries.create({ title: 'Ann & Sam', status, meta }))!;
    for (const name of ['Pan', 'Sieve'])
      await client.registries.items.create(id, {
        name,
        url: `https://shop.example/${name}`,
        quantity_needed: 3,
      });
    const details = `/registries/${id}/details/`;
    const [pan, sieve] = await site.itemIds(id);
    const give = (item: number) => `/registries/${id}/give/?item=${item}`;
    return { id, details, path: permalink.replace(site.url, ''), pan: give(pan!), sieve: give(sieve!) };
  }
  const close = async (details: string, closes: string) => alice.send(details, 'change', { closes });
  async function aunt(id: number): Promise<Visitor> {
    const visitor = await site.visit();
    const link = (await site.guestLink(id, AUNT)).replace(site.url, '');
    assert.equal((await visitor(link, { do: 'open' })).status, 303);
    return visitor;
  }
  const formOf = async (visitor: Visitor, at: string) => ({
    ...(await visitor.form(at, 'give')),
    ...{ giver: 'Aunt', count: '1' },
  });

  test('thanks its guests and takes nothing more, whatever they had opened before', async () => {
    const { id, details, path, pan, sieve } = await list();
    const guest = await aunt(id);
    assert.equal((await guest(pan, await formOf(guest, pan))).status, 303);
    const opened = await formOf(guest, sieve);
    const [mail] = await site.mails();
    const gift = new URL(/https?:\S*\/gift\/\S*/.exec(mail!.text)![0]);

    assert.equal((await close(details, TO_COME)).status, 303);
    const open = (await guest(path)).text;
    assert.doesNotMatch(open, GOODBYE);
    assert.match(open, /still needed/);

    assert.equal((await close(details, PAST)).status, 303);
    const closed = decoded((await guest(path)).text);
    assert.match(closed, /The day was lovely: thank you!/);
    assert.match(closed, GOODBYE);
    assert.doesNotMatch(closed, /\/give\/|still needed|See it in the shop|Mails about new gifts/);
    assert.match(closed, /You’re giving this/, 'a gift that was given before');
    for (const answer of [await guest(sieve), await guest(sieve, opened)])
      assert.match(decoded(answer.text), /This list is closed: nothing more is to be given/);
    assert.equal(
      decoded((await guest(path)).text).match(/You’re giving this/g)?.length,
      1,
      'nothing was given',
    );
    // A gift that was chosen in time is still bought.
    assert.equal((await guest(gift.pathname + gift.search, { do: 'bought' })).status, 303);
  });

  test('is closed for strangers on a public list, too', async () => {
    const { details, path, pan } = await list('publish');
    const stranger = await site.visit();
    const opened = { ...(await formOf(stranger, pan)), email: 'vera@example.org' };
    assert.equal((await close(details, PAST)).status, 303);
    const page = (await stranger(path)).text;
    assert.match(page, GOODBYE);
    assert.doesNotMatch(page, /\/give\//);
    await site.mails();
    assert.match(decoded((await stranger(pan, opened)).text), /nothing more is to be given/);
    assert.deepEqual(await site.mails(), []);
  });

  test('stands under the closed lists of its owner, who opens it again at a press', async () => {
    const { id, details, path, pan } = await list();
    await close(details, PAST);
    const mine = (await alice('/registries/mine/')).text;
    assert.match(mine.slice(mine.indexOf('Closed lists')), new RegExp(`/registries/${id}/gifts/`));
    for (const page of ['gifts', 'guests', 'people', 'given', 'details'])
      assert.match((await alice(`/registries/${id}/${page}/`)).text, /Open it again/, page);

    const bob = await site.visit('bob');
    assert.notEqual((await bob(details, { do: 'reopen' })).status, 303);
    assert.match((await alice(details)).text, /Open it again/, 'somebody else’s press');

    await alice.press(details, 'reopen');
    const after = (await alice(details)).text;
    assert.match(after, /Your list is open again/);
    assert.doesNotMatch(after, /Open it again/);
    assert.equal(fieldsOf(after, 'change')!.closes, '');
    const guest = await aunt(id);
    assert.doesNotMatch((await guest(path)).text, GOODBYE);
    assert.equal((await guest(pan, await formOf(guest, pan))).status, 303);
    assert.deepEqual(
      (await site.jobs('close')).filter((job) => job.unique_key === `close ${id}`),
      [],
    );
  });

  test('closes after the day only; a refused form keeps what was typed, and an older one changes nothing', async () => {
    const { id, details } = await list();
    for (const [closes, typed] of [
      ['2026-05-30', 'value="2026-05-30"'],
      ['2026-02-31', 'value="2026-02-31"'],
      ['soon', 'value="soon"'],
    ] as const) {
      const refused = await close(details, closes);
      assert.equal(refused.status, 422, closes);
      assert.match(refused.text, /Choose a day after the day itself/);
      assert.ok(refused.text.includes(typed), closes);
      assert.equal(await site.postMeta(id, '_trousseau_closes_on'), '');
    }
    assert.equal((await close(details, TO_COME)).status, 303);
    const { closes, ...older } = await alice.form(details, 'change');
    assert.equal(closes, TO_COME);
    assert.equal((await alice(details, older)).status, 303);
    assert.equal((await alice.form(details, 'change')).closes, TO_COME);
  });

  test('closes when the day begins where the site is', async () => {
    const { id, details, path } = await list('publish');
    await site.setOption('timezone_string', 'Pacific/Kiritimati');
    assert.equal((await close(details, TO_COME)).status, 303);
    const [job] = (await site.jobs('close')).filter(({ unique_key }) => unique_key === `close ${id}`);
    assert.equal(Number(job!.run_at), Date.parse(`${TO_COME}T00:00:00+14:00`));
    // It is a day later there than at the other end of the world, at any hour.
    const day = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    await close(details, day);
    const stranger = await site.visit();
    assert.match((await stranger(path)).text, GOODBYE);
    await site.setOption('timezone_string', 'Etc/GMT+12');
    assert.doesNotMatch((await stranger(path)).text, GOODBYE);
    await site.setOption('timezone_string', '');
  });

  test('takes the day along in the owner’s file and personal data, and leaves it out of a copy', async () => {
    const { details } = await list();
    await close(details, PAST);
    const file = (await alice(details, { do: 'export', as: 'json' })).text;
    assert.equal(JSON.parse(file).closes, PAST);
    const ours = JSON.stringify(await site.personalData('exporter', site.users.alice.email));
    assert.match(ours, /Closed from.*2026-06-20/);
    const made = async (answer: Answer) => {
      assert.equal(answer.status, 303, answer.text);
      const place = answer.headers.get('location')!.replace('/gifts/', '/details/');
      return (await alice.form(place.replace(site.url, ''), 'change')).closes;
    };
    const form = new FormData();
    form.set('do', 'import');
    form.set('file', new Blob([file], { type: 'application/json' }), 'list.json');
    assert.equal(await made(await alice('/registries/mine/', form)), PAST);
    assert.equal(await made(await alice(details, await alice.form(details, 'copy'))), '');
  });
});

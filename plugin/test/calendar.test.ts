// The calendar of an owner's Details: its days, read by Mozilla's own reader, and the people to whom its address is open.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import ICAL from 'ical.js';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, type Visitor } from '../../dev/wordpress/site.ts';
import { skipWithoutLanguages } from '../../dev/wordpress/wordpress.ts';

const NAME = `Ann, Sam; and \\ “us” 🎁 ${'عرس '.repeat(30)}`.trim();

describeSite('the calendar of a list', { ...(skipWithoutLanguages() ? {} : { locale: 'de_DE' }) }, (site) => {
  const { alice, bob } = site.visitors;
  before(async () => {
    await site.setOption('WPLANG', '');
  });

  const list = (meta: object = {}, ...gifts: string[]) => {
    const all = { registry_event_date: '2036-05-30', registry_owners: ['bob'], ...meta };
    return site.list({ title: NAME, meta: all }, ...gifts);
  };
  const shown = async (person: Visitor, details: string) =>
    /<input type="text" readonly value="([^"]+\.ics)"/.exec(
      (await person(`${details}?part=after`)).text,
    )?.[1];
  async function make(person: Visitor, details: string) {
    const answer = await person(details, { do: 'calendar' });
    assert.equal(answer.status, 303, answer.text);
    return decoded((await shown(person, details)) ?? assert.fail('no address'));
  }
  async function read(address: string, tag?: string) {
    const program = await site.visit();
    const answer = await program(address, undefined, tag === undefined ? {} : { 'if-none-match': tag });
    return { ...answer, cookies: program.cookies() };
  }
  /** Days and titles, as a calendar program understands them. */
  function days(text: string) {
    const calendar = new ICAL.Component(ICAL.parse(text));
    return calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component);
      assert.ok(event.startDate.isDate);
      assert.equal(event.duration.toString(), 'P1D');
      assert.match(event.uid, /^[\w-]+@[\w.]+$/);
      return `${event.startDate} ${event.summary}`;
    });
  }

  test('has the day, the end of the surprise and the end of the list', async () => {
    const { details } = await list({ registry_surprise_until: '2036-05-31' });
    assert.equal(await shown(alice, details), undefined, 'nobody has asked for it');
    await alice.press(`${details}?part=after`, 'change', { closes: '2036-06-05' });
    const address = await make(alice, details);
    const { status, headers, text, cookies } = await read(address);
    assert.deepEqual([status, cookies], [200, []]);
    assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(headers.get('cache-control')!, /no-store/);
    assert.deepEqual(days(text), [
      `2036-05-30 ${NAME}`,
      `2036-05-31 “${NAME}”: the surprise is over`,
      `2036-06-05 “${NAME}” closes today`,
    ]);
    const tag = headers.get('etag')!;
    for (const known of [tag, `W/${tag}`, `"x", ${tag.replace(/"$/, '-gzip"')}`]) {
      const again = await read(address, known);
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], known);
    }
    assert.ok((await alice(`${details}?part=after`)).text.includes(address.replace(/^https?:/, 'webcal:')));
    await alice.press(`${details}?part=after`, 'change', { date: '', closes: '', surprise: 'always' });
    const empty = await read(address, tag);
    assert.deepEqual([empty.status, days(empty.text)], [200, []], 'a calendar may be empty');
  });

  test('has the reservations of its reader alone, and loses none of them while the service is away', async () => {
    const { details } = await list();
    const kims = { title: 'Kim', meta: { registry_invitees: ['bob'] } };
    const other = await site.list(kims, { name: 'Glasses', quantity_needed: 3 });
    const reservation = { expires_in: 10 * 24 * 3600 };
    const { create } = site.client('bob').registries.items.claims;
    const claim = await create(other.id, other.items[0]!, reservation);
    const [own, hers] = [await make(bob, details), await make(alice, details)];
    assert.deepEqual(days((await read(own)).text), [
      `2036-05-30 ${NAME}`,
      `${claim!.expires_at!.slice(0, 10)} Your reservation ends: Glasses`,
    ]);
    assert.deepEqual(days((await read(hers)).text), [`2036-05-30 ${NAME}`]);
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:1');
    assert.equal((await read(own)).status, 503, 'calendars keep what they have');
    await site.setOption('trousseau_base_url', site.service.url);
    if (skipWithoutLanguages()) return;
    await site.setUserMeta(site.users.bob.id, 'locale', 'de_DE');
    assert.match((await read(own)).text, /Deine Reservierung endet: Glasses/);
    await site.setUserMeta(site.users.bob.id, 'locale', '');
  });

  test('tells a surprised owner nothing: byte for byte the same before and after somebody gives', async () => {
    const secret = { registry_surprise_until: 'always', registry_invitees: ['carol'], registry_owners: [] };
    const { id, details, items } = await list(secret, 'Lamp');
    const address = await make(alice, details);
    const { text } = await read(address);
    const giver = { name: 'Alice', email: site.users.alice.email };
    await site.client('admin').registries.items.claims.create(id, items[0]!, { giver });
    assert.equal((await read(address)).text, text);
  });

  test('ends with a new address, and at a press', async () => {
    const { id, details } = await list();
    const first = await make(alice, details);
    const next = await make(alice, details);
    assert.notEqual(first, next);
    const { status, headers, text } = await read(first);
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/plain; charset=utf-8']);
    assert.match(headers.get('cache-control')!, /no-store/);
    assert.match(text, /^This calendar link no longer works\./);
    assert.equal((await read(next)).status, 200);
    for (const wrong of [next.replace('.ics', ''), next.replace(/for=./, 'for=x'), `${next}x`])
      assert.equal((await read(wrong)).status, 404, wrong);
    assert.equal((await alice(details, { do: 'no-calendar' })).status, 303);
    assert.equal((await read(next)).status, 404);
    assert.equal(await shown(alice, details), undefined);
    const again = await make(alice, details);
    await site.client().registries.delete(id);
    assert.equal((await read(again)).status, 404);
  });

  test('is its owners’: others can’t make an address', async () => {
    const { details } = await list({ registry_owners: [] });
    const carol = await site.visit('carol');
    for (const person of [carol, await site.visit()])
      assert.notEqual((await person(details, { do: 'calendar' })).status, 303);
    const admin = await site.visit('admin');
    assert.doesNotMatch((await admin(`${details}?part=after`)).text, /trousseau-calendar/);
  });
});

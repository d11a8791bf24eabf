// Pages and background work while the service refuses something, fails or is away: words for people, and nothing lost.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { jobs, option, personalData, runDueJobs, setOption } from '../../dev/wordpress/set-up.ts';
import {
  complaints,
  decoded,
  fieldsOf,
  itemsOf,
  type Recorded,
  type RecordingService,
  type Reply,
  recordingService,
  rest,
  sendWaitingMails,
  type TestItem,
  type Visitor,
  visit,
} from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

describe('a service that refuses or fails', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let service: RecordingService;
  let alice: Visitor;
  let bob: Visitor;
  const items = new Map<number, TestItem>();

  before(async () => {
    service = await recordingService();
    site = await startWordPress({
      muPlugin: `add_filter( 'trousseau_gifts_fresh_for', '__return_zero' );`,
    });
    alice = await visit(site, site.users.alice);
    bob = await visit(site, site.users.bob);
    await setOption(site, 'trousseau_base_url', service.url);
  });
  after(async () => {
    await site.stop();
    await service.close();
  });
  beforeEach(() => {
    items.clear();
    answer({});
  });

  /** Answers by method and the end of the path; lists of items come from `items`. */
  function answer(replies: Record<string, Reply>): void {
    const list = itemsOf(items);
    service.answer = (request: Recorded) => {
      const found = Object.entries(replies).find(([line]) => {
        const [method, end] = line.split(' ');
        return request.method === method && request.path.split('?')[0]!.endsWith(end!);
      });
      return found ? found[1] : list(request);
    };
  }
  const no = (status: number, headers: Record<string, string> = {}): Reply => ({
    status,
    headers,
    body: { detail: 'secret-internals' },
  });
  const registry = async (fields: Record<string, unknown> = {}) => {
    const made = await rest(site, site.users.alice, 'POST', '/wp/v2/registry', {
      title: 'Ann & Bob',
      status: 'publish',
      ...fields,
    });
    assert.equal(made.status, 201, made.text);
    return made.json as { id: number; link: string };
  };
  let last = 700;
  const gift = (registry: number, name = 'Pan') => {
    const id = ++last;
    const item = {
      ...{ id, registry_id: registry, name, url: `https://shop.example/${id}` },
      ...{ price: null, description: null, retailer: null, image_url: null },
      ...{ quantity_needed: 3, quantity_purchased: 0 },
    };
    items.set(id, item as TestItem);
    return id;
  };
  const says = async (sent: ReturnType<Visitor>, words: RegExp) => {
    const { status, text } = await sent;
    assert.equal(status, 422, text.slice(0, 300));
    assert.match(decoded(text), words);
    assert.doesNotMatch(text, /secret-internals/);
    return text;
  };

  test('a refused list leaves all others as they are', async () => {
    const [refused, other] = [await registry(), await registry()];
    gift(refused.id, 'Pan');
    gift(other.id, 'Pot');
    const nobody = await visit(site, null);
    for (const status of [403, 404, 422]) {
      answer({ [`GET /${refused.id}/items`]: no(status) });
      assert.match((await nobody(refused.link)).text, /can’t be shown just now/, `${status}`);
      const { text } = await nobody(other.link);
      assert.match(text, /Pot/);
      assert.doesNotMatch(text, /just now/, `${status}`);
    }
    answer({});
    const { text } = await nobody(refused.link);
    assert.match(text, /Pan/);
    assert.doesNotMatch(text, /just now/);
    answer({ [`GET /${refused.id}/items`]: no(403) });
    const kept = decoded((await nobody(refused.link)).text);
    assert.match(kept, /Pan.*/s, 'the gifts as they were stay');
    assert.match(kept, /These are the gifts as they were on/);
  });

  test('a refused change of a gift is told by its meaning', async () => {
    const { id } = await registry();
    const item = gift(id);
    const path = `/registries/${id}/gifts/`;
    const fields = { ...fieldsOf((await alice(`${path}?item=${item}`)).text, 'change')!, name: 'Copper pan' };
    for (const [status, words] of [
      [404, /This gift is no longer on your list/],
      [409, /could not be stored as it stands/],
      [413, /could not be stored as it stands/],
      [429, /Too many tries in a short time/],
      [401, /have to repair it first/],
      [503, /could not be stored just now/],
    ] as [number, RegExp][]) {
      answer({ [`PUT /items/${item}`]: no(status) });
      assert.match(await says(alice(path, fields), words), /Copper pan/, 'nothing typed is lost');
    }
  });

  test('a removed gift whose return fails stays among those that can be put back', async () => {
    const { id } = await registry();
    const [pot] = [gift(id, 'Pot'), gift(id)];
    const path = `/registries/${id}/gifts/`;
    const press = async (action: string, status: number) => {
      const sent = await alice(path, { do: action, item: String(pot) });
      assert.equal(sent.status, status, sent.text.slice(0, 500));
      return decoded(sent.text);
    };
    answer({ [`DELETE /items/${pot}`]: { status: 204 }, 'GET /claims': { body: { claims: [] } } });
    await press('remove', 303);
    const removed = items.get(pot)!;
    items.delete(pot);
    const isThere = async () => assert.match((await alice(path)).text, /name="do" value="restore"/);
    answer({ [`PUT /items/${pot}`]: no(503) });
    assert.match(await press('restore', 422), /could not be stored just now/);
    await isThere();
    // The service has put the gift at the end of the list, and fails before moving it to its place.
    items.set(pot, removed);
    const back = { body: { data: { id: pot, registry_id: id } } };
    answer({ [`PUT /items/${pot}`]: back, [`PATCH /registries/${id}`]: no(503) });
    assert.match(await press('restore', 422), /could not be stored just now/);
    await isThere();
    answer({ [`PUT /items/${pot}`]: back, [`PATCH /registries/${id}`]: { body: {} } });
    await press('restore', 303);
    answer({});
    await says(alice(path, { do: 'restore', item: '987654' }), /no longer on your list/);
  });

  test('a refused lookup asks for another address, or to fill in the gift', async () => {
    const { id } = await registry();
    const path = `/registries/${id}/gifts/`;
    for (const [status, words] of [
      [400, /This address can’t be read from here/],
      [422, /This address can’t be read from here/],
      [429, /Please fill in this one yourself/],
      [503, /can’t be read just now/],
    ] as [number, RegExp][]) {
      answer({ 'POST /lookups': no(status) });
      const { text } = await alice(path, { do: 'look', address: 'https://shop.example/pan' });
      assert.match(decoded(text), words, `${status}`);
    }
  });

  test('a refused guest is told by its meaning', async () => {
    const { id } = await registry();
    const path = `/registries/${id}/guests/`;
    for (const [status, words] of [
      [404, /isn’t there any more/],
      [422, /could not be stored as it stands/],
      [429, /Too many tries in a short time/],
      [500, /could not be stored just now/],
    ] as [number, RegExp][]) {
      answer({ 'POST /invitees': no(status) });
      await says(alice(path, { do: 'invite', guests: 'aunt@example.org', note: '' }), words);
    }
    answer({ 'GET /claims': no(500) });
    assert.equal((await alice(path)).status, 200, 'guests are shown without the service, too');
  });

  test('a giver’s own gift and thanks are told by their meaning', async () => {
    const { id } = await registry();
    const item = gift(id);
    const link = await site.call('claim_link', 'c'.repeat(22));
    const { pathname, search } = new URL(link);
    for (const [status, words] of [
      [404, /This gift isn’t there any more/],
      [503, /Your gift can’t be shown just now/],
    ] as [number, RegExp][]) {
      answer({ [`GET /claims/${'c'.repeat(22)}`]: no(status) });
      assert.match(decoded((await bob(pathname + search)).text), words);
    }
    const claim = {
      ...{ id: 'd'.repeat(22), item_id: item, registry_id: id, quantity: 1, state: 'reserved' },
      ...{ giver: { name: 'Bob', email: null, user_id: null }, message: null, thanked_at: null },
      ...{ expires_at: null, created_at: '2027-01-01T00:00:00Z', updated_at: '2027-01-01T00:00:00Z' },
    };
    const given = { 'GET /claims': { body: { claims: [claim], concealed_until: null } } };
    for (const [status, words] of [
      [404, /isn’t there any more, so nothing was stored/],
      [409, /could not be stored as it stands/],
      [503, /could not be stored just now/],
    ] as [number, RegExp][]) {
      answer({ ...given, [`PATCH /claims/${claim.id}`]: no(status) });
      await says(alice(`/registries/${id}/given/`, { do: 'thanked', claim: claim.id }), words);
    }
  });

  test('no mail about a removed gift is lost while its givers aren’t known', async () => {
    const { id } = await registry();
    const item = gift(id);
    const path = `/registries/${id}/gifts/`;
    await alice(path);
    answer({ [`DELETE /items/${item}`]: { status: 204 }, 'GET /claims': no(503) });
    assert.equal((await alice(path, { do: 'remove', item: String(item) })).status, 303);
    items.delete(item);
    const claim = {
      ...{ id: 'e'.repeat(22), item_id: item, registry_id: id, quantity: 1, state: 'reserved' },
      ...{ giver: { name: 'Bob', email: 'ben@example.org', user_id: null }, message: null, thanked_at: null },
      ...{ expires_at: null, created_at: '2027-01-01T00:00:00Z', updated_at: '2027-01-01T00:00:00Z' },
    };
    answer({
      'GET /claims': { body: { claims: [claim], concealed_until: null } },
      [`GET /claims/${claim.id}`]: { body: claim },
      [`GET /items/${item}`]: no(404),
    });
    await runDueJobs(site, 'gift-removed');
    await sendWaitingMails(site, ['record_mails']);
    const mails: string[][] = await option(site, 'test_mails');
    assert.deepEqual(
      mails.map(([to, subject]) => [to, subject]),
      [['ben@example.org', '“Pan” was removed from the list']],
    );
  });

  test('mails about a removed gift have failed, and are not tried for ever, where the service refuses to name its givers', async () => {
    const { id } = await registry();
    const item = gift(id);
    const path = `/registries/${id}/gifts/`;
    await alice(path);
    answer({ [`DELETE /items/${item}`]: { status: 204 }, 'GET /claims': no(403) });
    assert.equal((await alice(path, { do: 'remove', item: String(item) })).status, 303);
    items.delete(item);
    const failed = async () => {
      await runDueJobs(site, 'gift-removed');
      return (await jobs(site, 'gift-removed')).filter((job) => job.failed_at !== '0').length;
    };
    const counts: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) counts.push(await failed());
    assert.deepEqual(counts, [0, 0, 0, 0, 0, 1]);
  });

  test('during an outage no partial list is exported, and no list is edited as if it were gone', async () => {
    const { id } = await registry();
    const item = gift(id);
    answer({ [`GET /${id}/items`]: no(503), 'GET /claims': { body: [] } });
    const { text } = await alice(`/registries/${id}/gifts/?item=${item}`);
    assert.match(text, /This can’t be shown just now/);
    assert.doesNotMatch(text, /name="do" value="add"|name="do" value="look"/);
    const exported = personalData(site, 'exporter', site.users.alice.email);
    assert.match((await exported).error, /nothing is complete. Try again once it answers/);
  });

  test('PHP logged no complaint', () => assert.deepEqual(complaints(site), []));
});

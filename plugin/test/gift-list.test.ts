// A registry's page beside a service that is quick, slow, away or new: WordPress, the plugin and the service as it ships.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type HostProxy, type Seen, startHostProxy } from '../../api/test/host-proxy.ts';
import {
  patientClient,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { until } from '../../dev/until.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { type Gate, type Mood, startGate } from '../../dev/wordpress/gate.ts';
import { fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

const GIFTS = 3;
// The site leaves a failing service alone for so long.
const PAUSE_MS = 3_000;

// The sites of all other files have no object cache.
for (const objectCache of mostTelling(1, [true, false])) {
  describeWordPress(`gifts on a site ${objectCache ? 'with' : 'without'} an object cache`, {}, (site) => {
    const { nobody, bob, alice } = site.visitors;
    let host: HostProxy;
    let folder: string;
    let service: TestService;
    let gate: Gate;

    site.startWith(async () => {
      folder = site.use(await temporaryFolder()).path;
      return {
        ...(objectCache && { objectCache: join(folder, 'cache') }),
        muPlugins: ['clock', 'time-outs'],
        muPlugin: `add_filter( 'trousseau_gifts_fresh_for', fn( $seconds ) => get_option( 'test_fresh_for', $seconds ) );`,
      };
    });
    before(async () => {
      host = site.use(await startHostProxy(site.url));
      service = await newService();
      gate = site.use(await startGate(() => service.url));
      await site.setOptions({
        trousseau_base_url: gate.url,
        trousseau_username: 'admin',
        trousseau_app_password: site.users.admin.password,
        trousseau_anonymous_giving: '1',
      });
    });
    after(() => service?.close());
    beforeEach(async () => {
      await gate.be('passing');
      await site.call('gift-list.forget_trouble');
    });

    const newService = () =>
      startTestService({
        HOST_URL: host.url,
        ITEM_ACCESS: 'registry',
        DATABASE_URL: `sqlite:${folder}/items.db`,
      });
    const restart = async () => {
      await service.close();
      service = await newService();
    };
    const quiet = (id: number) => site.call('forget_locks', `gifts-${id}`, 'service');

    const as = (user: 'alice' | 'bob' | 'admin') =>
      patientClient({ baseUrl: service.url, ...site.users[user] });
    async function registry(fields: object = {}, gifts = GIFTS) {
      const { registries } = as('alice');
      const open = { title: 'Ann & Bob', status: 'publish' } as const;
      const { id, permalink } = (await registries.create({ ...open, ...fields }))!;
      const created = Array.from({ length: gifts }, (_, n) => {
        const gift = { name: `Whisked gift ${n + 1}`, url: `https://shop.example/${n + 1}` };
        return registries.items.create(id, { ...gift, quantity_needed: 3 });
      });
      const items = (await Promise.all(created)).map((answer) => answer!.data.id);
      return { id, link: permalink, items };
    }

    const gifts = (text: string) => text.split('<h3>Whisked gift').length - 1;
    const isOld = (text: string) => /list as of/.test(text);
    const canGive = (text: string) => /class="[^"]*\btrousseau-give\b/.test(text);
    /** The same visitor, for whom a page waits no longer than on a site as it ships. */
    const hurried = (visitor: Visitor) => (path: string, form?: Record<string, string>) =>
      visitor(path, form, { 'x-hurry': 'yes' });
    const untilPage = (visitor: Visitor, path: string, isGood: (text: string) => boolean) =>
      until(path, async () => isGood((await visitor(path)).text), { everyMs: 100 });
    /** The most seconds for which a page has given the service time, of those that asked. */
    const longest = () => Math.max(0, ...gate.headers.map((headers) => Number(headers['x-time-out'])));
    const asked = (id: number) =>
      gate.requests.filter((request) => request === `GET /registries/${id}/items`).length;

    const isNotice = ({ path }: { path: string }) => path.includes('/changed');
    /** Runs something without notices: the service reports changes at once and again later, and the site asks each time. */
    const withoutNotices = async <T>(work: () => Promise<T>): Promise<T> => {
      const held = host.hold(isNotice);
      try {
        return await work();
      } finally {
        held.release();
        // The service sends all notices before it ends.
        await restart();
      }
    };

    test('visitors who come at once all see the gifts of a service that has just started', async () => {
      for (const status of ['publish', 'private']) {
        const { id, link } = await registry({ status, meta: { registry_invitees: ['bob'] } });
        const visitor = status === 'private' ? bob : nobody;
        await untilPage(visitor, link, (text) => gifts(text) === GIFTS);
        // The restarted service knows nobody.
        await restart();
        await quiet(id);
        const pages = await Promise.all(Array.from({ length: 12 }, () => visitor(link)));
        for (const { status, text } of pages) assert.deepEqual([status, gifts(text)], [200, GIFTS]);
      }
    });

    test('a page asks the service once, not again for a while, and the service asks the site for nothing', () =>
      withoutNotices(async () => {
        const { id, link } = await registry();
        await nobody(link);
        await as('admin').items.list();
        await site.setOptions({ test_fresh_for: 600 });
        await quiet(id);
        gate.requests.length = 0;
        host.seen.length = 0;
        assert.equal(gifts((await nobody(link)).text), GIFTS);
        assert.equal(asked(id), 1);
        for (const visitor of [nobody, bob, nobody]) assert.equal(gifts((await visitor(link)).text), GIFTS);
        assert.equal(asked(id), 1);
        await quiet(id);
        await Promise.all(Array.from({ length: 12 }, () => nobody(link)));
        assert.equal(asked(id), 2, 'of many pages at once one asks');
        assert.deepEqual([gate.requests.length, host.seen.filter((seen) => !isNotice(seen))], [2, []]);
        await site.deleteOption('test_fresh_for');
      }));

    test('the site heeds few notices of strangers, and none about a private list', () =>
      withoutNotices(async () => {
        const open = await registry({}, 1);
        const closed = await registry({ status: 'private' }, 1);
        for (const [id, most] of [
          [open.id, 8],
          [closed.id, 0],
          [999_999, 0],
        ] as const) {
          await untilPage(nobody, open.link, (text) => gifts(text) === 1);
          gate.requests.length = 0;
          const began = performance.now();
          const say = () => site.rest(null, 'POST', `/trousseau/v1/registries/${id}/changed`);
          const answers = await Promise.all(Array.from({ length: 15 }, say));
          const found = new Set(answers.map(({ status, text }) => `${status} ${text}`));
          assert.deepEqual(found, new Set(['200 {"changed":true}']));
          const spans = 1 + Math.ceil((performance.now() - began) / 2_000);
          assert.ok(asked(id) <= Math.min(most, spans), `${id}: asked ${asked(id)} times in ${spans} spans`);
        }
      }));

    test('without the service the last known gifts stay, with a sentence and without buttons, and the page recovers by itself', async () => {
      const { id, link } = await withoutNotices(async () => {
        const made = await registry();
        const { id, link, items } = made;
        const [give, own] = [`/registries/${id}/give/?item=${items[0]}`, `/registries/${id}/gifts/`];
        const fine = await bob(link);
        assert.equal(isOld((await alice(own)).text), false);
        assert.deepEqual([gifts(fine.text), isOld(fine.text), canGive(fine.text)], [GIFTS, false, true]);
        for (const mood of mostTelling<Mood>(1, ['hanging', 'stopped', 'refusing', 'failing'])) {
          await gate.be(mood);
          await quiet(id);
          /** Checks that many pages together ask as often as one page would in the same time. */
          const askingLittle = async <T>(tries: number, pages: () => Promise<T>) => {
            gate.requests.length = 0;
            gate.headers.length = 0;
            const began = performance.now();
            const answers = await pages();
            const pauses = Math.floor((performance.now() - began) / PAUSE_MS);
            assert.ok(asked(id) <= tries + pauses, `${mood}: asked ${asked(id)} times in ${pauses} pauses`);
            return answers;
          };
          const inHurry = hurried(bob);
          // To a page in a hurry, a failure at once is a slow answer, too, where the machine is busy.
          const first = mood === 'hanging' ? inHurry : bob;
          const pages = await askingLittle(2, async () => [await first(link), await inHurry(link)]);
          for (const [n, { text }] of pages.entries()) {
            // One slow answer is no outage, and nobody waits for a second one.
            const isTold = n > 0 || mood !== 'hanging';
            assert.deepEqual([gifts(text), isOld(text), canGive(text)], [GIFTS, isTold, !isTold], mood);
          }
          assert.ok(longest() < (mood === 'hanging' ? 0.41 : 4.1), `${mood}: waited ${longest()} s`);
          const form = await inHurry(give);
          assert.match(form.text, /Gifts can’t be reserved right now/, mood);
          const refused = (await inHurry(give, fieldsOf(form.text, 'give')!)).text;
          assert.match(refused, /We couldn’t save your gift right now/, mood);
          assert.doesNotMatch(refused, /Gifts can’t be reserved/, `${mood}: it is said once`);
          const ofOwner = (await hurried(alice)(own)).text;
          assert.match(
            ofOwner,
            /This is your list as of .*gifts can’t be added or changed.*Whisked gift 1/s,
            mood,
          );
          assert.doesNotMatch(ofOwner, /can’t be reserved/, mood);
          const mine = (await hurried(alice)('/registries/mine/')).text;
          assert.ok(mine.includes(`/registries/${id}/home/`), `${mood}: among its owner’s lists`);
          await askingLittle(1, () => Promise.all(Array.from({ length: 12 }, () => inHurry(link))));
          await gate.be('passing');
          await untilPage(bob, link, (text) => !isOld(text) && canGive(text));
        }
        return made;
      });
      // The restarted service knows nobody: visitors see the list as it was meanwhile.
      await quiet(id);
      assert.equal(gifts((await bob(link)).text), GIFTS);
      await untilPage(bob, link, (text) => !isOld(text) && canGive(text));
    });

    test('a guest’s gift shows on their next page, and on everybody’s; an owner’s change shows soon after', async () => {
      const { id, link, items } = await registry({}, 2);
      const needs = (text: string) => /(\d) needed/.exec(text)?.[1];
      assert.equal(needs((await nobody(link)).text), '3');
      const given = { quantity: 2, giver: { name: 'Ruth' } };
      assert.equal((await site.askAsSite('create_claim', id, items[0], given)).quantity, 2);
      for (const visitor of [bob, nobody]) assert.equal(needs((await visitor(link)).text), '1');

      // A page asks by itself after some seconds only.
      await site.setOptions({ test_fresh_for: 600 });
      await as('alice').items.update(items[1]!, { name: 'Whisked gift, renamed' });
      await untilPage(nobody, link, (text) => text.includes('renamed'));
      await site.deleteOption('test_fresh_for');
      const held = host.hold(isNotice);
      await as('alice').items.update(items[1]!, { name: 'Whisked gift, unheard' });
      site.setClockAhead(601);
      assert.match((await nobody(link)).text, /unheard/, 'even if the site never hears of the change');
      held.release();
    });

    test('one press is one write and one read of the list, and the page behind it reads the gift alone', async () => {
      const { id, items } = await registry({}, 2);
      const list = `GET /registries/${id}/items`;
      const press = async (path: string, form: Record<string, string>) => {
        await quiet(id);
        gate.requests.length = 0;
        const answer = await bob(path, form);
        assert.equal(answer.status, 303, answer.text);
        const address = answer.headers.get('location')!;
        return { address, text: (await bob(address)).text };
      };
      const path = `/registries/${id}/give/?item=${items[0]}`;
      const fields = await bob.form(path, 'give');
      // The service sends all notices about the added gifts before it ends.
      await restart();
      // The service learns of the plugin's account first, so that no request has to be repeated.
      await site.askAsSite('status');
      host.seen.length = 0;
      // On a busy machine a press lasts longer than a page's gifts stay fresh.
      await site.setOptions({ test_fresh_for: 600 });
      const given = await press(path, { ...fields, count: '2' });
      const claim = `/claims/${await site.call('read_signed', 'gift', new URL(given.address, site.url).searchParams.get('of'))}`;
      const asked = [`POST /registries/${id}/items/${items[0]}/claims`, list, `GET ${claim}`];
      assert.deepEqual(gate.requests, asked);
      assert.match(given.text, /1 (more is )?needed/);

      await press(given.address, { do: 'bought' });
      const [read, write, ...others] = gate.requests;
      assert.deepEqual([read, write], [`GET ${claim}`, `PATCH ${claim}`]);
      assert.equal(others.filter((request) => request === list).length, 1);
      await site.deleteOption('test_fresh_for');
      // The second notice, seconds later, has nobody's credentials.
      const isAtOnce = (seen: Seen) => isNotice(seen) && seen.authorization !== undefined;
      assert.equal(host.count(isAtOnce), 0, 'the service tells the site nothing that it knows');
      await as('alice').items.update(items[1]!, { name: 'Whisked gift, told' });
      await until('the site is told', () => host.count(isAtOnce) > 0);
    });
  });
}

// A network of sites on a real WordPress: every site with a service of its own, whether the plugin is active on all of
// them or on one. Several sites have registries of the same numbers on purpose: nothing may get from one to another.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from 'trousseau-client';
import { patientClient, startTestService, type TestService } from '../../api/test/support.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import {
  activate,
  addPost,
  askAsSite,
  changePost,
  deactivate,
  hasJob,
  invitees,
  nextRun,
  option,
  post,
  runDueJobs,
  setNextPost,
  setOption,
  setOptions,
  waitingJobs,
} from '../../dev/wordpress/set-up.ts';
import { addUser, rest, type Visitor, whenShowing } from '../../dev/wordpress/site.ts';

const places = ['/', '/two/'] as const;
type Place = (typeof places)[number];
const SETTINGS = 'wp-admin/options-general.php?page=trousseau';

// The first site's settings.
const env = { TROUSSEAU_USERNAME: 'of-the-first', TROUSSEAU_BASE_URL: 'http://127.0.0.1:9' };

describeWordPress('a network of sites', { network: ['two'], env }, (site) => {
  const { admin } = site.visitors;
  const services = {} as Record<Place, TestService>;
  /** The page on which each site lists its public registries. */
  const lists = {} as Record<Place, string>;

  before(async () => {
    for (const place of places) await start(place);
    const { alice, carol } = site.users;
    const two = await at('/two/').call('get_current_blog_id');
    await at('/two/').call('add_user_to_blog', two, alice.id, 'subscriber');
    await at('/two/').call('add_user_to_blog', two, carol.id, 'administrator');
  });

  async function start(place: Place): Promise<void> {
    const rules = { ITEM_ACCESS: 'registry', ADMIN_ROLES: 'administrator,trousseau_service' };
    services[place] = site.use(await startTestService({ HOST_URL: site.url + place, ...rules }));
  }
  const at = (place: Place) => site.siteAt(place);
  const as = (place: Place, who: 'admin' | 'alice' | 'bob' | 'carol'): Client =>
    patientClient({ baseUrl: services[place].url, ...site.users[who] });
  /** Makes a list of alice's with a gift there; the numbers of both. */
  const list = async (place: Place, fields: { title: string; status?: 'publish' }, name: string) => {
    const { registries } = as(place, 'alice');
    const { id } = (await registries.create({ status: 'private', ...fields }))!;
    const gift = { name, url: 'https://shop.example/gift', quantity_needed: 2 };
    return [id, (await registries.items.create(id, gift))!.data.id] as const;
  };
  /** The next post has the same number on every site. */
  const number = async (next: number) => {
    for (const place of places) await setNextPost(at(place), next);
  };
  /** The settings page after a press of “Test connection”. */
  const connection = async (place: Place, visitor = admin) =>
    (await visitor(`${place}${SETTINGS}&test=1`)).text;
  /** A service of its own for each, with the account that the site makes. */
  const join = async (place: Place, service = services[place].url) => {
    await setOption(at(place), 'trousseau_base_url', service);
    await admin.pressScreen(`${place}${SETTINGS}`, 'trousseau_make_account');
    return /data-finding="([^"]*)"/.exec(await connection(place))?.[1];
  };
  const page = (place: Place, id: number, visitor: Visitor, words = '') =>
    whenShowing(visitor, `${place}?registry=${id}`, words);

  test('each site has its own registries, settings, account and service while the plugin is active on all', async () => {
    assert.equal(await site.activate('trousseau', true), null);
    for (const place of places) {
      const role = await at(place).call('get_role', 'trousseau_service');
      assert.ok('edit_others_registries' in role.capabilities);
      const settings = (await admin(`${place}${SETTINGS}`)).text;
      assert.equal(settings.includes('of-the-first'), place === '/', place);
      const affiliate = `${place}wp-admin/edit.php?post_type=registry&page=trousseau-affiliate`;
      assert.equal((await admin(affiliate)).status, 200, place);
    }
    assert.equal(await askAsSite(at('/two/'), 'is_configured'), false);
    for (const place of places) {
      assert.equal(await join(place), 'connected', place);
      lists[place] = new URL(await at(place).call('get_post_type_archive_link', 'registry')).pathname;
      assert.equal((await admin(lists[place])).status, 200, lists[place]);
    }
    assert.notEqual(lists['/'], lists['/two/']);
    const accounts = await Promise.all(places.map((place) => option(at(place), 'trousseau_username')));
    assert.notEqual(accounts[0], accounts[1]);
    assert.deepEqual((await site.call('get_user_by', 'login', accounts[1])).roles, []);
  });

  test('nothing of one site shows on another, with the same numbers', async () => {
    await number(500);
    const [id] = await list('/', { title: 'List of /' }, 'Gift of /');
    const [same] = await list('/two/', { title: 'List of /two/' }, 'Gift of /two/');
    assert.equal(id, same);
    const { alice } = site.visitors;
    for (const place of places) {
      const { status, text } = await page(place, id, alice, `Gift of ${place}<`);
      assert.equal(status, 200, place);
      for (const other of places) assert.equal(text.includes(`Gift of ${other}<`), other === place, place);
    }

    // A network's user who doesn't belong to the site is invited to it by the page and through the service.
    const { bob, carol } = site.users;
    await as('/two/', 'alice').registries.invitees.add(id, [bob.email]);
    const guest = await site.visit(bob);
    assert.match((await page('/two/', id, guest, 'Gift of')).text, /Gift of \/two\//);
    assert.equal((await page('/', id, guest)).status, 404);
    assert.equal((await as('/two/', 'bob').registries.items.list(id))!.length, 1);
    await assert.rejects(as('/', 'bob').registries.items.list(id));
    await assert.rejects(as('/two/', 'bob').registries.create({ title: 'Nobody here' }));
    // An administrator of one site is nobody at the other.
    assert.equal((await as('/two/', 'carol').registries.items.list(id))!.length, 1);
    await assert.rejects(as('/', 'carol').registries.items.list(id));
    const two = { ...site, url: `${site.url}/two` };
    assert.equal((await rest(two, carol, 'GET', `/wp/v2/registry/${id}?context=edit`)).status, 200);

    // Links in mails, cookies and encrypted values of one site are worthless at the other.
    const written = await site.call('multisite.write', `${id} x`, 5);
    const read = (place: Place) => at(place).call('multisite.read', ...written);
    assert.deepEqual(await read('/'), [`${id} x`, 5]);
    assert.deepEqual(await read('/two/'), ['', null]);

    // A site that leaves the network has another number there, and takes its key along.
    const key = await site.option('trousseau_key');
    const ofTwo = await at('/two/').call('multisite.write', `${id} x`, 5);
    await site.setOption('trousseau_key', await option(at('/two/'), 'trousseau_key'));
    assert.deepEqual(await site.call('multisite.read', ...ofTwo), [`${id} x`, 5]);
    await site.setOption('trousseau_key', key);
  });

  test('giving works on each, and a device is known to the site where it gave', async () => {
    const [here, itemHere] = await list('/', { title: 'Public', status: 'publish' }, 'Cup');
    const [id, item] = await list('/two/', { title: 'Public', status: 'publish' }, 'Cup');
    const guest = await site.visit('bob');
    const address = `/two/registries/${id}/give/?item=${item}`;
    const sent = await guest.press(address, 'give');
    const cookies = sent.headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    assert.ok(cookies.length > 0);
    for (const name of cookies) assert.match(name!, /^(wp-postpass_[0-9a-f]{32}_)?trousseau_2_[a-z]+$/);
    assert.equal((await as('/two/', 'admin').items.get(item))!.quantity_purchased, 1);
    assert.equal((await as('/', 'admin').items.get(itemHere))!.quantity_purchased, 0);
    assert.equal((await page('/', here, guest)).text.includes('You’re giving this'), false);
    assert.equal((await page('/two/', id, guest)).text.includes('You’re giving this'), true);
  });

  test('a service of another site is not taken for this site’s', async () => {
    const finding = await join('/two/', services['/'].url);
    assert.ok(finding && finding !== 'connected', finding);
    const { username, password } = site.users.admin;
    const account = { trousseau_username: username, trousseau_app_password: password };
    await setOptions(at('/two/'), account);
    const text = await connection('/two/');
    assert.match(text, /data-finding="account_of_network"/);
    assert.equal(await join('/two/'), 'connected');
  });

  test('a deleted user’s lists go on every site, and each service learns of its own', async () => {
    const dora = await addUser(at('/two/'), 'dora', 'subscriber');
    await number(900);
    const [gone, jug] = await list('/two/', { title: 'Dora’s' }, 'Jug');
    const fay = { name: 'Fay', email: 'fay@example.org' };
    await as('/two/', 'admin').registries.items.claims.create(gone, jug, { giver: fay });
    await changePost(at('/two/'), gone, { post_author: dora.id });
    // The same number on the first site is somebody else's.
    const [kept, mug] = await list('/', { title: 'Alice’s' }, 'Mug');
    assert.equal(kept, gone);
    for (const name of ['Gil', 'Hal']) {
      const giver = { name, email: `${name}@example.org` };
      await as('/', 'admin').registries.items.claims.create(kept, mug, { giver });
    }
    // The claims of the first site's list are two.
    const mails = () => Promise.all(places.map((place) => waitingJobs(at(place), 'mail')));
    const [ofOne, ofTwo] = await mails();
    await site.call('multisite.delete_everywhere', dora.id);
    assert.deepEqual(await mails(), [ofOne, ofTwo! + 1], 'Fay hears of it, and nobody else');
    assert.equal(await post(at('/two/'), gone), null);
    assert.equal((await as('/', 'alice').registries.items.list(kept))!.length, 1, 'this list stays');
    assert.equal(await hasJob(at('/'), 'deletion', gone), false);
    await runDueJobs(at('/two/'), 'deletion');
    assert.equal(await hasJob(at('/two/'), 'deletion', gone), false);
    const left = (await as('/two/', 'admin').items.list({ limit: 1000 }))!;
    assert.ok(!left.some(({ registry_id }) => registry_id === gone));
  });

  test('a user name that somebody takes on one site ends earlier invitations to it on every site', async () => {
    const lists = {} as Record<Place, number>;
    for (const place of places)
      lists[place] = await addPost(at(place), {
        ...{ post_type: 'registry', post_status: 'private', post_title: 'For Nina' },
        meta_input: { registry_invitees: '["nina","eve"]' },
      });
    const cost = await at('/two/').call('multisite.cost_of_account', 'nobody');
    assert.deepEqual(cost, [0, 1], 'one question for all sites');
    await addUser(site, 'nina', 'subscriber');
    for (const place of places) assert.deepEqual(await invitees(at(place), lists[place]), ['eve'], place);
    await site.call('multisite.cost_of_account', 'eve', false);
    for (const place of places) assert.deepEqual(await invitees(at(place), lists[place]), [], place);
  });

  test('the plugin, active on one site only, leaves the others alone', async () => {
    // A request of theirs that is under way would bring the plugin's rules back.
    for (const place of places) await services[place].close();
    await site.deactivate('trousseau', true);
    for (const place of places) {
      assert.equal(await nextRun(at(place), 'trousseau_jobs'), false);
      assert.equal((await admin(lists[place])).status, 404, place);
    }
    assert.equal(await activate(at('/two/'), 'trousseau'), null);
    assert.equal((await admin(lists['/'])).status, 404);
    assert.equal((await admin(lists['/two/'])).status, 200);
    assert.equal((await admin(`/${SETTINGS}`)).status, 403);
    await start('/two/');
    await setOption(at('/two/'), 'trousseau_base_url', services['/two/'].url);
    // The site's own administrator may make no users, so the account exists already.
    const carol = await site.visit('carol');
    const settings = (await carol(`/two/${SETTINGS}`)).text;
    assert.equal(settings.includes('trousseau_make_account'), false);
    assert.match(await connection('/two/', carol), /data-finding="connected"/);
    const [id] = await list('/two/', { title: 'Alone', status: 'publish' }, 'Last cup');
    assert.match((await page('/two/', id, admin, 'Last cup')).text, /Last cup/);
  });

  test('deleting the plugin deletes its data on every site', async () => {
    for (const place of places) {
      await setOption(at(place), 'trousseau_remove_data', '1');
      await at(place).call('multisite.keep', 'gifts_5');
    }
    await deactivate(at('/two/'), 'trousseau');
    await site.call('multisite.uninstall');
    for (const place of places)
      assert.deepEqual(await at(place).call('multisite.left'), [[], '0', null, []], place);
  });
});

// Sites of a network that join one service for many by themselves, and a site that joins by one press.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { freePort } from '../../api/test/free-port.ts';
import { keyOf, startManySites } from '../../api/test/many-sites.ts';
import { freshSqlite, startTestService } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { jobs, option, runDueJobs } from '../../dev/wordpress/set-up.ts';
import { formWith, recordingService } from '../../dev/wordpress/site.ts';
import type { WordPress } from '../../dev/wordpress/wordpress.ts';

const TOKEN = 'wp-json/trousseau/v1/joining';

type Many = Awaited<ReturnType<typeof startManySites>>;

async function joinable(store: { url: string }, site: WordPress): Promise<Many> {
  const port = await freePort();
  return startManySites(store, {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SITES_JOIN: 'code',
    LOOKUP_ALLOW: new URL(site.url).host,
  });
}

describeWordPress('a network whose sites join one service', { network: ['two', 'three'] }, (site) => {
  const places = ['/', '/two/', '/three/'];
  const SCREEN = '/wp-admin/network/settings.php?page=trousseau';
  const { admin } = site.visitors;
  let many: Many;

  before(async () => {
    many = site.use(await joinable(site.use(await freshSqlite()), site));
    assert.equal(await site.activate('trousseau', true), null);
  });

  const enter = (fields: Record<string, string>) =>
    admin.pressScreen(SCREEN, 'trousseau_network_service', fields);
  /** Visits a site until the network's screen says this about it: its own cron may be at the same job. */
  const use = async (place: string, words: RegExp) => {
    await admin(place);
    return until(`${place} says ${words}`, async () => {
      await runDueJobs(site.siteAt(place), 'join');
      const { text } = await admin(SCREEN);
      const row = new RegExp(`<tr data-site="${place}" data-connected="1?">.*?</tr>`, 's').exec(text);
      return words.test(row![0]) && text;
    });
  };

  test('the page of plugins leads to the network screen, which is for those who look after the network', async () => {
    assert.match((await admin('/wp-admin/network/plugins.php')).text, /settings\.php\?page=trousseau/);
    assert.notEqual((await site.visitors.carol(SCREEN)).status, 200);
  });

  test('a failure is shown in words, and each site is connected once the code is right', async () => {
    const text = await enter({ address: many.url, code: 'wrong' });
    assert.match(text, /connects in the background: the first ones now/);
    await use('/two/', /data-connected="".*The service rejects this site/s);
    assert.equal((await jobs(site.siteAt('/two/'), 'join')).length, 1, 'it is tried again');

    const code = (await many.command('code', '--uses', '3')).out.trim();
    await enter({ address: many.url, code });
    for (const place of places) assert.ok(!(await use(place, /data-connected="1"/)).includes(code));
    const bases = await Promise.all(places.map((place) => option(site.siteAt(place), 'trousseau_base_url')));
    assert.equal(new Set(bases).size, 3);
    const listed = (await many.command('list')).out.trim().split('\n');
    assert.equal(listed.length, 3);
    for (const base of bases) assert.ok(listed.some((line) => line.startsWith(base.split('/').at(-1))));
    const answer = await fetch(`${site.url}/${TOKEN}`);
    assert.deepEqual([answer.status, await answer.text()], [404, '[]']);
  });

  test('a new site joins by itself before anybody visits it', async () => {
    const code = (await many.command('code')).out.trim();
    await enter({ address: many.url, code });
    await site.call('multisite.add_site', 'four');
    const base = await until('the new site has its address', () =>
      option(site.siteAt('/four/'), 'trousseau_base_url'),
    );
    assert.match(base, /\/sites\/[\w-]{22}$/);
    assert.match((await many.command('list')).out, new RegExp(` ${site.url}/four active$`, 'm'));
  });

  test('the address of one site is not taken for that of all', async () => {
    const base = await option(site.siteAt('/two/'), 'trousseau_base_url');
    assert.match(await enter({ address: base }), new RegExp(`name="address" value="${many.url}"`));
    assert.match(await enter({ address: 'gifts' }), /Did you mean this\?.*name="address" value="gifts"/s);
  });
});

const muPlugin = `get_option( 'dev_service' ) && define( 'TROUSSEAU_SERVICE', get_option( 'dev_service' ) );`;

describeWordPress('a site that joins by one press', { muPlugin }, (site) => {
  const { admin } = site.visitors;
  let store: { url: string };
  let many: Many;
  const settings = '/wp-admin/options-general.php?page=trousseau';

  before(async () => {
    const fresh = site.use(await freshSqlite());
    store = fresh;
    many = site.use(await joinable(fresh, site));
  });

  const press = (fields: Record<string, string>) =>
    admin.pressScreen(settings, 'trousseau_join', { 'join-address': many.url, ...fields });
  const forget = () => site.setOptions({ trousseau_base_url: null, trousseau_app_password: null });

  test('the form comes first, and its address stays after a refusal', async () => {
    const { text } = await admin(settings);
    assert.ok(text.indexOf('Connect this site') < text.indexOf('Connect by hand'));
    const refused = await press({ code: 'wrong' });
    assert.match(refused, /The service rejects this site/);
    assert.ok(refused.includes(`name="join-address" value="${many.url}"`), refused);
    assert.equal(await site.option('trousseau_base_url'), false);
  });

  test('another program, a redirect and an address without https are told in words', async () => {
    const moved = { status: 301, headers: { location: 'https://gifts.example' } };
    await using other = await recordingService(({ path }) =>
      path === '/moved/sites' ? moved : { body: '<h1>Welcome</h1>' },
    );
    assert.match(await press({ 'join-address': other.url }), /it isn’t the Trousseau item service/);
    const found = await press({ 'join-address': `${other.url}/moved` });
    assert.match(found, /This address redirects to another one/);
    const port = await freePort();
    await using strict = await startManySites(store, { PORT: String(port), SITES_JOIN: 'open' });
    const seen = await press({ 'join-address': strict.url });
    assert.match(seen, /can’t accept this site’s address\. \(must begin with https:/);
    assert.equal(await site.option('trousseau_base_url'), false);
    await site.setOptions({ trousseau_base_url: `http://127.0.0.1:${await freePort()}` });
    const notices = (await press({ 'join-address': strict.url })).match(/notice-error/g);
    assert.equal(notices?.length, 1, 'it is told once');
    await forget();
  });

  test('one press connects it; again, it gets the same address, also where that is entered itself', async () => {
    const text = await press({ code: (await many.command('code')).out.trim() });
    assert.doesNotMatch(text, /notice-error/);
    assert.match(text, /This site is connected/);
    const base = await site.option('trousseau_base_url');
    assert.match(base, /\/sites\/[\w-]{22}$/);
    assert.equal(formWith(text, 'trousseau_join'), undefined);
    for (const address of [many.url, base]) {
      await forget();
      assert.match(await press({ 'join-address': address }), /This site is connected/);
      assert.equal(await site.option('trousseau_base_url'), base);
    }
  });

  test('another press connects it where the answer to the first one was lost', async () => {
    await using fresh = await freshSqlite();
    await using beside = await joinable(fresh, site);
    const code = (await beside.command('code')).out.trim();
    let losesAnswers = true;
    await using between = await recordingService(async ({ method, path, headers, body }) => {
      const { 'content-type': type = '' } = headers;
      const sent = { method, headers: { 'content-type': type }, ...(body && { body }) };
      const answer = await fetch(beside.url + path, sent);
      return losesAnswers ? { status: 502 } : { status: answer.status, body: await answer.text() };
    });
    const address = between.url;
    const secret = await site.option('trousseau_join_secret');
    await site.setOptions({ trousseau_join_secret: null });
    await forget();
    assert.match(await press({ 'join-address': address, code }), /can’t reach this site/);
    assert.match((await beside.command('list')).out, / active$/m);
    losesAnswers = false;
    assert.match(await press({ 'join-address': address, code }), /This site is connected/);
    await site.setOptions({ trousseau_join_secret: secret });
  });

  test('a service of one site is connected by the same press', async () => {
    await forget();
    await using own = await startTestService({
      HOST_URL: site.url,
      ITEM_ACCESS: 'registry',
      ADMIN_ROLES: 'administrator,trousseau_service',
    });
    assert.match(await press({ 'join-address': own.url }), /This site is connected/);
    assert.equal(await site.option('trousseau_base_url'), own.url);
    await using closed = await startManySites(store, { SITES_JOIN: 'off' });
    await forget();
    const found = await press({ 'join-address': closed.url });
    assert.match(found, /There’s no service at this address that accepts new sites/);
    assert.equal(await site.option('trousseau_base_url'), false);
    assert.match(await press({}), /This site is connected/);
  });

  test('a keeper’s constant names the service, and the form asks for no address', async () => {
    await forget();
    await site.setOptions({ dev_service: `${many.url}/` });
    const { text } = await admin(settings);
    assert.match(text, new RegExp(`The people who run this site have chosen ${many.url}\\.`));
    assert.doesNotMatch(text, /name="join-address"/);
    assert.match(await press({ 'join-address': 'https://other.example' }), /This site is connected/);
    assert.ok((await site.option('trousseau_base_url')).startsWith(many.url));
    await site.setOptions({ dev_service: null });
  });

  test('a press disconnects it, and another brings everything back', async () => {
    const user = await site.option('trousseau_username');
    assert.match((await admin(settings)).text, /export your site \(npm run sites -- export\)/);
    const text = await admin.pressScreen(settings, 'trousseau_leave');
    assert.match(text, /This site is disconnected/);
    assert.equal(formWith(text, 'trousseau_leave'), undefined);
    for (const name of ['base_url', 'username', 'app_password'])
      assert.equal(await site.option(`trousseau_${name}`), false, name);
    assert.match(await press({}), /This site is connected/);
    assert.equal(await site.option('trousseau_username'), user, 'the same account, with a new password');
  });

  test('from activating to “Your pages” takes three presses', { skip: skipWithoutChromium() }, async () => {
    await forget();
    await site.setOptions({ trousseau_pages_seen: null });
    await site.deactivate('trousseau');
    const code = (await many.command('code')).out.trim();
    const page = await site.tab('admin', { viewport: { width: 390, height: 900 } });
    await page.goto(`${site.url}/wp-admin/plugins.php`);
    await page.locator('#activate-trousseau').click();
    // WordPress moves notices while the page loads, and a press meanwhile is lost.
    await page.waitForURL(/activate=true/);
    await page.locator('#trousseau-setup a').click();
    await page.getByLabel('Address of the service').fill(many.url);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('This site is connected').waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Your pages' }).isVisible());
    assert.ok(page.url().endsWith('#trousseau-pages'), page.url());
  });

  test('a suspended site says so', async () => {
    const key = keyOf(await site.option('trousseau_base_url'));
    await many.command('suspend', key);
    await until('it is noticed', async () => (await fetch(`${many.url}/sites/${key}/health`)).status === 503);
    assert.deepEqual(await site.testConnection(), ['not_served', 'This site is suspended']);
    await forget();
    const found = await press({});
    assert.match(found, /The service answers, but isn’t serving this site right now.*This site is suspended/);
  });

  test('a site without its secret joins again with a new one', async () => {
    const key = (await many.command('list')).out.split(' ')[0]!;
    await many.command('resume', key);
    // Its secret is for another address of the same service.
    await using beside = await joinable(store, site);
    const connect = (fields: object) => press({ 'join-address': beside.url, ...fields });
    await forget();
    for (const fields of [{}, { code: 'wrong' }])
      assert.match(await connect(fields), /this site doesn’t have its secret/);
    const secret = (await beside.command('secret', key)).out.trim();
    for (const fields of [{ code: secret }, {}]) {
      assert.match(await connect(fields), /This site is connected/);
      assert.equal(keyOf(await site.option('trousseau_base_url')), key);
      await forget();
    }
    assert.doesNotMatch(await site.option('trousseau_join_secret'), new RegExp(secret));
  });
});

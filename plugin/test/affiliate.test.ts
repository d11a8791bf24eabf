// Affiliate links by shop, with the service as it ships: rules, what is done in the background, dead links, the numbers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { shopIsOnTheWeb } from '../../dev/sample/people.ts';
import { until } from '../../dev/until.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Call, inSeconds } from '../../dev/wordpress/set-up.ts';
import { decoded, formWith, type RecordingService, recordingService } from '../../dev/wordpress/site.ts';

const screen = '/wp-admin/edit.php?post_type=registry&page=trousseau-affiliate';

describeSite('affiliate links', {}, (site) => {
  const { admin } = site.visitors;
  let shop: RecordingService;
  let gone: Set<string>;

  site.startWith(async () => {
    gone = new Set();
    // The shop has lost some pages, keeps robots out of one, and redirects from another.
    shop = await recordingService(({ path }) => {
      const page = path.split('?')[0]!;
      if (page === '/moved') return { status: 302, headers: { location: '/gone' } };
      return {
        status: page === '/gone' || gone.has(page) ? 404 : page === '/wall' ? 403 : 200,
        body: 'A page',
      };
    });
    return { ...shopIsOnTheWeb };
  });

  after(async () => {
    await shop?.close();
  });

  const as = (who: 'admin' | 'alice') => site.client(who);
  const registry = async (title: string, urls: string[]) => {
    const { id } = (await as('alice').registries.create({ title, status: 'publish' }))!;
    const items: number[] = [];
    for (const [place, url] of urls.entries()) {
      const item = { registry_id: id, name: `${title} ${place}`, url };
      items.push((await as('alice').items.create(item))!.data.id);
    }
    return { id, items };
  };
  const gift = async (id: number, url: string) =>
    (await as('alice').registries.items.create(id, { name: 'Pan', url }))!.data.id;
  const linkOf = async (id: number) => {
    const item = (await as('admin').items.get(id)) as Record<string, unknown>;
    return [item.affiliate_url, item.affiliate_status];
  };
  const links = (ids: number[]) => Promise.all(ids.map(linkOf));
  const isUnderway = async () => Boolean(await site.keptValue('affiliate_round'));
  /** Runs the site's clock as often as needed; a piece that was postponed by a minute is due at once. */
  const tick = async (times = 30) => {
    for (let left = times; left > 0; left--) {
      await site.inTurn(
        ['make_due', 'affiliate-round'],
        ['wp_unschedule_hook', 'trousseau_jobs'],
        ['wp_schedule_single_event', inSeconds(-1), 'trousseau_jobs', ['soon']],
      );
      await fetch(`${site.url}/wp-cron.php`);
      if (!(await isUnderway())) return;
    }
    assert.equal(times < 30, true, 'the round comes to its end');
  };
  const formOn = async (path: string, what: string) => {
    const { text, status } = await admin(path);
    assert.equal(status, 200);
    return formWith(text, what)!;
  };
  const press = async (fields: Record<string, string>, visitor = admin) => {
    const answer = await visitor('/wp-admin/admin-post.php', fields);
    assert.equal(answer.status, 303, answer.text);
    return (await admin(answer.headers.get('location')!)).text;
  };
  const setRule = async (name: string, template: string, path = screen) =>
    press({ ...(await formOn(path, 'name="template"')), shop: name, template });
  /** Sent when its nonce is over, a form stands on its screen again as it was typed. */
  const comesTooLate = async (fields: Record<string, string>) => {
    const text = await press({ ...fields, _wpnonce: 'over' });
    assert.match(text, /This form was open for too long, so nothing was saved/);
    const again = formWith(text, 'name="template"')!;
    const { _wpnonce } = again;
    assert.deepEqual(again, { ...fields, _wpnonce });
  };
  const host = () => new URL(shop.url).host;
  const ofShop = () => `${screen}&shop=${encodeURIComponent(host())}`;
  const end = async (name: string) => {
    await press(await formOn(`${screen}&shop=${encodeURIComponent(name)}`, 'value="end"'));
    await tick();
  };

  test('only an administrator sees and changes them, with a form of the site', async () => {
    const fields = { ...(await formOn(screen, 'name="template"')), shop: 'taken.example', template: '?a=b' };
    for (const visitor of [await site.visit('alice'), await site.visit()]) {
      assert.notEqual((await visitor(screen)).status, 200);
      const sent = await visitor('/wp-admin/admin-post.php', fields);
      const login = sent.headers.get('location');
      if (login === null) assert.match(decoded(sent.text), /Your account can’t do that.*Back to the site/s);
      else assert.match(login, /\/wp-login\.php\?redirect_to=[^&]*page%3Dtrousseau-affiliate/);
      assert.equal(sent.status, login === null ? 403 : 303);
    }
    await comesTooLate(fields);
    await admin(`/wp-admin/admin-post.php?${new URLSearchParams(fields)}`); // a GET changes nothing
    assert.equal(await site.option('trousseau_affiliate_rules'), false);
  });

  test('an unusable value stays in its field, with the reason beside it', async () => {
    const text = await setRule('not a shop', 'https://p.example/"><b>');
    assert.match(text, /Enter the shop’s address, such as shop\.example/);
    assert.match(text, /The link needs {url}/);
    assert.match(text, /<input[^>]*value="not a shop"[^>]*aria-invalid="true"/);
    assert.match(text, /value="https:\/\/p\.example\/&quot;&gt;&lt;b&gt;"/);
    assert.equal(await site.option('trousseau_affiliate_rules'), false);
  });

  test('a rule makes the links of a shop in the background, changes and ends them, and leaves owners’ own alone', async () => {
    const long = `${shop.url}/${'long/'.repeat(100)}`;
    const one = await registry('Ann & Bob', [
      `${shop.url}/pan`,
      'https://other.example/pot',
      `${shop.url}/own`,
    ]);
    const two = await registry('Eve & Kim', [`${shop.url}/cup?size=2`, long]);
    await as('alice').registries.items.affiliate.set(one.id, one.items[2]!, {
      affiliate_url: 'https://mine.example/own',
    });
    const [pan, pot, own] = one.items as [number, number, number];
    const [cup, far] = two.items as [number, number];

    const saved = await setRule(shop.url, 'https://p.example/?id=7&to={url}');
    assert.match(saved, /notice-success[\s\S]*The links to 127\.0\.0\.1:\d+ are being created/);
    assert.match(saved, /The links are being updated/);
    assert.deepEqual(await linkOf(pan), [null, null], 'nobody waits for it');
    await tick();
    const to = (url: string) => `https://p.example/?id=7&to=${encodeURIComponent(url)}`;
    assert.deepEqual(await links([pan, pot, own, cup, far]), [
      [to(`${shop.url}/pan`), 'active'],
      [null, null],
      ['https://mine.example/own', 'active'],
      [to(`${shop.url}/cup?size=2`), 'active'],
      [to(long), 'active'],
    ]);
    const row = /<tr>(?:(?!<\/tr>)[\s\S])*?127\.0\.0\.1[\s\S]*?<\/tr>/.exec((await admin(screen)).text)![0];
    const cell = (name: string) => new RegExp(`data-colname="${name}">(\\d+)`).exec(row)?.[1];
    assert.deepEqual([cell('Gifts'), cell('Links')], ['4', '4']);

    // A new gift gets its link by itself; a gift whose shop has changed gets the new shop's link.
    const jug = await gift(two.id, `${shop.url}/jug`);
    const guest = await site.visit();
    // The page's list may be some seconds old; its items are checked when the site's clock ticks, or, where WordPress
    // loses that event, a quarter of a minute later.
    await until('the new gift has a link', async () => {
      await site.call('forget_locks', `gifts-${two.id}`, `affiliate-${two.id}`);
      await guest(`/?registry=${two.id}`);
      await fetch(`${site.url}/wp-cron.php`);
      return (await linkOf(jug))[0];
    });
    assert.deepEqual(await linkOf(jug), [to(`${shop.url}/jug`), 'active']);

    await as('admin').registries.items.affiliate.set(two.id, cup, {
      affiliate_url: to(`${shop.url}/cup?size=2`),
      affiliate_status: 'inactive',
    });
    await comesTooLate({ ...(await formOn(ofShop(), 'name="template"')), template: '?tag=typed' });
    await setRule(host(), '?tag=me-21', ofShop());
    await tick();
    assert.deepEqual(await links([pan, own, cup, jug]), [
      [`${shop.url}/pan?tag=me-21`, 'active'],
      ['https://mine.example/own', 'active'],
      [`${shop.url}/cup?size=2&tag=me-21`, 'inactive'],
      [`${shop.url}/jug?tag=me-21`, 'active'],
    ]);
    await end(host());
    assert.deepEqual(await links([pan, own, cup, jug, far]), [
      [null, null],
      ['https://mine.example/own', 'active'],
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  test('a dead link is found, replaced by the owner’s address, named, and back when the page is', async () => {
    const urls = ['/here', '/away', '/wall', '/moved', '/away'].map((path) => shop.url + path);
    const { id, items } = await registry('Dead & alive', urls);
    const [here, away, wall, moved] = items as [number, number, number, number];
    gone.add('/away');
    await setRule(host(), '?tag=me-21');
    await tick();
    const status = async (ids: number[]) => (await links(ids)).map(([, word]) => word);
    assert.deepEqual(await status([here, away, wall, moved]), ['active', 'active', 'active', 'active']);

    shop.requests.length = 0;
    const checking = await press(await formOn(ofShop(), 'value="check"'));
    assert.match(checking, /are being checked/);
    await tick();
    assert.deepEqual(await status([here, away, wall, moved]), ['active', 'expired', 'active', 'expired']);
    const asked = shop.requests.filter(({ path }) => path.startsWith('/away'));
    assert.equal(asked.length, 1, 'the same link once');
    assert.match(asked[0]!.headers['user-agent']!, /^Trousseau\/\d.*link check/);
    const page = await admin(ofShop());
    assert.match(page.text, /Dead & alive 1<|Dead &amp; alive 1</);
    assert.match(page.text, new RegExp(`registries/${id}/gifts/`));
    assert.match(page.text, /<dt>Broken links<\/dt><dd>3<\/dd>/);
    assert.match(page.text, /<dt>Could not be checked<\/dt><dd>2<\/dd>/);
    const guest = await site.visit();
    const list = decoded((await guest(`/?registry=${id}`)).text);
    assert.ok(list.includes(`href="${shop.url}/away"`), 'guests go by the owner’s address');

    gone.delete('/away');
    await press(await formOn(screen, 'value="check"'));
    await tick();
    assert.deepEqual(await status([away, moved]), ['active', 'expired']);
    await end(host());
  });

  test('no address inside the own network is fetched', async () => {
    const inside = await recordingService();
    const { hostname, port } = new URL(inside.url);
    const noException: Call = ['remove_all_filters', 'http_request_host_is_external'];
    const address = `http://${hostname}:${port}/`;
    await site.inTurn(
      noException,
      ['remove_all_filters', 'http_allowed_safe_ports'],
      ['affiliate.link_state', address],
    );
    assert.deepEqual(inside.requests, []);
    await inside.close();
    // WordPress 6.1 knows few of them.
    const hosts =
      '169.254.169.254 100.64.0.1 192.0.0.8 198.18.0.1 239.1.1.1 0xa9fea9fe 2852039166 127.1 localhost localhost.';
    const outside = 'http://93.184.216.34/';
    const asked = await site.inTurn(noException, ['affiliate.asked', outside, ...hosts.split(' ')]);
    assert.deepEqual(asked, [outside]);
  });

  test('the address that was looked at is the one that is fetched, and redirects are looked at anew', async () => {
    const inside = await recordingService();
    const { port } = new URL(inside.url);
    // The name leads somewhere else between the check and the fetch.
    const other = createServer((_, response) => response.end('inside')).listen(Number(port), '127.0.0.2');
    await once(other, 'listening');
    await site.inTurn(
      ['affiliate.move_name', `localhost:${port}`, '127.0.0.2'],
      ['affiliate.link_state', `http://localhost:${port}/`],
    );
    assert.equal(inside.requests.length, 1);
    inside.requests.length = 0;
    inside.answer = ({ path }) =>
      path === '/hop'
        ? { status: 302, headers: { location: `http://localhost:${port}/secret`, 'set-cookie': 'a=b' } }
        : {};
    const state = await site.inTurn(
      ['remove_all_filters', 'http_request_host_is_external'],
      ['affiliate.trust_host', '127.0.0.1'],
      ['affiliate.link_state', `http://127.0.0.1:${port}/hop`],
    );
    assert.equal(state, 'unknown');
    assert.deepEqual(
      inside.requests.map(({ path }) => path),
      ['/hop'],
    );
    await inside.close();
    other.closeAllConnections();
    other.close();
  });

  test('shops that owners invent by the thousand don’t stop the round', async () => {
    const shops: Record<string, { gifts: number }> = await site.call('affiliate.round_of_many');
    const gifts = Object.values(shops).map((shop) => shop.gifts);
    assert.deepEqual([gifts.length, shops['ruled.example']?.gifts], [1000, 1500]);
    assert.ok(gifts.reduce((sum, count) => sum + count) >= 2499);
  });

  test('an interrupted round goes on where it was, and looks at every item once', async () => {
    const { items } = await registry(
      'Many',
      Array.from({ length: 130 }, (_, place) => `${shop.url}/many/${place}`),
    );
    await setRule(`${host()}/many`, '?tag=me-21');
    // The piece ends after 30 items, as if its time were over.
    await site.inTurn(
      ['affiliate.fail_after', 30],
      ['make_due', 'affiliate-round'],
      ['run_jobs', 'affiliate-round'],
    );
    const state = await site.keptValue('affiliate_round');
    assert.equal(state.trouble, 'it is down');
    assert.match((await admin(screen)).text, /notice-warning[\s\S]*try again in a few minutes: it is down/);
    const made = async () => (await links(items)).filter(([, word]) => word === 'active').length;
    assert.equal(await made(), 30);
    // Meanwhile gifts come and go before the place where it was.
    await as('alice').items.delete(items[129]!);
    const { items: newer } = await registry(
      'Newer',
      Array.from({ length: 3 }, () => `${shop.url}/new`),
    );
    await tick();
    assert.equal((await links(items.slice(0, 129))).filter(([, word]) => word === 'active').length, 129);
    assert.deepEqual(await linkOf(newer[0]!), [null, null]);
    const found = (await site.keptValue('affiliate_found')).shops;
    assert.deepEqual(
      [found[`${host()}/many`].gifts, found[`${host()}/many`].links],
      [130, 130],
      'each is counted once',
    );
    await end(`${host()}/many`);
  });

  test('an account without administrator rights at the service is reported, and takes nothing for missing', async () => {
    const { trouble } = await site.inTurn(
      ['affiliate.hide_links'],
      ['affiliate.begin_round'],
      ['make_due', 'affiliate-round'],
      ['run_jobs', 'affiliate-round'],
      ['kept_value', 'affiliate_round'],
    );
    assert.match(trouble, /ADMIN_ROLES/);
    await tick();
  });

  test('follows of links are counted by shop and month, and nothing else about them is kept', async () => {
    const { id, items } = await registry('Counted', [`${shop.url}/pan`]);
    await setRule(host(), '?tag=me-21');
    await tick();
    const guest = await site.visit();
    const go = `/?trousseau_go=${items[0]}&registry=${id}`;
    const here = { 'sec-fetch-site': 'same-origin' };
    await guest(`/?registry=${id}`);
    const values = async () => (await site.rows('trousseau_values')).map(({ name, value }) => [name, value]);
    const before = (await values()).map(([name]) => name);
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { status, headers } = await guest(go, undefined, here);
        assert.deepEqual([status, headers.get('location')], [302, `${shop.url}/pan?tag=me-21`]);
      }),
    );
    await guest(go); // a visitor from elsewhere is asked first
    await guest(go, undefined, { ...here, 'sec-purpose': 'prefetch' });
    await fetch(site.url + go, { method: 'HEAD', headers: here, redirect: 'manual' });
    const month = new Date().toISOString().slice(0, 7);
    assert.deepEqual(await site.call('affiliate.clicks'), { [host()]: { [month]: 12 } });
    // The service's notices of changes are counted for the whole site, by the minute.
    const notices: number = await site.call('affiliate.notices');
    const isOurs = ([name, value]: (string | undefined)[]) =>
      /^lock_/.test(name!) || (/^count_/.test(name!) && Number(value) === notices);
    const added = (await values()).filter((row) => !before.includes(row[0]) && !isOurs(row));
    assert.deepEqual(added, [[`followed_${month}_${encodeURIComponent(host())}`, '12']]);
    assert.match((await admin(ofShop())).text, /<dt>Clicks this month<\/dt><dd>12<\/dd>/);
    await end(host());
  });

  test('the screen is usable by keyboard, on a phone and to axe', {
    skip: skipWithoutChromium(),
  }, async () => {
    await registry('To see', [`${shop.url}/gone`, `${shop.url}/pan`, 'https://other.example/pot']);
    await setRule(host(), '?tag=me-21');
    await press(await formOn(ofShop(), 'value="check"'));
    await tick();
    const browser = await launchChromium();
    try {
      for (const width of [1280, 375]) {
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        await signIn(page, site, site.users.admin);
        for (const path of [screen, ofShop()]) {
          await page.goto(site.url + path);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${path} at ${width}`,
          );
          const { violations } = await runAxe(page, '.trousseau-affiliate');
          assert.deepEqual(violations, [], `${path} at ${width}`);
        }
        // The keyboard alone opens the details and ends the rule.
        if (width === 1280) {
          await page.locator('.trousseau-end summary').focus();
          await page.keyboard.press('Enter');
          await page.keyboard.press('Tab');
          await Promise.all([page.waitForURL(/settings-updated/), page.keyboard.press('Enter')]);
          assert.match(await page.innerText('.notice-success'), /are being removed/);
          await setRule(host(), '?tag=me-21');
        }
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

// Affiliate links by shop, as far as it takes a network or a browser. AffiliateTest.php has the rest.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { shopIsOnTheWeb } from '../../dev/sample/people.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import type { Call } from '../../dev/wordpress/set-up.ts';
import { recordingService } from '../../dev/wordpress/site.ts';

const screen = '/wp-admin/edit.php?post_type=registry&page=trousseau-affiliate';

describeSite('affiliate links', {}, (site) => {
  const { admin } = site.visitors;
  site.startWith(() => ({ ...shopIsOnTheWeb }));

  const setRule = (shop: string) =>
    admin.pressScreen(screen, 'name="template"', { shop, template: '?tag=me-21' });

  test('no address inside the own network is fetched', async () => {
    await using inside = await recordingService();
    const noException: Call = ['remove_all_filters', 'http_request_host_is_external'];
    const anyPort: Call = ['remove_all_filters', 'http_allowed_safe_ports'];
    await site.inTurn(noException, anyPort, ['affiliate.link_state', `${inside.url}/`]);
    assert.deepEqual(inside.requests, []);
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
    assert.equal(inside.requests.map(({ path }) => path).join(), '/hop');
    await inside.close();
    other.closeAllConnections();
    other.close();
  });

  test('the screen is usable by keyboard, on a phone and to axe', {
    skip: skipWithoutChromium(),
  }, async () => {
    const shop = 'shop.example';
    const ofShop = `${screen}&shop=${shop}`;
    const urls = ['https://shop.example/pan', 'https://other.example/pot'];
    await site.list({}, ...urls.map((url) => ({ name: 'Pan', url })));
    await setRule(shop);
    await site.inTurn(['make_due', 'affiliate-round'], ['run_jobs', 'affiliate-round']);
    for (const width of [1280, 375]) {
      const page = await site.tab('admin', { viewport: { width, height: 900 } });
      for (const path of [screen, ofShop]) {
        await page.goto(site.url + path);
        const isWhole = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        assert.ok(isWhole, `${path} at ${width}`);
        const { violations } = await runAxe(page, '.trousseau-affiliate');
        assert.deepEqual(violations, [], `${path} at ${width}`);
      }
      if (width !== 1280) continue;
      // The keyboard alone opens the details and ends the rule.
      await page.locator('.trousseau-end summary').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await Promise.all([page.waitForURL(/settings-updated/), page.keyboard.press('Enter')]);
      assert.match(await page.innerText('.notice-success'), /are being removed/);
      await setRule(shop);
    }
  });
});

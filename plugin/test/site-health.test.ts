// The checks for a site's keeper on WordPress's screens, on the settings page and by WP-CLI, and the one that tries a page cache.
// SiteHealthTest.php has the others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import type { Finding } from '../../dev/wordpress/set-up.ts';
import { type RecordingService, recordingService } from '../../dev/wordpress/site.ts';
import { skipWithoutWpCli, wpCli } from '../../dev/wordpress/wp-cli.ts';

const plugin = /^const VERSION += '(.*)';/m.exec(
  readFileSync(join(import.meta.dirname, '../trousseau.php'), 'utf8'),
)![1]!;
const slow = ['connection', 'account', 'versions', 'clock', 'reservations', 'surprises', 'page_cache'];
const checks = [...slow, 'jobs', 'mail', 'keys', 'givers', 'uninvited', 'visitors'];

describeSite('the checks', {}, (site) => {
  let fake: RecordingService;
  let cache: Awaited<ReturnType<typeof temporaryFolder>>;

  site.startWith(async () => {
    fake = site.use(await recordingService());
    cache = site.use(await temporaryFolder());
    return {
      env: { TROUSSEAU_CARELESS_CACHE: cache.path },
      muPlugins: ['careless-cache', 'failing-site'],
      service: { ADMIN_ROLES: 'administrator,trousseau_service' },
    };
  });
  before(async () => {
    await site.call('site-health.make_account');
  });
  const found = (): Promise<Record<string, Finding>> => site.call('findings');
  /** Runs something while the settings name a service that says so of itself. */
  async function withStatus(status: object, run: () => Promise<void>): Promise<void> {
    fake.answer = ({ path }) => {
      if (path === '/health') return { body: { status: 'healthy', service: 'trousseau-api' } };
      if (path !== '/status') return { body: [] };
      const now = new Date().toISOString();
      return {
        body: { version: plugin, time: now, item_access: 'registry', claims_expired_at: now, ...status },
      };
    };
    await site.setOptions({ trousseau_base_url: fake.url });
    try {
      await run();
    } finally {
      await site.setOptions({ trousseau_base_url: site.service.url });
    }
  }

  test('find a cache that keeps what is for one visitor only', async () => {
    const cached = async () => (await found()).page_cache!;
    const everything = '.';
    const cases: [Record<string, string>, string, RegExp][] = [
      [{}, 'good', /Each got the right page/],
      [{ on: everything }, 'critical', /a stranger got it, too/],
      [{ on: everything, status: '200' }, 'critical', /a stranger got it, too/],
      [{ on: everything, status: '404' }, 'critical', /invited guests can’t open their lists/],
      [{ on: '^/$' }, 'good', /Each got the right page/],
    ];
    for (const [files, status, words] of cases) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cache.path, name), text);
      try {
        const finding = await cached();
        assert.equal(finding.status, status, JSON.stringify(files));
        assert.match(finding.words, words);
        assert.equal(/wp-postpass_.*nginx.*Varnish.*Cloudflare/.test(finding.cure), status !== 'good');
      } finally {
        for (const name of readdirSync(cache.path))
          if (/^(on|status|[0-9a-f]{32})$/.test(name)) rmSync(join(cache.path, name));
      }
    }
    await site.setOptions({ test_no_loopback: '1' });
    const finding = await cached();
    assert.deepEqual([finding.status, /loopback/.test(finding.cure)], ['unknown', true]);
    // A lost answer says nothing about a cache.
    await site.setOptions({ test_no_loopback: '6' });
    assert.equal((await cached()).status, 'unknown');
    await site.setOptions({ test_no_loopback: null });
    // The probe's page shows nobody's list, and its address works only with the cookie and for a short time.
    const now = Math.round(Date.now() / 1000);
    for (const [until, asGuest, status] of [
      [now + 600, true, 200],
      [now + 600, false, 404],
      [now - 60, true, 404],
    ] as const) {
      const name = await site.call('sign', 'cache probe', `${until} x`);
      const cookie = await site.cookieOf('probe', `${until} x`);
      const answer = await fetch(`${site.url}/registry/${name}/`, { headers: asGuest ? { cookie } : {} });
      assert.equal(answer.status, status, `${until - now} ${asGuest}`);
      assert.match(answer.headers.get('cache-control')!, /no-store/);
      const words = (await answer.text()).match(/\b[0-9a-f]{32,}\b/g) ?? [];
      assert.ok(words.length > 0 || status !== 200);
      for (const { length } of words) {
        const such = Array.from({ length: 2000 }, () => randomBytes(length / 2).toString('hex')).join('\n');
        assert.equal(await site.call('wptexturize', such), such, 'WordPress leaves the word as it is');
      }
    }
  });

  test('stand on the screens themselves', { skip: skipWithoutChromium() }, async () => {
    const tab = await site.tab('admin', { viewport: { width: 1200, height: 1400 } });
    tab.on('pageerror', (error) => assert.fail(error));
    await withStatus({ item_access: 'authenticated' }, async () => {
      await tab.goto(`${site.url}/wp-admin/site-health.php`);
      await tab.getByText('Anyone with an account can see and change all gifts').waitFor();
      const button = tab.getByRole('button', { name: /Anyone with an account/ });
      await button.first().click();
      await tab.getByText('Start the service with ITEM_ACCESS=registry.').waitFor();
    });
    await tab.goto(`${site.url}/wp-admin/options-general.php?page=trousseau`);
    await tab.click('#trousseau-test');
    await tab.waitForSelector('#trousseau-connection[data-finding="connected"]');
    const results = tab.locator('#trousseau-result [data-check]');
    const shown = await results.evaluateAll((all) => all.map((one) => ({ ...(one as HTMLElement).dataset })));
    const good = checks.slice(1).map((check) => ({ check, status: 'good' }));
    assert.deepEqual(shown, good);
  });

  test('wp trousseau doctor says the same, and ends with 1 where something is wrong', {
    skip: skipWithoutWpCli(),
  }, async () => {
    const all = await found();
    const lines = await wpCli(site, ['trousseau', 'doctor']);
    assert.equal(lines.status, 0, lines.stdout + lines.stderr);
    assert.equal(lines.stdout.match(/^ok /gm)?.length, checks.length, lines.stdout);
    const json = await wpCli(site, ['trousseau', 'doctor', '--format=json']);
    const titles = (of: Record<string, Finding>) => Object.values(of).map(({ title }) => title);
    assert.deepEqual(titles(JSON.parse(json.stdout)), titles(all));
    await withStatus({ item_access: 'authenticated' }, async () => {
      const bad = await wpCli(site, ['trousseau', 'doctor']);
      assert.equal(bad.status, 1);
      assert.match(bad.stdout, /^FAIL {2}Anyone with an account .*\n {6}→ Start the service with ITEM_/m);
    });
  });
});

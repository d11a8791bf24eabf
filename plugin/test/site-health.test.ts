// The checks for a site's keeper: the same under Site Health, on the settings page and by WP-CLI.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import apiPackage from '../../api/package.json' with { type: 'json' };
import { temporaryFolder } from '../../api/test/support.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { cookieOf, type Finding, inSeconds, runDueJobs, setOptions } from '../../dev/wordpress/set-up.ts';
import { complaints, type RecordingService, recordingService, rest } from '../../dev/wordpress/site.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';
import { skipWithoutWpCli, wpCli } from '../../dev/wordpress/wp-cli.ts';

const plugin = /^const VERSION += '(.*)';/m.exec(
  readFileSync(join(import.meta.dirname, '../trousseau.php'), 'utf8'),
)![1]!;
const slow = ['connection', 'account', 'versions', 'clock', 'reservations', 'surprises', 'page_cache'];
const checks = [...slow, 'jobs', 'mail', 'givers', 'uninvited'];

describe('the checks', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let fake: RecordingService;

  let cache: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    fake = await recordingService();
    cache = await temporaryFolder();
    site = await startWholeSite(
      {
        env: { TROUSSEAU_CARELESS_CACHE: cache.path },
        muPlugins: ['careless-cache', 'failing-site'],
      },
      { ADMIN_ROLES: 'administrator,trousseau_service' },
    );
  });
  after(async () => {
    await site?.stop();
    await fake?.close();
    await cache?.[Symbol.asyncDispose]();
  });

  const found = (): Promise<Record<string, Finding>> => site.call('findings');
  const statuses = async () =>
    Object.fromEntries(Object.entries(await found()).map(([name, { status }]) => [name, status]));
  const options = (values: Record<string, unknown>) => setOptions(site, values);
  /** Runs something while the settings name a service with this status. */
  async function withStatus(status: object | number, run: () => Promise<void>): Promise<void> {
    const isStatus = typeof status === 'object';
    fake.answer = ({ path }) => {
      if (path === '/health') return { body: { status: 'healthy', service: 'trousseau-api' } };
      if (path !== '/status') return { body: [] };
      const told = {
        version: plugin,
        time: new Date().toISOString(),
        item_access: 'registry',
        claims_expired_at: new Date().toISOString(),
      };
      return isStatus ? { body: { ...told, ...status } } : { status, body: { detail: 'No' } };
    };
    await options({ trousseau_base_url: fake.url });
    try {
      await run();
    } finally {
      await options({ trousseau_base_url: site.service.url });
    }
  }
  const well = Object.fromEntries(checks.map((name) => [name, 'good']));

  test('find nothing wrong on a sound site except an account that may do everything', async () => {
    const first = await found();
    assert.deepEqual(await statuses(), { ...well, account: 'recommended' }, JSON.stringify(first));
    assert.match(first.account!.words, /an administrator’s/);
    assert.match(first.versions!.words, /plugin has version \d.*the service \d.*WordPress \d.*PHP \d/);
    assert.equal(new Set(Object.values(first).map(({ title }) => title)).size, checks.length);
    await site.call('site-health.make_account');
    assert.deepEqual(await statuses(), well);
    await site.call('change_rights', 'trousseau_service', { delete_others_registries: false });
    const lacking = (await found()).account!;
    assert.equal(lacking.status, 'critical');
    assert.match(lacking.cure, /delete_others_registries/);
  });

  test('find what is wrong with the service, which says it itself', async () => {
    await site.call('site-health.renew_role');
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const cases: [object | number, Record<string, string>, string, RegExp][] = [
      [{}, {}, 'clock', /^$/],
      [{ version: '99.9.3' }, { versions: 'recommended' }, 'versions', /same minor version/],
      [{ version: plugin.replace(/\d+$/, '77') }, {}, 'versions', /^$/],
      [{ time: ago(-400) }, { clock: 'recommended', reservations: 'critical' }, 'clock', /NTP/],
      [{ time: ago(300), claims_expired_at: ago(310) }, { clock: 'recommended' }, 'clock', /NTP/],
      [{ claims_expired_at: ago(400) }, { reservations: 'critical' }, 'reservations', /a job failed/],
      [{ claims_expired_at: null }, { reservations: 'critical' }, 'reservations', /start it again/],
      [{ item_access: 'authenticated' }, { surprises: 'critical' }, 'surprises', /ITEM_ACCESS=registry/],
      [
        { version: undefined },
        { versions: 'unknown', clock: 'unknown', reservations: 'unknown', surprises: 'unknown' },
        'versions',
        /^$/,
      ],
      // A service that is older than the plugin has no such page.
      [
        404,
        { versions: 'unknown', clock: 'unknown', reservations: 'unknown', surprises: 'unknown' },
        'clock',
        /^$/,
      ],
    ];
    for (const [status, expected, check, cure] of cases)
      await withStatus(status, async () => {
        const all = await found();
        const told = Object.fromEntries(Object.entries(all).map(([name, { status }]) => [name, status]));
        assert.deepEqual(told, { ...well, ...expected }, JSON.stringify(status));
        assert.match(all[check]!.cure, cure);
      });
    await options({ trousseau_base_url: 'http://127.0.0.1:9' });
    const away = await found();
    assert.equal(away.connection!.status, 'critical');
    assert.deepEqual(
      checks.filter((name) => away[name]!.status === 'unknown'),
      slow.slice(1).filter((name) => name !== 'page_cache'),
    );
    assert.equal(away.page_cache!.status, 'good', 'caches are tried without the service');
    assert.match(away.clock!.title, /^Not known yet/);
    await options({ trousseau_base_url: site.service.url });
  });

  test('find a cache that keeps what is for one visitor only', async () => {
    const cached = async () => (await found()).page_cache!;
    const everything = '.';
    const cases: [Record<string, string>, string, RegExp][] = [
      [{}, 'good', /each was shown their own/],
      [{ on: everything }, 'critical', /was shown to a stranger afterwards/],
      [{ on: everything, status: '200' }, 'critical', /was shown to a stranger afterwards/],
      [{ on: everything, status: '404' }, 'critical', /invited guests don’t come in/],
      [{ on: '^/$' }, 'good', /each was shown their own/],
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
    await options({ test_no_loopback: '1' });
    const finding = await cached();
    assert.deepEqual([finding.status, /loopback/.test(finding.cure)], ['unknown', true]);
    // A lost answer says nothing about a cache.
    await options({ test_no_loopback: '6' });
    assert.equal((await cached()).status, 'unknown');
    await options({ test_no_loopback: null });
    // The probe's page shows nobody's list, and its address works only with the cookie and for a short time.
    const now = Math.round(Date.now() / 1000);
    for (const [until, asGuest, status] of [
      [now + 600, true, 200],
      [now + 600, false, 404],
      [now - 60, true, 404],
    ] as const) {
      const name = await site.call('sign', 'cache probe', `${until} x`);
      const cookie = await cookieOf(site, 'probe', `${until} x`);
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

  test('find mails that don’t leave, and say why without anybody’s address', async () => {
    const mail = async () => (await found()).mail!;
    assert.match((await mail()).words, /None had to leave yet/);
    const send = (to: string) => site.call('send_mail', to, 'my-gifts', { link: site.url });
    await send('ann@example.org');
    await site.mails();
    assert.match((await mail()).words, /The last one left \d+ (?:second|min)s? ago/);

    await send('ben@example.org');
    await site.call('site-health.delay_mails', 3 * 3600);
    const late = await mail();
    assert.equal(late.status, 'critical');
    assert.match(late.words, /3 hours ago and waits still/);

    await options({ test_no_mail: '1' });
    // The mail is tried six times, each when it is due.
    for (let tries = 0; tries < 7; tries++) await runDueJobs(site, 'mail');
    const failed = await mail();
    assert.equal(failed.status, 'critical');
    assert.match(failed.words, /^1 mail to a guest or an owner could not be sent.* Refused: <…> is unknown$/);
    await options({ test_no_mail: null });
    await send('cem@example.org');
    await site.mails();
    assert.equal((await mail()).status, 'good');
  });

  test('tell no keeper, who may be an owner with a surprise, how much is reserved', async () => {
    const facts = async () => {
      const { fields } = await site.call('site-health.facts');
      return Object.fromEntries(
        (Object.values(fields) as { label: string; value: string }[]).map(({ label, value }) => [
          label,
          value,
        ]),
      );
    };
    const before = await facts();
    // A reservation plans two mails: a reminder, and one about its end.
    for (const days of [12, 14])
      await site.call('send_mail', 'ann@example.org', 'claim-reminder', {}, inSeconds(days * 86_400));
    const after = await facts();
    assert.equal(after['Mails that wait'], '0');
    assert.equal(after['Mails that wait'], before['Mails that wait']);
  });

  test('find a daily round that does not come', async () => {
    const givers = async () => (await found()).givers!;
    assert.match((await givers()).words, /kept for 12 months after the event/);
    const lastRound = (days: number) => site.call('keep_value', 'forgotten_at', inSeconds(-days * 86_400));
    await lastRound(3);
    assert.deepEqual([(await givers()).status, (await givers()).cure !== ''], ['recommended', true]);
    await lastRound(0);
    await options({ trousseau_keep_givers: '0' });
    assert.match((await givers()).words, /kept as long as the service is/);
    await options({ trousseau_keep_givers: null });
  });

  test('stand under Site Health, for users who may see it', async () => {
    const { direct, async } = await site.call('site-health.tests');
    assert.deepEqual(
      [direct, async],
      [
        ['trousseau_jobs', 'trousseau_mail', 'trousseau_givers', 'trousseau_uninvited'],
        slow.map((name) => `trousseau_${name}`),
      ],
    );
    for (const name of slow) {
      const path = `/trousseau/v1/checks/${name}`;
      assert.equal((await rest(site, null, 'GET', path)).status, 401);
      assert.equal((await rest(site, site.users.alice, 'GET', path)).status, 403);
      const { status, json } = await rest(site, site.users.admin, 'GET', path);
      assert.equal(status, 200);
      assert.deepEqual([json.status, json.test], ['good', `trousseau_${name}`], json.label);
      assert.match(json.description, /^<p>.*<\/p>$/s);
    }
    assert.equal((await rest(site, site.users.admin, 'GET', '/trousseau/v1/checks/mail')).status, 404);
    const { label, fields } = await site.call('site-health.facts');
    assert.equal(label, 'Trousseau');
    const value = (name: string) => fields[name].value;
    assert.deepEqual(
      [
        value('version'),
        value('service_version'),
        value('item_access'),
        value('roles'),
        value('keep_months'),
      ],
      [plugin, apiPackage.version, 'registry', 'trousseau_service', '12'],
    );
    const { password } = site.users.admin;
    const service = new URL(site.service.url).host;
    for (const secret of [password, service, 'trousseau-service'])
      assert.ok(!JSON.stringify(fields).includes(secret), secret);
  });

  test('stand on the screens themselves', { skip: skipWithoutChromium() }, async () => {
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage({ viewport: { width: 1200, height: 1400 } });
      tab.on('pageerror', (error) => assert.fail(error));
      await signIn(tab, site, site.users.admin);
      await withStatus({ item_access: 'authenticated' }, async () => {
        await tab.goto(`${site.url}/wp-admin/site-health.php`);
        await tab.getByText('Everybody with an account can read and change all gifts').waitFor();
        await tab
          .getByRole('button', { name: /Everybody with an account/ })
          .first()
          .click();
        await tab.getByText('Start the service with ITEM_ACCESS=registry.').waitFor();
      });
      await tab.goto(`${site.url}/wp-admin/site-health.php?tab=debug`);
      await tab.getByRole('button', { name: 'Trousseau', exact: true }).click();
      assert.match(
        (await tab.locator('#health-check-accordion-block-trousseau').textContent())!,
        /ITEM_ACCESS\s*registry/,
      );
      await tab.goto(`${site.url}/wp-admin/options-general.php?page=trousseau`);
      await tab.click('#trousseau-test');
      await tab.waitForSelector('#trousseau-connection[data-finding="connected"]');
      const shown = await tab
        .locator('#trousseau-result [data-check]')
        .evaluateAll((all) =>
          all.map((one) => [
            (one as unknown as { dataset: Record<string, string> }).dataset.check,
            (one as unknown as { dataset: Record<string, string> }).dataset.status,
          ]),
        );
      assert.deepEqual(
        shown,
        checks.slice(1).map((name) => [name, 'good']),
      );
    } finally {
      await browser.close();
    }
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
      assert.match(bad.stdout, /^FAIL {2}Everybody with an account .*\n {6}→ Start the service with ITEM_/m);
    });
  });

  test('PHP logged no complaint', () => assert.deepEqual(complaints(site), []));
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { diagnose } from '../../api/src/commands/doctor.ts';
import { startTestService, type TestService, temporaryFolder } from '../../api/test/support.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { startWordPress } from '../../dev/wordpress/wordpress.ts';

describeWordPress('the doctor', {}, (site) => {
  let service: TestService;
  let databaseUrl: string;

  site.startWith(() => ({ muPlugins: ['no-passwords'] }));
  before(async () => {
    databaseUrl = `sqlite:${site.use(await temporaryFolder()).path}/items.db`;
    const settings = { HOST_URL: site.url, DATABASE_URL: databaseUrl, ITEM_ACCESS: 'registry' };
    service = site.use(await startTestService(settings));
  });

  /** The lines that are not `ok`, and how many there are in all. */
  async function examine(changes: Partial<Parameters<typeof diagnose>[0]> = {}) {
    const lines: string[] = [];
    const { username, password } = site.users.alice;
    const own = { site: site.url, service: service.url, user: username, password, apiKey: undefined };
    const given = { registryPostType: 'registry', databaseUrl, secretKey: undefined };
    const settings = { ...own, ...given, ...changes };
    const troubles = await diagnose(settings, (line) => lines.push(line));
    const bad = lines.filter((line) => !line.startsWith('ok '));
    assert.equal(troubles, bad.length);
    assert.ok(!lines.join('\n').includes(password), 'no password is printed');
    return { bad: bad.join('\n'), lines };
  }

  test('finds nothing wrong on a sound site, in a line for each check', async () => {
    const { bad, lines } = await examine();
    assert.deepEqual([bad, lines.length], ['', 12]);
  });

  test('names the cure for each of the three causes of a 401', async () => {
    const wrong = await examine({ password: 'not the password' });
    assert.match(wrong.bad, /FAIL {2}the credentials are accepted: status 401\n +cure: create a new/);
    assert.equal(wrong.bad.match(/cure:/g)?.length, 1, wrong.bad);

    for (const [option, trouble] of [
      ['test_no_passwords', /FAIL {2}application passwords are on/],
      ['test_drops_header', /FAIL {2}the Authorization header arrives: .*\n +cure: .*CGIPassAuth/],
    ] as const) {
      await site.setOption(option, 1);
      const { bad } = await examine();
      await site.setOption(option, 0);
      assert.match(bad, trouble);
    }
  });

  test('finds a plugin that is off, and a post type of another name', async () => {
    const bare = await startWordPress({ plugins: false });
    const { bad } = await examine({ site: bare.url, password: bare.users.alice.password });
    await bare.stop();
    assert.match(bad, /FAIL {2}the plugin is active: status 404\n +cure: install and activate/);
    assert.match(bad, /FAIL {2}the post type is there: status 404/);
    // The service asks the other site about these credentials.
    assert.match(bad, /FAIL {2}the service reaches the host: status 401/);
    assert.match((await examine({ registryPostType: 'wishes' })).bad, /status 404 for wishes/);
  });

  test('finds a service that spoils surprises, whoever asks', async () => {
    await using open = await startTestService({ HOST_URL: site.url, DATABASE_URL: 'sqlite::memory:' });
    for (const { username, password } of [site.users.alice, site.users.admin]) {
      const { bad } = await examine({ service: open.url, user: username, password });
      assert.match(
        bad,
        /^FAIL {2}surprises are safe: ITEM_ACCESS is authenticated: .*\n +cure: set ITEM_ACCESS=registry .*$/,
      );
      assert.equal((await examine({ user: username, password })).bad, '');
    }
  });

  test('says what it cannot check without the site, and which store it looked at', async () => {
    const { bad } = await examine({ site: 'http://127.0.0.1:1' });
    assert.match(bad, /- {5}the plugin is active: needs the site/);
    const { lines } = await examine({ isDefaultStore: true });
    assert.match(lines.join('\n'), /DATABASE_URL is not set here: this is the default store/);
    const wrong = await examine({ service: site.url });
    assert.match(wrong.bad, /the service answers: .* answers 404 and is not the item service/);
  });
});

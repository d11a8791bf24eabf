// WordPress, the plugin and the item service as it ships, by HTTP and in Chromium, without any fake.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createClient } from 'trousseau-client';
import { startTestService, type TestService } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import type { Call } from '../../dev/wordpress/set-up.ts';
import type { WordPressUser } from '../../dev/wordpress/wordpress.ts';

describeWordPress(
  'with the item service',
  {
    muPlugin: `add_filter( 'trousseau_browser_credentials', fn( $none, $user ) => get_option( 'test_credentials_of_' . $user->user_login, null ), 10, 2 );`,
  },
  (site) => {
    let service: TestService;

    before(async () => {
      service = await startTestService({
        HOST_URL: site.url,
        CORS_ORIGINS: site.url,
        API_KEY: 'gateway-key',
        REGISTRY_CACHE_TTL: '0',
      });
      const settings = {
        trousseau_base_url: `${service.url}/`,
        trousseau_api_key: 'gateway-key',
        trousseau_username: 'admin',
        trousseau_app_password: site.users.admin.password,
      };
      await site.setOptions(settings);
    });
    after(async () => {
      await service?.close();
    });

    /** A call of the plugin's client as one of the users; a WP_Error comes as its code and status. */
    const as = async (user: WordPressUser, method: string, ...given: unknown[]) => {
      const client = [service.url, 'gateway-key', user.username, user.password];
      const answer = await site.call('api', client, method, ...given);
      return answer?.error ? [answer.error, answer.data?.status ?? null] : answer;
    };
    const create = async (title: string, fields: Record<string, unknown> = {}) =>
      (await as(site.users.alice, 'create_registry', { title, ...fields })) as {
        id: number;
        slug: string;
        permalink: string;
      };
    const add = async (registry: number, item: Record<string, unknown>) =>
      (
        await as(
          site.users.alice,
          'create_registry_item',
          ...[registry, { url: 'https://shop.example/gift', ...item }],
        )
      ).data.id as number;
    const names = (html: string) => [...html.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name);

    describe('with an account of its own', () => {
      const start = (settings: Record<string, string>) =>
        startTestService({ HOST_URL: site.url, ...settings });
      const forget = (...beginnings: string[]) =>
        site.inTurn(
          ...['lock_', 'trouble', ...beginnings].map((beginning): Call => ['forget_values', beginning]),
        );
      /** The site's pages and connection test while its settings name another service and another account. */
      const using = async <T>(
        url: string,
        account: { username: string; password: string },
        act: () => Promise<T>,
      ) => {
        const changed = {
          trousseau_base_url: url,
          trousseau_api_key: '',
          trousseau_username: account.username,
          trousseau_app_password: account.password,
        };
        const before: Record<string, unknown> = {};
        for (const name of Object.keys(changed)) before[name] = await site.option(name);
        await site.setOptions(changed);
        try {
          return await act();
        } finally {
          await site.setOptions(before);
          await forget();
        }
      };
      const find = () => site.testConnection();
      const shown = async (path: string) => {
        // The site forgets the lists of the other service.
        await forget('gifts_');
        const { status, text } = await site.visitors.bob(path);
        assert.equal(status, 200);
        return text;
      };

      test('a role with four rights is enough for all that the plugin does, once the service trusts the role', async () => {
        const id = await site.call('wp_insert_user', {
          ...{ user_login: 'plain-service', user_pass: 'x', role: 'trousseau_service' },
        });
        const [password] = await site.call('add_application_password', id);
        const account = { username: 'plain-service', password };
        const untrusting = await start({ ITEM_ACCESS: 'registry' });
        try {
          await using(untrusting.url, account, async () =>
            assert.deepEqual(await find(), [
              'account_not_trusted',
              'ADMIN_ROLES=administrator,trousseau_service',
            ]),
          );
        } finally {
          await untrusting.close();
        }

        const trusting = await start({
          ITEM_ACCESS: 'registry',
          ADMIN_ROLES: 'administrator,trousseau_service',
        });
        try {
          const alice = createClient({ env: {}, baseUrl: trusting.url, ...site.users.alice });
          const { id, slug } = (await alice.registries.create({ title: 'Trusted' }))!;
          await alice.registries.invitees.add(id, ['bob']);
          const add = async (name: string) =>
            (await alice.registries.items.create(id, { name, url: 'https://shop.example/x' }))!.data.id;
          const [pan, pot] = [await add('Pan'), await add('Pot')];
          await using(trusting.url, account, async () => {
            assert.deepEqual(await find(), ['connected', '']);
            // The registry is private and somebody else's: its gifts, marking one, its order repaired, a link, guests, its end.
            // A notice of the gift that was just added may still be renewing the list by the settings of before.
            await until(
              'its gifts are shown',
              async () => names(await shown(`/registry/${slug}/`)).length === 2,
            );
            const own = async (method: string, ...given: unknown[]) => {
              const answer = await site.askAsSite(method, ...given);
              return answer.error ? answer.message : answer;
            };
            assert.equal((await own('create_claim', id, pan, {})).quantity, 1);
            await site.setPostMeta(id, { registry_item_ids: `[${pot}]` });
            await site.call('repair_order', id);
            // The service repairs the order after its answer.
            const order = () => site.postMeta(id, 'registry_item_ids');
            await until('the order is whole', async () => (await order()) !== `[${pot}]`);
            assert.equal(await order(), `[${pot},${pan}]`);
            const link = await own('set_affiliate', id, pan, 'https://affiliate.example/pan');
            assert.equal(link.affiliate_status, 'active');
            assert.deepEqual(await own('add_invitees', id, ['carol']), { invitees: ['bob', 'carol'] });
            assert.equal((await own('update_registry', id, { title: 'Renamed' })).title, 'Renamed');
            assert.equal(await own('delete_registry', id), true);
            assert.equal(await site.post(id), null);
          });
          await using(trusting.url, site.users.carol, async () => {
            const [finding, missing] = await find();
            assert.equal(finding, 'account_lacks_rights');
            assert.match(missing, /edit_others_registries.*read_private_registries/);
          });
          assert.equal(
            (await site.rest({ ...site.users.bob, ...account }, 'GET', '/wp/v2/users?context=edit')).status,
            403,
          );
        } finally {
          await trusting.close();
        }
      });
    });

    describe('in Chromium', { skip: skipWithoutChromium() }, () => {
      let browser: Browser;
      before(async () => {
        browser = await launchChromium();
      });
      after(() => browser?.close());

      const open = async (
        user: WordPressUser | null,
        options: Parameters<Browser['newContext']>[0] = {},
      ): Promise<Page> => {
        const page = await (await browser.newContext(options)).newPage();
        if (user) await signIn(page, site, user);
        return page;
      };

      test('a double click gives once; a guest who comes back may give more', async () => {
        const { id, permalink } = await create('Pressed twice', { status: 'publish' });
        const gift = await add(id, { name: 'Spoons', quantity_needed: 6 });
        const given = async () => (await as(site.users.bob, 'get_item', gift)).quantity_purchased;
        const page = await open(site.users.bob);
        let sent = 0;
        page.on('request', (request) => {
          if (request.method() === 'POST') sent++;
        });
        const press = async (times: number) => {
          const button = page.getByRole('button', { name: 'Give this gift' });
          await button.evaluate((button, times) => {
            // The clicks are so far apart that the browser has sent the first form before the second click.
            for (let i = 0; i < times; i++) setTimeout(() => (button as HTMLElement).click(), i * 80);
          }, times);
          await page.waitForURL(/\/gift\//);
          await page.getByRole('status').filter({ hasText: 'is reserved for you' }).waitFor();
        };
        await page.goto(permalink);
        await page.getByRole('link', { name: 'I’m giving this' }).click();
        await page.waitForURL(/\/give\//);
        await press(2);
        assert.deepEqual([await given(), sent], [1, 1]);
        await page.goBack();
        await page.waitForURL(/\/give\//);
        await press(1);
        assert.equal(await given(), 2);
        await page.context().close();
      });

      test('axe finds nothing wrong with the gifts, in stock themes', async () => {
        const { id, permalink } = await create('Checked', {
          status: 'publish',
          meta: {
            registry_event_type: 'Birth',
            registry_event_date: '2027-01-02',
            registry_invitees: ['bob'],
          },
        });
        const one = await add(id, {
          name: 'One',
          description: 'Text',
          price: 5,
          retailer: 'Shop',
          quantity_needed: 2,
        });
        await add(id, { name: 'Two', quantity_purchased: 1 });
        const page = await open(site.users.bob);
        const places = ['twentytwentythree', 'twentytwentyone'].flatMap((theme) => [
          { theme, address: permalink, part: '.trousseau-registry' },
          { theme, address: `${site.url}/registries/${id}/give/?item=${one}`, part: '.trousseau-page' },
          { theme, address: `${site.url}/registries/new/`, part: '.trousseau-page' },
          { theme, address: `${site.url}/registries/mine/`, part: '.trousseau-page' },
        ]);
        for (const { theme, address, part } of places) {
          await site.switchTheme(theme);
          await page.goto(address);
          for (const summary of await page.locator(`${part} summary`).all()) await summary.click();
          const { violations, passes } = await runAxe(page, part);
          assert.deepEqual(violations, [], `${theme} ${address}`);
          assert.ok(Object.keys(passes).length > 10, `${theme} ${address}: ${Object.keys(passes)}`);
          const low = await page
            .locator(`${part} :is(.trousseau-actions, .trousseau-registries > li) > a`)
            .evaluateAll((links) =>
              links
                .map((link) => `${link.getBoundingClientRect().height} ${link.textContent}`)
                .filter((height) => Number.parseFloat(height) < 44),
            );
          assert.deepEqual(low, [], `${theme} ${address}`);
        }
        await page.context().close();
        await site.switchTheme('plain');
      });

      test('the browser script asks the service with the visitor’s own credentials', async () => {
        const { bob } = site.users;
        const { id, permalink } = await create('Live', {
          status: 'publish',
          meta: { registry_invitees: ['bob'] },
        });
        const gift = await add(id, { name: 'Candles', quantity_needed: 4 });
        const vase = await add(id, { name: 'Vase' });
        const page = await open(bob);
        await site.setOptions({
          trousseau_browser_client: '1',
          test_credentials_of_bob: { username: 'bob', password: bob.password },
        });
        const asked = page.waitForRequest(
          (request) => request.url().startsWith(service.url) && request.method() === 'GET',
        );
        await page.goto(permalink);
        const headers = await (await asked).allHeaders();
        assert.equal(headers.authorization, `Basic ${btoa(`bob:${bob.password}`)}`);
        assert.equal(headers['x-api-key'], 'gateway-key');
        assert.equal((await page.content()).includes(site.users.admin.password), false);

        const client = createClient({
          env: {},
          baseUrl: service.url,
          apiKey: 'gateway-key',
          username: 'bob',
          password: bob.password,
        });
        const need = page.locator(`#trousseau-item-${gift} .trousseau-need`);
        await client.items.update(gift, { quantity_purchased: 3 });
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await need.filter({ hasText: '1 needed' }).waitFor();
        const single = page.locator(`#trousseau-item-${vase} .trousseau-need`);
        assert.equal((await single.textContent())!.trim(), 'Available');
        await client.items.update(gift, { quantity_purchased: 4 });
        await client.items.update(vase, { quantity_purchased: 1 });
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await need.filter({ hasText: 'Given' }).waitFor();
        await single.filter({ hasText: 'Given' }).waitFor();
        assert.equal(
          await page.locator(`#trousseau-item-${gift}.is-fulfilled progress`).getAttribute('value'),
          '4',
        );
        await site.setOption('trousseau_browser_client', '');
        await page.context().close();
      });

      test('every block shows itself in the frame of the editor, in its own looks', async () => {
        const { id } = await create('Framed', { meta: { registry_event_type: 'Housewarming' } });
        await add(id, { name: 'Door bell' });
        const blocks = {
          [`trousseau/registry {"registry":"${id}"}`]: 'Door bell',
          [`trousseau/event {"registry":"${id}"}`]: 'Housewarming',
          'trousseau/registries': 'Framed',
          'trousseau/page': 'Name of your list',
        };
        await site.rest('admin', 'PATCH', `/wp/v2/registry/${id}`, { status: 'publish' });
        const content = Object.keys(blocks).map((block) => `<!-- wp:${block} /-->`);
        const made = await site.rest('admin', 'POST', '/wp/v2/pages', { content: content.join('') });
        const page = await open(site.users.admin);
        const said: string[] = [];
        page.on('pageerror', (error) => said.push(error.message));
        page.on('console', (message) => {
          if (message.text().includes('trousseau/')) said.push(message.text());
        });
        await page.goto(`${site.url}/wp-admin/post.php?post=${made.json.id}&action=edit`);
        await page.waitForFunction(`window.wp?.data?.select('core/editor')?.getCurrentPostId()`);
        const frame = page.locator('iframe[name="editor-canvas"]');
        await frame.or(page.locator('.block-editor-block-list__layout')).first().waitFor();
        const isFramed = (await frame.count()) > 0;
        // From 6.3 on, one block of an older kind would end the frame for all of them.
        if (Number.parseFloat(site.version) >= 6.3)
          assert.ok(isFramed, `the editor of ${site.version} has its frame`);
        const canvas = isFramed ? frame.contentFrame() : page;
        for (const [block, words] of Object.entries(blocks)) {
          const name = block.split(' ')[0]!;
          await canvas.locator(`[data-type="${name}"]`).getByText(words).first().waitFor();
          assert.equal(await page.evaluate(`wp.blocks.getBlockType('${name}').apiVersion`), 3, name);
        }
        // The plugin's own style is in the frame: lists of gifts have no bullets.
        const list = canvas.locator('[data-type="trousseau/registry"] .trousseau-items').first();
        assert.equal(await list.evaluate((node) => getComputedStyle(node).listStyleType), 'none');
        // A registry is chosen by its name.
        const other = (await create('Otherwise')).id;
        await site.rest('admin', 'PATCH', `/wp/v2/registry/${other}`, { status: 'publish' });
        const [block] = await page.evaluate<[{ clientId: string }]>(
          `wp.data.select('core/block-editor').getBlocks()`,
        );
        await page.evaluate(
          `for (const scope of ['core', 'core/edit-post']) wp.data.dispatch('core/preferences')?.set(scope, 'welcomeGuide', false);
        wp.data.dispatch('core/block-editor').selectBlock('${block.clientId}');
        wp.data.dispatch('core/edit-post').openGeneralSidebar('edit-post/block')`,
        );
        const picker = page.getByRole('combobox', { name: 'Gift list' });
        await page.waitForFunction(
          (input) => input?.getAttribute('value') === 'Framed',
          await picker.elementHandle(),
        );
        await picker.fill('otherw');
        await page.getByRole('option', { name: 'Otherwise' }).click();
        const chosen = `wp.data.select('core/block-editor').getBlock('${block.clientId}').attributes.registry`;
        assert.equal(await page.evaluate(chosen), String(other));
        assert.deepEqual(said, []);
        await page.context().close();
      });
    });
  },
);

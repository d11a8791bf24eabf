// WordPress, the plugin and the item service as it ships, by HTTP and in Chromium, without any fake.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestService } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { addUser, whenShowing } from '../../dev/wordpress/site.ts';
import type { WordPressUser } from '../../dev/wordpress/wordpress.ts';

const muPlugin = `add_filter( 'trousseau_browser_credentials', fn( $none, $user ) => get_option( 'test_credentials_of_' . $user->user_login, null ), 10, 2 );`;

const service = { ADMIN_ROLES: 'administrator,trousseau_service', REGISTRY_CACHE_TTL: '0' };

describeSite('with the item service', { muPlugin, service }, (site) => {
  test('a role with four rights is enough for all that the plugin does, once the service trusts the role', async () => {
    const role = 'trousseau_service';
    const account = await addUser(site, 'plain-service', role);
    const connect = (trousseau_base_url: string, { username, password }: WordPressUser) => {
      const account = { trousseau_username: username, trousseau_app_password: password };
      return site.setOptions({ trousseau_base_url, ...account });
    };
    await using untrusting = await startTestService({ HOST_URL: site.url, ITEM_ACCESS: 'registry' });
    await connect(untrusting.url, account);
    const findings = await site.testConnection();
    assert.deepEqual(findings, ['account_not_trusted', `ADMIN_ROLES=administrator,${role}`]);
    await connect(site.service.url, account);
    assert.deepEqual(await site.testConnection(), ['connected', '']);

    // The registry is private and somebody else's: its gifts, marking one, its order repaired, a link, guests, its end.
    const { id, path, items } = await site.list({ meta: { registry_invitees: ['bob'] } }, 'Pan', 'Pot');
    const [pan, pot] = items;
    assert.match((await whenShowing(site.visitors.bob, path, 'Pot')).text, /<h3>Pan/);
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
    assert.equal((await site.rest(account, 'GET', '/wp/v2/users?context=edit')).status, 403);

    await connect(site.service.url, site.users.carol);
    const [finding, missing] = await site.testConnection();
    assert.equal(finding, 'account_lacks_rights');
    assert.match(missing, /edit_others_registries.*read_private_registries/);
    await connect(site.service.url, site.users.admin);
  });

  describe('in Chromium', { skip: skipWithoutChromium() }, () => {
    test('a double click gives once; a guest who comes back may give more', async () => {
      const { permalink, items } = await site.list(
        { status: 'publish' },
        { name: 'Spoons', quantity_needed: 6 },
      );
      const given = async () => (await site.client('admin').items.get(items[0]!))!.quantity_purchased;
      const page = await site.tab('bob');
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
    });

    test('axe finds nothing wrong with the gifts, in stock themes', async () => {
      const day = { registry_event_type: 'Birth', registry_event_date: '2027-01-02' };
      const meta = { ...day, registry_invitees: ['bob'] };
      const { permalink, give } = await site.list(
        { status: 'publish', meta },
        { name: 'One', description: 'Text', price: 5, retailer: 'Shop', quantity_needed: 2 },
        { name: 'Two', quantity_purchased: 1 },
      );
      const page = await site.tab('bob');
      const paths = [site.local(permalink), give(), '/registries/new/', '/registries/mine/'];
      const places = ['twentytwentythree', 'twentytwentyone'].flatMap((theme) =>
        paths.map((path) => ({ theme, address: site.url + path })),
      );
      for (const { theme, address } of places) {
        const part = address === permalink ? '.trousseau-registry' : '.trousseau-page';
        await site.switchTheme(theme);
        await page.goto(address);
        for (const summary of await page.locator(`${part} summary`).all()) await summary.click();
        const { violations, passes } = await runAxe(page, part);
        assert.deepEqual(violations, [], `${theme} ${address}`);
        assert.ok(Object.keys(passes).length > 10, `${theme} ${address}: ${Object.keys(passes)}`);
        const links = page.locator(`${part} :is(.trousseau-actions, .trousseau-registries > li) > a`);
        for (const link of await links.all())
          assert.ok(
            (await link.boundingBox())!.height >= 44,
            `${theme} ${address}: ${await link.textContent()}`,
          );
      }
      await site.switchTheme('plain');
    });

    test('the browser script asks the service with the visitor’s own credentials', async () => {
      const { bob } = site.users;
      const { permalink, items } = await site.list(
        { status: 'publish', meta: { registry_invitees: ['bob'] } },
        { name: 'Candles', quantity_needed: 4 },
        'Vase',
      );
      const [gift, vase] = items as [number, number];
      const page = await site.tab('bob');
      await site.setOptions({
        trousseau_browser_client: '1',
        trousseau_api_key: 'gateway-key',
        test_credentials_of_bob: { username: 'bob', password: bob.password },
      });
      const asked = page.waitForRequest(
        (request) => request.url().startsWith(site.service.url) && request.method() === 'GET',
      );
      await page.goto(permalink);
      const headers = await (await asked).allHeaders();
      assert.equal(headers.authorization, `Basic ${btoa(`bob:${bob.password}`)}`);
      assert.equal(headers['x-api-key'], 'gateway-key');
      assert.equal((await page.content()).includes(site.users.admin.password), false);

      const client = site.client('admin');
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
      const found = await page.locator(`#trousseau-item-${gift}.is-fulfilled progress`).getAttribute('value');
      assert.equal(found, '4');
      await site.setOptions({ trousseau_browser_client: '', trousseau_api_key: '' });
    });

    test('every block shows itself in the frame of the editor, in its own looks', async () => {
      const meta = { registry_event_type: 'Housewarming' };
      const { id } = await site.list({ title: 'Framed', status: 'publish', meta }, 'Door bell');
      const blocks = {
        [`trousseau/registry {"registry":"${id}"}`]: 'Door bell',
        [`trousseau/event {"registry":"${id}"}`]: 'Housewarming',
        'trousseau/registries': 'Framed',
        'trousseau/page': 'Name of your list',
      };
      const content = Object.keys(blocks).map((block) => `<!-- wp:${block} /-->`);
      const made = await site.rest('admin', 'POST', '/wp/v2/pages', { content: content.join('') });
      const page = await site.tab('admin');
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
      const other = (await site.list({ title: 'Otherwise', status: 'publish' })).id;
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
    });
  });
});

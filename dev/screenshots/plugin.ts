// Takes the pictures of the plugin in docs/screenshots: a registry in a stock theme, the settings, affiliate links and Site
// Health, with the real service.
import { join } from 'node:path';
import { createClient } from 'trousseau-client';
import { startTestService } from '../../api/test/support.ts';
import { launchChromium, signIn } from '../wordpress/browser.ts';
import { runJobs } from '../wordpress/set-up.ts';
import { startWordPress } from '../wordpress/wordpress.ts';

const folder = join(import.meta.dirname, '../../docs/screenshots');

const site = await startWordPress({ theme: 'twentytwentythree', muPlugins: ['own-checks'] });
const service = await startTestService({
  HOST_URL: site.url,
  ITEM_ACCESS: 'registry',
  ADMIN_ROLES: 'administrator,trousseau_service',
});
const browser = await launchChromium('whole');
try {
  const { admin, alice, bob } = site.users;
  const client = createClient({ env: {}, baseUrl: service.url, ...alice });
  const registry = (await client.registries.create({
    title: 'Ann & Bob',
    status: 'publish',
    story: 'We met at the library, over the last copy of the same book.',
    meta: {
      registry_event_type: 'Wedding',
      registry_event_date: '2027-06-12',
      registry_currency: 'EUR',
      registry_invitees: ['bob'],
    },
  }))!;
  const url = 'https://shop.example/gift';
  const gifts = [
    {
      name: 'Copper saucepan',
      price: 129.5,
      quantity_needed: 2,
      quantity_purchased: 1,
      description: 'The 18 cm one.',
    },
    { name: 'Linen sheets', price: 89, quantity_needed: 1, retailer: 'Weaver & Sons' },
    { name: 'Picnic basket', quantity_needed: 1, quantity_purchased: 1 },
  ];
  for (const gift of gifts) await client.registries.items.create(registry.id, { url, ...gift });

  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  await signIn(page, site, admin);
  await page.goto(`${site.url}/wp-admin/options-general.php?page=trousseau`);
  await page.click('details:has([name=trousseau_base_url]) summary');
  await page.fill('[name=trousseau_base_url]', service.url);
  const press = async (button: string) => {
    await Promise.all([page.waitForEvent('framenavigated'), page.click(button)]);
    await page.waitForLoadState();
  };
  await press('#submit');
  await press('form:has([value=trousseau_make_account]) [type=submit]');
  // The first connection test removes the notice that asks for it, so the picture is taken after the second.
  for (let times = 0; times < 2; times++) {
    await page.goto(`${site.url}/wp-admin/options-general.php?page=trousseau`);
    await page.click('#trousseau-test');
    await page.waitForSelector('#trousseau-connection');
  }
  await page.setViewportSize({ width: 1100, height: 1720 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, 'settings.png') });

  const shops = { 'kitchen.example': 14, 'linen.example': 9, 'books.example': 6, 'garden.example': 3 };
  const others = (await client.registries.create({ title: 'Everybody else' }))!;
  for (const [shop, number] of Object.entries(shops)) {
    for (let gift = 1; gift <= number; gift++)
      await client.registries.items.create(others.id, {
        name: `Gift ${gift}`,
        url: `https://${shop}/${gift}`,
      });
  }
  await site.call('affiliate', {
    'kitchen.example': 'https://partner.example/?id=7&to={url}',
    'linen.example': '?tag=you-21',
  });
  await runJobs(site, 'affiliate-round');
  for (const [shop, most] of [
    ['kitchen.example', 7],
    ['linen.example', 4],
  ] as const)
    await site.call('keep_value', `followed_${new Date().toISOString().slice(0, 7)}_${shop}`, 16 * most);
  await page.setViewportSize({ width: 1100, height: 620 });
  await page.goto(`${site.url}/wp-admin/edit.php?post_type=registry&page=trousseau-affiliate`);
  await page.screenshot({ path: join(folder, 'affiliate.png') });

  await page.setViewportSize({ width: 1100, height: 1000 });
  await page.goto(`${site.url}/wp-admin/site-health.php`);
  await page.waitForSelector('.site-health-progress-wrapper:not(.loading)');
  await page.click('.site-health-view-passed');
  await page.click('#health-check-issues-good .health-check-accordion-trigger >> nth=-1');
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, 'site-health.png') });

  const visitor = await (await browser.newContext({ viewport: { width: 1100, height: 1200 } })).newPage();
  await signIn(visitor, site, bob);
  await visitor.goto(`${site.url}/registry/${registry.slug}/`);
  await visitor.screenshot({ path: join(folder, 'registry-stock-theme.png') });
} finally {
  await Promise.all([browser.close(), service.close(), site.stop()]);
}

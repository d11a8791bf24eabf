// Takes the pictures of a group gift: the owner's form, the list, giving a share, how to send it, the guest who buys the gift.
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { createClient } from 'trousseau-client';
import { furnish } from '../sample/furnish.ts';
import { launchChromium, signIn } from '../wordpress/browser.ts';
import { setOptions } from '../wordpress/set-up.ts';
import { startWholeSite } from '../wordpress/whole-site.ts';
import { saveStrip } from './strip.ts';

const folder = join(import.meta.dirname, '../../docs/screenshots');
const phone = { width: 390, height: 1280 };

const site = await startWholeSite({ theme: 'trousseau', locale: 'en_US' });
const browser = await launchChromium('whole');
try {
  await furnish(site);
  const { alice, bob, carol } = site.users;
  for (const [user, name] of [
    [alice, 'Amélie'],
    [bob, 'Theo Berg'],
    [carol, 'Nora Lind'],
  ] as const)
    await site.call('wp_update_user', { ID: user.id, display_name: name, first_name: name.split(' ')[0] });
  const as = (user: typeof alice) => createClient({ env: {}, baseUrl: site.service.url, ...user });
  const registry = (await as(alice).registries.create({
    title: 'Amélie & Jonas',
    status: 'publish',
    meta: {
      ...{ registry_currency: 'EUR', registry_invitees: ['bob', 'carol'] },
      registry_pay_to: 'DE89 3704 0044 0532 0130 00, Amélie Brandt',
    },
  }))!;
  const { id: pram } = (await as(alice).registries.items.create(registry.id, {
    ...{ name: 'Wicker pram', url: 'https://shop.example/pram', retailer: 'Kinderwagen Sommer' },
    ...{ description: 'No hurry. But one day.', image_url: `${site.url}/wp-content/uploads/sample/pram.svg` },
    ...{ unit: 'money', quantity_needed: 52_000 },
  }))!.data;
  const shareOf = async (user: typeof alice, quantity: number) =>
    (await as(user).registries.items.claims.create(registry.id, pram, { quantity }))!.id;
  await shareOf(bob, 12_000);
  await shareOf(carol, 15_000);

  /** Opens the page of the visitor's own share, from the list. */
  const ownPage = async (context: BrowserContext) => {
    const page = await context.newPage();
    await page.goto(`${site.url}/registries/my-gifts/`);
    await page.goto((await page.getAttribute('.trousseau-rows a', 'href'))!);
    return page;
  };
  const strip = async (name: string, dark = false) => {
    const contexts = await Promise.all(
      [alice, bob, carol].map(async (user) => {
        const context = await browser.newContext({ viewport: phone, colorScheme: dark ? 'dark' : 'light' });
        await signIn(await context.newPage(), site, user);
        return context;
      }),
    );
    const stranger = await browser.newContext({ viewport: phone, colorScheme: dark ? 'dark' : 'light' });
    const list = await stranger.newPage();
    await list.goto(new URL(`/registry/${registry.slug}/`, site.url).href);
    await list.locator(`#trousseau-item-${pram}`).scrollIntoViewIfNeeded();
    const form = await contexts[0]!.newPage();
    await form.goto(`${site.url}/registries/${registry.id}/gifts/?several=${pram}`);
    const give = await contexts[2]!.newPage();
    await give.goto(`${site.url}/registries/${registry.id}/give/?item=${pram}`);
    const pages = [form, list, give, ...(await Promise.all(contexts.slice(1).reverse().map(ownPage)))];
    const shots: Buffer[] = [];
    for (const page of pages) {
      await page.waitForLoadState('networkidle');
      shots.push(await page.screenshot());
    }
    await saveStrip(browser, shots, phone, join(folder, name));
    await Promise.all([...contexts, stranger].map((context) => context.close()));
  };
  const [buyer] = (await as(bob).claims.list())!;
  await as(bob).claims.update(buyer!.id, { buys: true, pay_to: 'DE89 3704 0044 0532 0130 00, Theo Berg' });
  await strip('together.png');
  await strip('together-night.png', true);
  for (const locale of ['de_DE', 'ar']) {
    await setOptions(site, { WPLANG: locale });
    await strip(`together-${locale}.png`);
  }
} finally {
  await Promise.all([browser.close(), site.stop()]);
}

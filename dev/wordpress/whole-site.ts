// A complete site: a real WordPress with the plugin, joined to a real service, a shop for lookups, and a folder that
// receives the emails.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../api/src/lib/clock.ts';
import { startTestService, type TestService, temporaryFolder } from '../../api/test/support.ts';
import { type Mail, readMail } from './mail.ts';
import { setOptions } from './set-up.ts';
import { startWordPress, type WordPress, type WordPressOptions } from './wordpress.ts';

export interface WholeSite extends WordPress {
  service: TestService;
  /** A shop whose pages a lookup may read: `/name?price=24.90&currency=EUR`, and `/wall`, which keeps robots out. */
  shop: string;
  /** Runs the site's cron; then returns the new emails, oldest first, each once. */
  mails(): Promise<Mail[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));

async function startShop(pictures: Record<string, Buffer>) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://shop.test');
    if (pathname === '/wall') {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<title>Just a moment...</title>');
    } else if (pathname.endsWith('.png')) {
      const name = decodeURIComponent(pathname.slice(1, -4));
      response.writeHead(200, { 'content-type': 'image/png' }).end(pictures[name] ?? picture);
    } else {
      const product = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: decodeURIComponent(pathname.slice(1)),
        description: 'As it stands in the shop.',
        image: `http://${request.headers.host}${pathname}.png`,
        offers: {
          '@type': 'Offer',
          price: searchParams.get('price') ?? undefined,
          priceCurrency: searchParams.get('currency') ?? undefined,
        },
      };
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<script type="application/ld+json">${JSON.stringify(product)}</script>`);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function startWholeSite(
  options: WordPressOptions = {},
  env: Record<string, string> = {},
  /** The shop's pictures by name, as PNG. */
  pictures: Record<string, Buffer> = {},
  /** The service's clock. */
  clock?: Partial<Clock>,
): Promise<WholeSite> {
  const folder = await temporaryFolder();
  const shop = await startShop(pictures);
  const mail = join(folder.path, 'mail');
  const site = await startWordPress({ theme: 'trousseau', mail, ...options });
  const service = await startTestService(
    {
      HOST_URL: site.url,
      DATABASE_URL: `sqlite:${folder.path}/items.db`,
      ITEM_ACCESS: 'registry',
      LOOKUP_ALLOW: shop.host,
      CORS_ORIGINS: site.url,
      ...env,
    },
    clock && { clock },
  );
  const { username, password } = site.users.admin;
  const settings = {
    trousseau_base_url: service.url,
    trousseau_username: username,
    trousseau_app_password: password,
    permalink_structure: '/%postname%/',
    users_can_register: '1',
    trousseau_approval: '',
  };
  await setOptions(site, settings);
  const handed = new Set<string>();
  const stop = async () => {
    await service.close();
    await site.stop();
    shop.server.closeAllConnections();
    shop.server.close();
    await folder[Symbol.asyncDispose]();
  };
  return {
    ...site,
    service,
    shop: `http://${shop.host}`,
    async mails() {
      await fetch(`${site.url}/wp-cron.php`);
      const files = readdirSync(mail).filter((name) => name.endsWith('.eml') && !handed.has(name));
      return files.sort().map((name) => {
        handed.add(name);
        return readMail(readFileSync(join(mail, name), 'utf8'));
      });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

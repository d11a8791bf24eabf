import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Metascraper's rules for the fields of a gift, and rules that others wrote for shops.
const PACKAGES = [
  'metascraper@5.49.24',
  'metascraper-title@5.49.24',
  'metascraper-description@5.49.24',
  'metascraper-image@5.49.24',
  '@samirrayani/metascraper-shopping@1.4.22',
  'open-graph-scraper@6.12.0',
];

export type Told = {
  name: string | null;
  price: number | null;
  currency: string | null;
  image: string | null;
};
export type Reader = { what: string; read(html: string, address: string): Promise<Told> };

/** Installs the libraries into a folder of their own, because the project itself doesn't need them. */
export function peers(folder: string): Reader[] {
  mkdirSync(folder, { recursive: true });
  const own = join(folder, 'package.json');
  if (!existsSync(own)) writeFileSync(own, '{ "private": true }\n');
  if (!existsSync(join(folder, 'node_modules/open-graph-scraper')))
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...PACKAGES],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  const need = createRequire(own);
  const shopping = need('@samirrayani/metascraper-shopping')();
  const rules = ['metascraper-title', 'metascraper-description', 'metascraper-image'].map((name) =>
    need(name)(),
  );
  const metascraper = need('metascraper')([shopping, ...rules]);
  const openGraph = need('open-graph-scraper');
  return [
    {
      what: 'metascraper with its shopping rules',
      async read(html, url) {
        // The library refuses addresses that end in `.example`.
        const real = (text: string) => text.replaceAll('.example', '.com');
        const found = await metascraper({ html: real(html), url: real(url) }).catch(() => ({}));
        const image = [found.image].flat()[0];
        return told(
          found.name ?? found.title,
          found.price,
          found.currency,
          String(image?.url ?? image ?? '').replaceAll('.com', '.example'),
        );
      },
    },
    {
      what: 'open-graph-scraper',
      async read(html) {
        const { result } = await openGraph({ html }).catch(() => ({ result: {} }));
        const product = productIn(result.jsonLD);
        const offer = [product?.offers].flat()[0];
        return told(
          result.ogTitle ?? product?.name,
          result.ogPriceAmount ?? result.ogProductPriceAmount ?? offer?.price,
          result.ogPriceCurrency ?? result.ogProductPriceCurrency ?? offer?.priceCurrency,
          result.ogImage?.[0]?.url ?? [product?.image].flat()[0],
        );
      },
    },
  ];
}

/** The library returns JSON-LD as it is on the page; its users take the first product. */
// biome-ignore lint/suspicious/noExplicitAny: pages write anything
function productIn(things: any): any {
  const all = [things].flat(3).flatMap((thing) => [thing, ...[thing?.['@graph']].flat()]);
  return all.find((thing) => [thing?.['@type']].flat().includes('Product'));
}

const told = (name: unknown, price: unknown, currency: unknown, image: unknown): Told => ({
  name: typeof name === 'string' && name ? name : null,
  // A text counts as a price only if it is just a number.
  price: price === undefined || price === null || price === '' ? null : Number(price),
  currency: typeof currency === 'string' && currency ? currency : null,
  image: typeof image === 'string' && image ? image : null,
});

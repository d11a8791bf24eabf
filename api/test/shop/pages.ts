/** A made-up page and what must be read from it: a field that is not named must be empty. */
export interface Case {
  what: string;
  address?: string;
  html: string;
  name?: string;
  price?: number;
  currency?: string;
  image?: string;
  retailer?: string;
  url?: string;
  refused?: boolean;
}

const ld = (...things: unknown[]) =>
  things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join('');
const product = (more: object) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Blue Teapot',
  ...more,
});
const offer = (price: unknown, priceCurrency = 'EUR', more = {}) => ({
  '@type': 'Offer',
  price,
  priceCurrency,
  ...more,
});
const page = (head: string, body = '') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const cart = '<button type="submit" name="add">Add to cart</button>';
const seen = (price: string, more = '') =>
  page(
    '<title>Blue Teapot – Tea &amp; Co</title>',
    `<main><h1>Blue Teapot</h1>${price}${cart}${more}</main>`,
  );
const teapot = { name: 'Blue Teapot' };
const euros = { ...teapot, price: 43.9, currency: 'EUR' };
const related =
  '<section class="related-products"><h2>You may also like</h2><div class="product-card"><a href="/p/2">Red Cup</a><span class="price">€ 9,90</span></div></section>';

const inString = (value: unknown) => JSON.stringify(value);
const streamed = (text: string) => `<script>self.__next_f.push([1,${inString(text)}])</script>`;
const state = (value: unknown) =>
  `<script id="__NEXT_DATA__" type="application/json">${inString({ props: { pageProps: value } })}</script>`;

export const PAGES: Case[] = [
  // JSON-LD in the forms that shops give it.
  { what: 'an offer', html: page(ld(product({ offers: offer('43.90') }))), ...euros },
  {
    what: 'an offer of the thing',
    html: page(ld({ ...offer('43.90'), itemOffered: product({}) }), '<h1>Blue Teapot</h1>'),
    ...euros,
  },
  { what: 'a number', html: page(ld(product({ offers: offer(43.9) }))), ...euros },
  {
    what: 'a list of things',
    html: page(ld([{ '@type': 'WebSite', name: 'Tea' }, product({ offers: offer('43.90') })])),
    ...euros,
  },
  {
    what: '@graph',
    html: page(
      ld({ '@graph': [{ '@type': 'WebPage', name: 'Page' }, product({ offers: [offer('43.90')] })] }),
    ),
    ...euros,
  },
  {
    what: 'several types',
    html: page(ld(product({ '@type': ['Product', 'Book'], offers: offer('43.90') }))),
    ...euros,
  },
  {
    what: 'mainEntity',
    html: page(ld({ '@type': 'ItemPage', mainEntity: product({ offers: offer('43.90') }) })),
    ...euros,
  },
  {
    what: 'an address as type',
    html: page(ld(product({ '@type': 'http://schema.org/Product', offers: offer('43.90') }))),
    ...euros,
  },
  {
    what: 'comments, trailing commas, line breaks, CDATA',
    html: page(
      '<script type="application/ld+json">//<![CDATA[\n{"@type":"Product", /* what */ "name":"Blue\nTeapot", // who\n"offers":{"@type":"Offer","price":"43.90","priceCurrency":"EUR",},}\n//]]></script>',
    ),
    ...euros,
  },
  {
    what: 'an HTML comment around JSON',
    html: page(
      `<script type="application/ld+json"><!-- ${JSON.stringify(product({ offers: offer('43.90') }))} --></script>`,
    ),
    ...euros,
  },
  {
    what: 'entities, decoded once',
    html: page(ld(product({ name: 'Tea &amp; Cake &quot;Set&quot;', offers: offer('43.90') }))),
    name: 'Tea & Cake "Set"',
    price: 43.9,
    currency: 'EUR',
  },
  {
    what: 'a broken block beside a good one',
    html: page(
      `<script type="application/ld+json">{"@type":</script>${ld(product({ offers: offer('43.90') }))}`,
    ),
    ...euros,
  },
  {
    what: 'AggregateOffer of one price',
    html: page(
      ld(
        product({
          offers: { '@type': 'AggregateOffer', lowPrice: 43.9, highPrice: '43.90', priceCurrency: 'EUR' },
        }),
      ),
    ),
    ...euros,
  },
  {
    what: 'AggregateOffer of many',
    html: page(
      ld(
        product({
          offers: { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 43.9, priceCurrency: 'EUR' },
        }),
      ),
    ),
    ...teapot,
  },
  {
    what: 'AggregateOffer with a lowest price alone',
    html: page(
      ld(
        product({ offers: { '@type': 'AggregateOffer', lowPrice: 10, offerCount: 7, priceCurrency: 'EUR' } }),
      ),
    ),
    ...teapot,
  },
  {
    what: 'AggregateOffer of many, one shown',
    html: page(
      ld(
        product({
          offers: { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 43.9, priceCurrency: 'EUR' },
        }),
      ),
      `<h1>Blue Teapot</h1><p class="price">€ 43,90</p>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'AggregateOffer, shown as from',
    html: page(
      ld(
        product({
          offers: { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 43.9, priceCurrency: 'EUR' },
        }),
      ),
      `<h1>Blue Teapot</h1><p class="price">from € 10,00</p>${cart}`,
    ),
    ...teapot,
  },
  {
    what: 'priceSpecification beside a list price',
    html: page(
      ld(
        product({
          offers: {
            '@type': 'Offer',
            priceSpecification: [
              { '@type': 'UnitPriceSpecification', price: '43.90', priceCurrency: 'EUR' },
              {
                '@type': 'UnitPriceSpecification',
                price: '59.90',
                priceCurrency: 'EUR',
                priceType: 'https://schema.org/ListPrice',
              },
              {
                '@type': 'UnitPriceSpecification',
                price: '87.80',
                priceCurrency: 'EUR',
                referenceQuantity: { value: 1, unitCode: 'KGM' },
              },
            ],
          },
        }),
      ),
    ),
    ...euros,
  },
  {
    what: 'variants of one price',
    html: page(
      ld(
        product({
          '@type': 'ProductGroup',
          hasVariant: [product({ offers: offer(43.9) }), product({ offers: offer(43.9) })],
        }),
      ),
    ),
    ...euros,
  },
  {
    what: 'variants of several prices',
    html: page(
      ld(
        product({
          '@type': 'ProductGroup',
          hasVariant: [product({ offers: offer(43.9) }), product({ offers: offer(53.9) })],
        }),
      ),
    ),
    ...teapot,
  },
  {
    what: 'the variant in the address',
    address: 'https://www.teaco.example/p/teapot?variant=2',
    html: page(
      ld(
        product({
          offers: [
            offer(43.9, 'EUR', { url: '/p/teapot?variant=2' }),
            offer(53.9, 'EUR', { url: '/p/teapot?variant=3' }),
          ],
        }),
      ),
    ),
    ...euros,
  },
  { what: 'price 0', html: page(ld(product({ offers: offer('0.00') }))), ...teapot },
  { what: 'an empty price', html: page(ld(product({ offers: offer('') }))), ...teapot },
  { what: 'no currency', html: page(ld(product({ offers: offer('43.90', '') }))), ...teapot, price: 43.9 },
  { what: 'a sign as currency', html: page(ld(product({ offers: offer('43.90', '€') }))), ...euros },
  {
    what: 'a dollar sign as currency',
    html: page(ld(product({ offers: offer('43.90', '$') }))),
    ...teapot,
    price: 43.9,
  },
  { what: 'three decimals', html: page(ld(product({ offers: offer('1.299') }))), ...teapot },
  {
    what: 'three decimals, and the page shows which',
    html: page(
      ld(product({ offers: offer('1.299') })),
      `<h1>Blue Teapot</h1><span class="price">1.299,00 €</span>${cart}`,
    ),
    ...teapot,
    price: 1299,
    currency: 'EUR',
  },
  {
    what: 'only related products',
    html: page(ld({ '@type': 'WebPage', isRelatedTo: product({ offers: offer(9) }) })),
  },
  {
    what: 'a list',
    html: page(
      `<title>Teapots</title>${ld({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: product({ offers: offer(9) }) }] })}`,
    ),
  },
  {
    what: 'several products',
    html: page(
      `<title>Teapots</title>${ld(product({ name: 'One', offers: offer(1) }), product({ name: 'Two', offers: offer(2) }))}`,
    ),
  },
  {
    what: 'several products, one of the title',
    html: page(
      `<title>Blue Teapot | Tea</title>${ld(product({ name: 'Red Cup', offers: offer(1) }), product({ offers: offer('43.90') }))}`,
    ),
    ...euros,
  },
  // Sources that disagree.
  {
    what: '48 dollars for 43.90 euros',
    html: page(
      `<meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">${ld(product({ offers: offer('48.00', 'USD') }))}`,
      `<h1>Blue Teapot</h1><p class="price">43,90 €</p>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'two prices and nothing shown',
    html: page(
      `<meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">${ld(product({ offers: offer('48.00', 'USD') }))}`,
    ),
    ...teapot,
  },
  {
    what: 'one number in two currencies',
    html: page(
      `<meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">${ld(product({ offers: offer('43.90', 'USD') }))}`,
    ),
    ...teapot,
  },
  {
    what: 'another sign in sight',
    html: page(
      ld(product({ offers: offer('43.90', 'USD') })),
      `<h1>Blue Teapot</h1><p class="price">£43.90</p>${cart}`,
    ),
    ...teapot,
  },
  {
    what: 'the old price in markup',
    html: page(
      ld(product({ offers: offer('59.90') })),
      `<h1>Blue Teapot</h1><div class="price"><del>59,90 €</del> <ins>43,90 €</ins></div>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'cents in markup',
    html: page(
      ld(product({ offers: offer(4390) })),
      `<h1>Blue Teapot</h1><div class="price">43,90 €</div>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'a net price in markup',
    html: page(
      ld(product({ offers: offer(36.89) })),
      `<h1>Blue Teapot</h1><div class="price">43,90 €</div>${cart}`,
    ),
    ...teapot,
  },
  // Microdata, RDFa, properties.
  {
    what: 'microdata',
    html: page(
      '',
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><img itemprop="image" src="/t.jpg"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="43.90">43,90 €</span></div></div>',
    ),
    ...euros,
    image: 'https://www.teaco.example/t.jpg',
  },
  {
    what: 'microdata in sight only',
    html: page(
      '',
      '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">43,90 €</span></div></div>',
    ),
    ...euros,
  },
  {
    what: 'microdata with an old price within',
    html: page(
      '',
      `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><p class="price" itemprop="price"><del>€59.90</del> <ins>€43.90</ins></p></div>${cart}</div>`,
    ),
    ...euros,
  },
  {
    what: 'RDFa',
    html: page(
      '',
      '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Blue Teapot</h1><div property="offers" typeof="Offer"><span property="priceCurrency" content="EUR">€</span><span property="price" content="43.90">43,90</span></div></div>',
    ),
    ...euros,
  },
  {
    what: 'product properties',
    html: page(
      '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta property="og:image" content="//cdn.example/t.jpg"><meta property="product:price:amount" content="43,90"><meta property="product:price:currency" content="EUR">',
    ),
    ...euros,
    image: 'https://cdn.example/t.jpg',
  },
  {
    what: 'a sale in properties',
    html: page(
      '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta property="product:price:amount" content="59.90"><meta property="product:price:currency" content="EUR"><meta property="product:sale_price:amount" content="43.90"><meta property="product:sale_price:currency" content="EUR">',
    ),
    ...euros,
  },
  // Visible prices only.
  { what: 'in sight', html: seen('<span class="price">43,90 €</span>'), ...euros },
  {
    what: 'in sight beside related things',
    html: seen('<span class="price">43,90 €</span>', related),
    ...euros,
  },
  { what: 'only related things have a price', html: seen('', related), ...teapot },
  { what: 'a sale', html: seen('<div class="price"><del>59,90 €</del> <ins>43,90 €</ins></div>'), ...euros },
  { what: 'a sale in words', html: seen('<div class="price">Was 59,90 € Now 43,90 €</div>'), ...euros },
  { what: 'statt', html: seen('<div class="price">statt 59,90 € nur 43,90 €</div>'), ...euros },
  { what: 'two prices without a word', html: seen('<div class="price">59,90 € 43,90 €</div>'), ...teapot },
  { what: 'a range', html: seen('<div class="price">43,90 € – 59,90 €</div>'), ...teapot },
  { what: 'from', html: seen('<div class="price">from 43,90 €</div>'), ...teapot },
  { what: 'ab', html: seen('<div class="price">ab <span>43,90 €</span></div>'), ...teapot },
  {
    what: 'a unit price beside',
    html: seen('<div class="price">43,90 €</div><div class="unit">(87,80 € / kg)</div>'),
    ...euros,
  },
  { what: 'a unit price alone', html: seen('<div class="price">87,80 € / kg</div>'), ...teapot },
  {
    what: 'instalments beside',
    html: seen(
      '<div class="price">43,90 €</div><p class="price-note">or 4 payments of 10,98 € with Klarna</p>',
    ),
    ...euros,
  },
  { what: 'instalments alone', html: seen('<div class="price">12 x 3,66 €</div>'), ...teapot },
  { what: 'a month', html: seen('<div class="price">43,90 € / month</div>'), ...teapot },
  {
    what: 'delivery beside',
    html: seen('<div class="price">43,90 €</div><p>Delivery: 4,95 €</p><p>Free shipping over 50 €</p>'),
    ...euros,
  },
  { what: 'delivery alone', html: seen('<p>Delivery: 4,95 €</p>'), ...teapot },
  {
    what: 'what is saved',
    html: seen('<div class="price">43,90 € <span>You save 16,00 €</span></div>'),
    ...euros,
  },
  { what: 'before tax', html: seen('<div class="price">36,89 € excl. VAT</div>'), ...teapot },
  {
    what: 'before and after tax',
    html: seen('<div class="price">43,90 € incl. VAT</div><div class="price">36,89 € excl. VAT</div>'),
    ...euros,
  },
  {
    what: 'tax and delivery named',
    html: seen('<div class="price">43,90 € <small>inkl. MwSt. zzgl. Versandkosten</small></div>'),
    ...euros,
  },
  { what: 'decimals above', html: seen('<span class="price">€43<sup>90</sup></span>'), ...euros },
  {
    what: 'decimals in an element',
    html: seen('<span class="price"><span>43</span><span>,</span><span class="cents">90</span> €</span>'),
    ...euros,
  },
  {
    what: 'digits in elements that may be anything',
    html: seen('<span class="price">€<b>43</b><i>90</i></span>'),
    ...teapot,
  },
  { what: 'a dollar of nowhere', html: seen('<span class="price">$43.90</span>'), ...teapot, price: 43.9 },
  {
    what: 'a dollar of Canada',
    address: 'https://www.teaco.ca/p/teapot',
    html: seen('<span class="price">$43.90</span>'),
    ...teapot,
    price: 43.9,
    currency: 'CAD',
  },
  { what: 'hidden', html: seen('<span class="price" style="display:none">43,90 €</span>'), ...teapot },
  {
    what: 'no button',
    html: page('<title>Blue Teapot</title>', '<h1>Blue Teapot</h1><p class="price">43,90 €</p>'),
    ...teapot,
  },
  {
    what: 'surcharges',
    html: seen('<div class="price">43,90 €</div><label>Gift wrap + 4,00 €</label>'),
    ...euros,
  },
  {
    what: 'Amazon',
    address: 'https://www.amazon.de/dp/B000',
    html: page(
      '<title>Blue Teapot : Amazon.de: Küche</title>',
      '<div id="ppd"><span id="productTitle"> Blue Teapot </span><div id="corePriceDisplay_desktop_feature_div"><span class="a-price priceToPay"><span class="a-offscreen">43,90€</span><span aria-hidden="true"><span class="a-price-whole">43<span class="a-price-decimal">,</span></span><span class="a-price-fraction">90</span><span class="a-price-symbol">€</span></span></span><span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">59,90€</span></span></div><input type="submit" id="add-to-cart-button" value="In den Einkaufswagen"><img id="landingImage" src="https://m.example/s.jpg" data-a-dynamic-image=\'{"https://m.example/b.jpg":[679,500],"https://m.example/s.jpg":[300,200]}\'></div>',
    ),
    ...euros,
    image: 'https://m.example/b.jpg',
  },
  // Names.
  {
    what: 'a suffix',
    html: page(
      '<title>x</title><meta property="og:site_name" content="Tea &amp; Co"><meta property="og:title" content="Blue Teapot | Tea &amp; Co">',
    ),
    ...teapot,
    retailer: 'Tea & Co',
  },
  { what: 'a suffix of the host', html: page('<title>Blue Teapot - Teaco</title>'), ...teapot },
  { what: 'a prefix of the host', html: page('<title>Teaco.example: Blue Teapot</title>'), ...teapot },
  { what: 'a dash of its own', html: page(ld(product({ name: 'Teapot - Blue' }))), name: 'Teapot - Blue' },
  { what: 'only the shop', html: page('<title>Teaco</title>') },
  // Pictures.
  {
    what: 'a picture',
    html: page(ld(product({ image: '/a.jpg' }))),
    ...teapot,
    image: 'https://www.teaco.example/a.jpg',
  },
  {
    what: 'sizes',
    html: page(
      ld(
        product({
          image: [
            { '@type': 'ImageObject', url: '/s.jpg', width: 100 },
            { '@type': 'ImageObject', url: '/b.jpg', width: 900 },
          ],
        }),
      ),
    ),
    ...teapot,
    image: 'https://www.teaco.example/b.jpg',
  },
  {
    what: 'data and scripts',
    html: page(ld(product({ image: ['data:image/gif;base64,R0', 'javascript:alert(1)', '/a.jpg'] }))),
    ...teapot,
    image: 'https://www.teaco.example/a.jpg',
  },
  {
    what: 'a logo',
    html: page('<title>Blue Teapot</title><meta property="og:image" content="/img/logo.png">'),
    ...teapot,
  },
  // Addresses.
  {
    what: 'canonical',
    html: page(`<link rel="canonical" href="/p/blue">${ld(product({}))}`),
    ...teapot,
    url: 'https://www.teaco.example/p/blue',
  },
  {
    what: 'canonical elsewhere',
    html: page(`<link rel="canonical" href="https://evil.example/p">${ld(product({}))}`),
    ...teapot,
  },
  { what: 'canonical home', html: page(`<link rel="canonical" href="/">${ld(product({}))}`), ...teapot },
  // Articles.
  {
    what: 'an article',
    html: page(
      `<meta property="og:type" content="article"><meta property="og:title" content="Ten teapots">${ld({ '@type': 'NewsArticle', headline: 'Ten teapots' })}`,
      '<h1>Ten teapots</h1><p class="price">43,90 €</p>',
    ),
    name: 'Ten teapots',
  },
  {
    what: 'a review',
    html: page(
      `<title>Teapot review</title>${ld({ '@type': 'Review', itemReviewed: product({ offers: offer(43.9) }) })}`,
      '<h1>Teapot review</h1>',
    ),
    name: 'Teapot review',
  },
  {
    what: 'an article about a product',
    html: page(
      `<title>Teapot tested</title>${ld({ '@type': 'BlogPosting' }, product({ offers: offer(43.9) }))}`,
      '<h1>Teapot tested</h1><a href="https://amazon.example">€ 43,90 at Amazon</a>',
    ),
    name: 'Teapot tested',
  },
  // Nothing.
  { what: 'nothing', html: '' },
  { what: 'a text', html: 'hello' },

  // Parts that the page's scripts draw in the browser.
  {
    what: 'JSON-LD in React’s stream',
    html: page(
      '<title>Blue Teapot</title>',
      `<h1>Blue Teapot</h1>${streamed(`5:["$","script",null,{"type":"application/ld+json","children":${inString(inString(product({ offers: offer('43.90') })))}}]\n`)}`,
    ),
    ...euros,
  },
  {
    what: 'JSON-LD in a row of its own of React’s stream, cut in two',
    html: page(
      '<title>Blue Teapot</title>',
      `<h1>Blue Teapot</h1>${streamed('2a:T40,{"@context":"https://schema.org","@type":"Product","name":"Blue')}${streamed(' Teapot","offers":{"@type":"Offer","price":43.9,"priceCurrency":"EUR"}}2b:["$","div"]\n')}`,
    ),
    ...euros,
  },
  {
    what: 'JSON-LD in a state',
    html: page(
      '<title>Blue Teapot</title>',
      state({ page: { seo: { ...product({ offers: offer('43.90') }) } } }),
    ),
    ...euros,
  },
  {
    what: 'a price in a state',
    html: page(
      '<title>Blue Teapot | Tea &amp; Co</title><meta property="og:title" content="Blue Teapot">',
      state({ product: { id: 7, name: 'Blue Teapot', price: { amount: 43.9, currencyCode: 'EUR' } } }),
    ),
    ...euros,
  },
  {
    what: 'a price in a state as people read it',
    html: page(
      '<title>Blue Teapot</title>',
      state({ item: { title: 'Blue Teapot', currency: 'EUR', formattedPrice: '43,90 €', price: 4390 } }),
    ),
    ...euros,
  },
  {
    what: 'a state’s price that may be cents',
    html: page(
      '<title>Blue Teapot</title>',
      state({ item: { title: 'Blue Teapot', currency: 'EUR', price: 4390 } }),
    ),
    ...teapot,
  },
  {
    what: 'two prices in a state',
    html: page(
      '<title>Blue Teapot</title>',
      state({ name: 'Blue Teapot', currency: 'EUR', price: '59.90', salePrice: '43.90' }),
    ),
    ...teapot,
  },
  {
    what: 'another thing’s price in a state',
    html: page('<title>Blue Teapot</title>', state({ name: 'Red Cup', currency: 'EUR', price: '9.90' })),
    ...teapot,
  },
  {
    what: 'a state’s price beside the one in sight',
    html: seen(
      '<p class="price">43,90 €</p>',
      state({ name: 'Blue Teapot', currency: 'EUR', price: '59.90' }),
    ),
    ...euros,
  },
  {
    what: 'an article’s state',
    html: page(
      '<title>Blue Teapot</title><meta property="og:type" content="article"><meta property="og:title" content="Blue Teapot">',
      state({ name: 'Blue Teapot', currency: 'EUR', price: '43.90' }),
    ),
    ...teapot,
  },
  // Where two sources differ.
  {
    what: 'a price from before, named as such in properties',
    html: page(
      `${ld(product({ offers: offer('59.90') }))}<meta property="og:price:standard_amount" content="59.90"><meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">`,
    ),
    ...euros,
  },
  {
    what: 'a price in the labels of a card',
    html: page(
      '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="€43.90">',
    ),
    ...euros,
  },
  {
    what: 'microdata with an old price struck through',
    html: page(
      '',
      '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><del><span itemprop="price">59,90</span></del> <span itemprop="price">43,90</span></div></div>',
    ),
    ...euros,
  },
  {
    what: 'microdata that refers to related things',
    html: page(
      '<title>Blue Teapot</title>',
      '<div itemscope itemtype="http://schema.org/Product" itemref="more"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="43.90"></div></div><div id="more"><div itemprop="isRelatedTo" itemscope itemtype="http://schema.org/Product"><b itemprop="name">Red Cup</b></div></div>',
    ),
    ...euros,
  },
  {
    what: 'a header of the product, not of the page',
    html: page(
      '<title>Blue Teapot</title>',
      `<div class="header"><p class="price">12,00 €</p></div><main><h1>Blue Teapot</h1><div class="pdp-header-condensed header"><p class="price">43,90 €</p></div>${cart}</main>`,
    ),
    ...euros,
  },
  {
    what: 'a dollar of amazon.com',
    address: 'https://www.amazon.com/dp/B0BLUETEAP',
    html: page(
      '<title>Amazon.com: Blue Teapot : Home &amp; Kitchen</title>',
      '<h1><span id="productTitle">Blue Teapot</span></h1><form><input type="hidden" name="items[0.base][customerVisiblePrice][amount]" value="43.9"><span class="a-price">$43.90</span><input type="submit" name="submit.add-to-cart" value="Add to Cart"></form>',
    ),
    ...teapot,
    price: 43.9,
    currency: 'USD',
  },

  // Names as titles tell them.
  ...Object.entries({
    'Blue Teapot - Buy online at Teaco': 'Blue Teapot',
    'Blue Teapot günstig online kaufen | Teaco': 'Blue Teapot',
    'Blue Teapot kaufen bei Teaco': 'Blue Teapot',
    'Buy Blue Teapot Online | Teaco': 'Blue Teapot',
    'Acheter Blue Teapot - Teaco': 'Blue Teapot',
    'Blue Teapot für 43,90 € | Teaco': 'Blue Teapot',
    'Blue Teapot : Teaco.example: Kitchen': 'Blue Teapot',
    'Blue Teapot | Teaco UK Official Site': 'Blue Teapot',
    'Blue Teapot – 2 Liter – Teaco': 'Blue Teapot – 2 Liter',
    'Buy Me a Teapot Mug': 'Buy Me a Teapot Mug',
    'For Sale Sign': 'For Sale Sign',
    'Blue Teapot for 4': 'Blue Teapot for 4',
  }).map(([title, name]) => ({ what: `the title ${title}`, html: page(`<title>${title}</title>`), name })),
  {
    what: 'a title that spells and out',
    address: 'https://teaandco.example/p/teapot',
    html: page('<title>Blue Teapot &ndash; Tea &amp; Co</title>'),
    ...teapot,
  },
  {
    what: 'a mark on the heading',
    html: page(
      '<title>Blue Teapot | Teaco</title>',
      `<h1><span class="badge badge-new">New</span> Blue <b>Teapot</b></h1><p class="price">43,90 €</p>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'a number for a name',
    html: page(
      `<title>Blue Teapot</title>${ld(product({ name: 'TPT-0093', offers: offer('43.90') }))}`,
      '<h1>Blue Teapot</h1>',
    ),
    ...euros,
  },
  {
    what: 'a slogan for a title to share',
    html: page(
      '<title>Blue Teapot - Teaco</title><meta property="og:title" content="Teaco - the best teapots online">',
      `<h1>Blue Teapot</h1><p class="price">43,90 €</p>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'a price above the name',
    html: page('<title>Blue Teapot</title>', `<p class="price">43,90 €</p><h1>Blue Teapot</h1>${cart}`),
    ...euros,
  },

  {
    what: 'a name that begins with the shop’s twice',
    html: page(
      `<title>Teaco</title>${ld(product({ name: 'Teaco: Teaco Blue Teapot', offers: offer('43.90') }))}`,
    ),
    ...euros,
    name: 'Teaco Blue Teapot',
  },
  // As it is found on real pages.
  {
    what: 'a price on the thing itself, without an offer',
    html: page(ld(product({ price: '43.90', priceCurrency: 'EUR' }))),
    ...euros,
  },
  {
    what: 'the same in microdata',
    html: page(
      '',
      '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="43.90">43,90 €</span></div>',
    ),
    ...euros,
  },
  {
    what: 'a list beside, and a longer name in markup',
    html: page(
      `<title>Teapots</title>${ld(product({ name: 'Blue Teapot 2L', offers: offer('43.90') }), {
        '@type': 'ItemList',
        itemListElement: [{ '@type': 'ListItem', item: product({ name: 'Red Cup' }) }],
      })}`,
      `<h1>Blue Teapot</h1>${cart}`,
    ),
    ...euros,
    name: 'Blue Teapot 2L',
  },
  {
    what: 'a price in the heading',
    html: page(
      '<title>Blue Teapot | Teaco</title>',
      `<h1>Blue Teapot <span class="price">43,90 €</span></h1>${cart}`,
    ),
    ...euros,
  },
  {
    what: 'a price that is called nothing, beside its tax and delivery',
    html: page(
      '<title>Blue Teapot</title>',
      '<h1>Blue Teapot</h1><p>Preis: 43,90 € <small>inkl. 19 % MwSt. zzgl. <a href="/v">Versandkosten</a></small></p><button>In den Warenkorb</button>',
    ),
    ...euros,
  },
  {
    what: 'before tax and after it in Britain',
    html: page(
      '<title>Blue Teapot</title>',
      `<h1>Blue Teapot</h1><p class="price">£36.58 <small>exc. VAT</small></p><p class="price">£43.90 <small>inc. VAT</small></p>${cart}`,
    ),
    ...teapot,
    price: 43.9,
    currency: 'GBP',
  },
  {
    what: 'a net price in markup, both in sight',
    html: page(
      `<title>Blue Teapot</title>${ld(product({ offers: offer('36.58', 'GBP') }))}`,
      `<h1>Blue Teapot</h1><p class="price">£36.58 <small>exc. VAT</small></p><p class="price">£43.90 <small>inc. VAT</small></p>${cart}`,
    ),
    ...teapot,
  },
];

const wall = (title: string, body = ''): Case => ({
  what: title,
  html: page(`<title>${title}</title>`, body),
  refused: true,
});

export const WALLS: Case[] = [
  wall('Just a moment...', '<h1>shop.example</h1><p>Enable JavaScript and cookies to continue</p>'),
  wall('Attention Required! | Cloudflare', '<h1>Sorry, you have been blocked</h1>'),
  wall(
    'Access Denied',
    '<h1>Access Denied</h1>You don\'t have permission to access "http://shop" Reference #18.1',
  ),
  wall('Access to this page has been denied.', '<div id="px-captcha"></div>'),
  wall('Robot Check', '<p>Enter the characters you see below</p>'),
  wall('Amazon.com', '<p>Click the button below to continue shopping</p>'),
  wall(
    'teaco.example',
    '<script src="https://ct.captcha-delivery.com/c.js"></script><p>Please enable JS</p>',
  ),
  wall('', '<script src="/_Incapsula_Resource?x=1"></script>'),
  wall('Pardon Our Interruption'),
  wall('Robot or human?', '<p>Press &amp; hold</p>'),
  wall('Before you continue to the shop'),
  wall('Bevor Sie fortfahren'),
  wall('Page not found | Tea &amp; Co'),
  wall('404 Not Found'),
  wall('Seite nicht gefunden – Tee'),
  wall('503 Service Temporarily Unavailable'),
  wall('Security check'),
  wall('Vercel Security Checkpoint'),
  wall('Einen Moment, bitte…'),
  wall('Tea &amp; Co', '<h1>Please verify you are a human</h1>'),
  wall('Oops! Something went wrong'),
  {
    ...wall('x'),
    what: 'a wall with properties',
    html: page(
      '<title>Access denied</title><meta property="og:title" content="Tea"><meta property="og:image" content="/a.jpg"><meta property="og:site_name" content="Wall">',
    ),
  },
];

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
  ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Blue Teapot' },
  ...more,
});
const offer = (price: unknown, priceCurrency = 'EUR', more = {}) => ({
  ...{ '@type': 'Offer', price, priceCurrency, ...more },
});
const specified = (price: string, more = {}) => ({
  ...{ '@type': 'UnitPriceSpecification', price, priceCurrency: 'EUR', ...more },
});
const page = (head: string, body = '') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const body = (html: string) => page('', html);
const titled = (html: string) => page('<title>Blue Teapot</title>', html);
const tags =
  '<meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">';
const cart = '<button type="submit" name="add">Add to cart</button>';
const seen = (price: string, more = '') =>
  page(
    '<title>Blue Teapot – Tea &amp; Co</title>',
    `<main><h1>Blue Teapot</h1>${price}${cart}${more}</main>`,
  );
const offered = (offers: unknown, body = '') => page(ld(product({ offers })), body);
const range = { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 43.9, priceCurrency: 'EUR' };
const teapot = { name: 'Blue Teapot' };
const euros = { ...teapot, price: 43.9, currency: 'EUR' };

const inString = (value: unknown) => JSON.stringify(value);
const streamed = (text: string) => `<script>self.__next_f.push([1,${inString(text)}])</script>`;
const state = (value: unknown) =>
  `<script id="__NEXT_DATA__" type="application/json">${inString({ props: { pageProps: value } })}</script>`;

/** Pages that give the teapot's name and price. */
const PRICED: Record<string, string> = {
  // JSON-LD in the forms that shops give it.
  'an offer of the thing': page(ld({ ...offer('43.90'), itemOffered: product({}) }), '<h1>Blue Teapot</h1>'),
  '@graph': page(
    ld({ '@graph': [{ '@type': 'WebPage', name: 'Page' }, product({ offers: [offer('43.90')] })] }),
  ),
  'comments, trailing commas, line breaks, CDATA': page(
    '<script type="application/ld+json">//<![CDATA[\n{"@type":"Product", /* what */ "name":"Blue\nTeapot", // who\n"offers":{"@type":"Offer","price":"43.90","priceCurrency":"EUR",},}\n//]]></script>',
  ),
  'an HTML comment around JSON': page(
    `<script type="application/ld+json"><!-- ${JSON.stringify(product({ offers: offer('43.90') }))} --></script>`,
  ),
  'a broken block beside a good one': page(
    `<script type="application/ld+json">{"@type":</script>${ld(product({ offers: offer('43.90') }))}`,
  ),
  'AggregateOffer of one price': offered({ ...range, lowPrice: 43.9, highPrice: '43.90' }),
  'AggregateOffer of many, one shown': offered(range, `<h1>Blue Teapot</h1><p>€ 43,90</p>${cart}`),
  'priceSpecification beside a list price': offered({
    '@type': 'Offer',
    priceSpecification: [
      specified('43.90'),
      specified('59.90', { priceType: 'https://schema.org/ListPrice' }),
      specified('87.80', { referenceQuantity: { value: 1, unitCode: 'KGM' } }),
    ],
  }),
  'variants of one price': page(
    ld(product({ '@type': 'ProductGroup', hasVariant: Array(2).fill(product({ offers: offer(43.9) })) })),
  ),
  'several products, one of the title': page(
    `<title>Blue Teapot | Tea</title>${ld(product({ name: 'Red Cup', offers: offer(1) }), product({ offers: offer('43.90') }))}`,
  ),
  // Sources that disagree.
  'the old price in markup': offered(
    offer('59.90'),
    `<h1>Blue Teapot</h1><div class="price"><del>59,90 €</del> <ins>43,90 €</ins></div>${cart}`,
  ),
  'cents in markup': offered(offer(4390), `<h1>Blue Teapot</h1><div class="price">43,90 €</div>${cart}`),
  RDFa: body(
    '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Blue Teapot</h1><div property="offers" typeof="Offer"><span property="priceCurrency" content="EUR">€</span><span property="price" content="43.90">43,90</span></div></div>',
  ),
  'a sale in properties': page(
    '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta property="product:price:amount" content="59.90"><meta property="product:price:currency" content="EUR"><meta property="product:sale_price:amount" content="43.90"><meta property="product:sale_price:currency" content="EUR">',
  ),
  // Visible prices only.
  statt: seen('<div class="price">statt 59,90 € nur 43,90 €</div>'),
  'instalments beside': seen(
    '<div class="price">43,90 €</div><p class="price-note">or 4 payments of 10,98 € with Klarna</p>',
  ),
  'decimals above': seen('<span class="price">€43<sup>90</sup></span>'),
  'decimals in an element': seen(
    '<span class="price"><span>43</span><span>,</span><span class="cents">90</span> €</span>',
  ),
  // Parts that the page's scripts draw in the browser.
  'JSON-LD in React’s stream': titled(
    `<h1>Blue Teapot</h1>${streamed(`5:["$","script",null,{"type":"application/ld+json","children":${inString(inString(product({ offers: offer('43.90') })))}}]\n`)}`,
  ),
  'JSON-LD in a row of its own of React’s stream, cut in two': titled(
    `<h1>Blue Teapot</h1>${streamed('2a:T40,{"@context":"https://schema.org","@type":"Product","name":"Blue')}${streamed(' Teapot","offers":{"@type":"Offer","price":43.9,"priceCurrency":"EUR"}}2b:["$","div"]\n')}`,
  ),
  'JSON-LD in a state': titled(state({ page: { seo: { ...product({ offers: offer('43.90') }) } } })),
  'a price in a state': page(
    '<title>Blue Teapot | Tea &amp; Co</title><meta property="og:title" content="Blue Teapot">',
    state({ product: { id: 7, name: 'Blue Teapot', price: { amount: 43.9, currencyCode: 'EUR' } } }),
  ),
  'a price in a state as people read it': titled(
    state({ item: { title: 'Blue Teapot', currency: 'EUR', formattedPrice: '43,90 €', price: 4390 } }),
  ),
  // Where two sources differ.
  'a price from before, named as such in properties': page(
    `${ld(product({ offers: offer('59.90') }))}<meta property="og:price:standard_amount" content="59.90"><meta property="product:price:amount" content="43.90"><meta property="product:price:currency" content="EUR">`,
  ),
  'a price in the labels of a card': page(
    '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="€43.90">',
  ),
  'microdata with an old price struck through': body(
    '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><del><span itemprop="price">59,90</span></del> <span itemprop="price">43,90</span></div></div>',
  ),
  'microdata that refers to related things': titled(
    '<div itemscope itemtype="http://schema.org/Product" itemref="more"><h1 itemprop="name">Blue Teapot</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="43.90"></div></div><div id="more"><div itemprop="isRelatedTo" itemscope itemtype="http://schema.org/Product"><b itemprop="name">Red Cup</b></div></div>',
  ),
  'a mark on the heading': page(
    '<title>Blue Teapot | Teaco</title>',
    `<h1><span class="badge badge-new">New</span> Blue <b>Teapot</b></h1><p class="price">43,90 €</p>${cart}`,
  ),
  'a slogan for a title to share': page(
    '<title>Blue Teapot - Teaco</title><meta property="og:title" content="Teaco - the best teapots online">',
    `<h1>Blue Teapot</h1><p class="price">43,90 €</p>${cart}`,
  ),
  // As it is found on real pages.
  'a price on the thing itself, without an offer': page(
    ld(product({ price: '43.90', priceCurrency: 'EUR' })),
  ),
  'a price in the heading': page(
    '<title>Blue Teapot | Teaco</title>',
    `<h1>Blue Teapot <span class="price">43,90 €</span></h1>${cart}`,
  ),
  'a price that is called nothing, beside its tax and delivery': titled(
    '<h1>Blue Teapot</h1><p>Preis: 43,90 € <small>inkl. 19 % MwSt. zzgl. <a href="/v">Versandkosten</a></small></p><button>In den Warenkorb</button>',
  ),
};

/** Pages that give its name, and of no amount that it is the price. */
const UNPRICED: Record<string, string> = {
  'AggregateOffer with a lowest price alone': offered({ ...range, highPrice: undefined, offerCount: 7 }),
  'price 0': offered(offer('0.00')),
  'one number in two currencies': page(`${tags}${ld(product({ offers: offer('43.90', 'USD') }))}`),
  'two prices without a word': seen('<div class="price">59,90 € 43,90 €</div>'),
  ab: seen('<div class="price">ab <span>43,90 €</span></div>'),
  'digits in elements that may be anything': seen('<span class="price">€<b>43</b><i>90</i></span>'),
  hidden: seen('<span class="price" style="display:none">43,90 €</span>'),
  'a prefix of the host': page('<title>Teaco.example: Blue Teapot</title>'),
  'a logo': page('<title>Blue Teapot</title><meta property="og:image" content="/img/logo.png">'),
  'canonical elsewhere': page(`<link rel="canonical" href="https://evil.example/p">${ld(product({}))}`),
  'canonical home': page(`<link rel="canonical" href="/">${ld(product({}))}`),
  'another thing’s price in a state': titled(state({ name: 'Red Cup', currency: 'EUR', price: '9.90' })),
  'an article’s state': page(
    '<title>Blue Teapot</title><meta property="og:type" content="article"><meta property="og:title" content="Blue Teapot">',
    state({ name: 'Blue Teapot', currency: 'EUR', price: '43.90' }),
  ),
};

const gives = (what: string, html: string, wanted: Partial<Case> = {}): Case => ({ what, html, ...wanted });
const each = (pages: Record<string, string>, wanted: object): Case[] =>
  Object.entries(pages).map(([what, html]) => gives(what, html, wanted));

export const PAGES: Case[] = [
  ...each(PRICED, euros),
  ...each(UNPRICED, teapot),
  gives(
    'entities, decoded once',
    page(ld(product({ name: 'Tea &amp; Cake &quot;Set&quot; &xvalueOf;', offers: offer('43.90') }))),
    { name: 'Tea & Cake "Set" &xvalueOf;', price: 43.9, currency: 'EUR' },
  ),
  gives(
    'the variant in the address',
    offered([
      offer(43.9, 'EUR', { url: '/p/teapot?variant=2' }),
      offer(53.9, 'EUR', { url: '/p/teapot?variant=3' }),
    ]),
    { address: 'https://www.teaco.example/p/teapot?variant=2', ...euros },
  ),
  gives('a dollar sign as currency', offered(offer('43.90', '$')), { ...teapot, price: 43.9 }),
  gives(
    'a list',
    page(
      `<title>Teapots</title>${ld({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: product({ offers: offer(9) }) }] })}`,
    ),
  ),
  gives(
    'several products',
    page(
      `<title>Teapots</title>${ld(product({ name: 'One', offers: offer(1) }), product({ name: 'Two', offers: offer(2) }))}`,
    ),
  ),
  gives(
    'microdata',
    body(
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1><img itemprop="image" src="/t.jpg"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="43.90">43,90 €</span></div></div>',
    ),
    { ...euros, image: 'https://www.teaco.example/t.jpg' },
  ),
  gives(
    'product properties',
    page(
      '<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot"><meta property="og:image" content="//cdn.example/t.jpg"><meta property="product:price:amount" content="43,90"><meta property="product:price:currency" content="EUR">',
    ),
    { ...euros, image: 'https://cdn.example/t.jpg' },
  ),
  gives(
    'Amazon',
    page(
      '<title>Blue Teapot : Amazon.de: Küche</title>',
      '<div id="ppd"><span id="productTitle"> Blue Teapot </span><div id="corePriceDisplay_desktop_feature_div"><span class="a-price priceToPay"><span class="a-offscreen">43,90€</span><span aria-hidden="true"><span class="a-price-whole">43<span class="a-price-decimal">,</span></span><span class="a-price-fraction">90</span><span class="a-price-symbol">€</span></span></span><span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">59,90€</span></span></div><input type="submit" id="add-to-cart-button" value="In den Einkaufswagen"><img id="landingImage" src="https://m.example/s.jpg" data-a-dynamic-image=\'{"https://m.example/b.jpg":[679,500],"https://m.example/s.jpg":[300,200]}\'></div>',
    ),
    { address: 'https://www.amazon.de/dp/B000', ...euros, image: 'https://m.example/b.jpg' },
  ),
  gives(
    'a suffix',
    page(
      '<title>x</title><meta property="og:site_name" content="Tea &amp; Co"><meta property="og:title" content="Blue Teapot | Tea &amp; Co">',
    ),
    { ...teapot, retailer: 'Tea & Co' },
  ),
  gives(
    'sizes',
    page(
      ld(
        product({ image: [100, 900].map((width) => ({ '@type': 'ImageObject', url: `/${width}`, width })) }),
      ),
    ),
    { ...teapot, image: 'https://www.teaco.example/900' },
  ),
  gives(
    'data and scripts',
    page(ld(product({ image: ['data:image/gif;base64,R0', 'javascript:alert(1)', '/a.jpg'] }))),
    { ...teapot, image: 'https://www.teaco.example/a.jpg' },
  ),
  gives('canonical', page(`<link rel="canonical" href="/p/blue">${ld(product({}))}`), {
    ...teapot,
    url: 'https://www.teaco.example/p/blue',
  }),
  gives(
    'an article about a product',
    page(
      `<title>Teapot tested</title>${ld({ '@type': 'BlogPosting' }, product({ offers: offer(43.9) }))}`,
      '<h1>Teapot tested</h1><a href="https://amazon.example">€ 43,90 at Amazon</a>',
    ),
    { name: 'Teapot tested' },
  ),
  gives('nothing', ''),
  gives(
    'a dollar of amazon.com',
    page(
      '<title>Amazon.com: Blue Teapot : Home &amp; Kitchen</title>',
      '<h1><span id="productTitle">Blue Teapot</span></h1><form><input type="hidden" name="items[0.base][customerVisiblePrice][amount]" value="43.9"><span class="a-price">$43.90</span><input type="submit" name="submit.add-to-cart" value="Add to Cart"></form>',
    ),
    { address: 'https://www.amazon.com/dp/B0BLUETEAP', ...teapot, price: 43.9, currency: 'USD' },
  ),
  ...Object.entries({
    'Blue Teapot - Buy online at Teaco': 'Blue Teapot',
    'Blue Teapot kaufen bei Teaco': 'Blue Teapot',
    'Blue Teapot - Buy Online | Teaco': 'Blue Teapot',
    'Blue Teapot — €43.90': 'Blue Teapot',
    '500-Piece Jigsaw Puzzle | Teaco': '500-Piece Jigsaw Puzzle',
    '500 Page Notebook, Hardcover | Teaco': '500 Page Notebook, Hardcover',
    'Levi&#146;s 501 | Teaco': 'Levi’s 501',
    'Blue Teapot für 43,90 € | Teaco': 'Blue Teapot',
    'Blue Teapot : Teaco.example: Kitchen': 'Blue Teapot',
    'Blue Teapot | Teaco UK Official Site': 'Blue Teapot',
    'Blue Teapot – 2 Liter – Teaco': 'Blue Teapot – 2 Liter',
  }).map(([title, name]) => ({ what: `the title ${title}`, html: page(`<title>${title}</title>`), name })),
  gives('a title that spells and out', page('<title>Blue Teapot &ndash; Tea &amp; Co</title>'), {
    address: 'https://teaandco.example/p/teapot',
    ...teapot,
  }),
  gives(
    'a list beside, and a longer name in markup',
    page(
      `<title>Teapots</title>${ld(product({ name: 'Blue Teapot 2L', offers: offer('43.90') }), {
        '@type': 'ItemList',
        itemListElement: [{ '@type': 'ListItem', item: product({ name: 'Red Cup' }) }],
      })}`,
      `<h1>Blue Teapot</h1>${cart}`,
    ),
    { ...euros, name: 'Blue Teapot 2L' },
  ),
];

const wall = (title: string, body = ''): Case => ({
  what: title,
  html: page(`<title>${title}</title>`, body),
  refused: true,
});

export const WALLS: Case[] = [
  wall('Amazon.com', '<p>Click the button below to continue shopping</p>'),
  wall(
    'teaco.example',
    '<script src="https://ct.captcha-delivery.com/c.js"></script><p>Please enable JS</p>',
  ),
  wall('', '<script src="/_Incapsula_Resource?x=1"></script>'),
  wall('Pardon Our Interruption'),
  wall('Before you continue to the shop'),
  wall('Bevor Sie fortfahren'),
  wall('503 Service Temporarily Unavailable'),
  wall('404 Page | My Shop'),
  wall('Tea &amp; Co', '<h1>Please verify you are a human</h1>'),
];

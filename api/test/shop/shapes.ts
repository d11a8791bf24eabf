import type { Case } from './pages.ts';

type Wanted = { [Field in keyof Case]: Case[Field] | undefined };
const NO_CURRENCY = { currency: undefined };
const NO_PRICE = { price: undefined, currency: undefined };

// Made-up pages in the shapes that common shop systems write.
const shape = (what: string, head: string, body: string, wanted: Partial<Wanted> = {}): Case => ({
  what,
  html: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
  name: 'Blue Teapot',
  price: 43.9,
  currency: 'EUR',
  ...(wanted as Partial<Case>),
});
const ld = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;
const og = (more = '') =>
  `<meta property="og:type" content="product"><meta property="og:title" content="Blue Teapot">${more}`;

/** What a page shows below its heading where that gives the price. */
const PRICED: Record<string, string> = {
  'one price for members':
    '<div class="price">Members 39,90 €</div><div class="price">43,90 €</div><button>Add to cart</button>',
  'van, voor': '<div class="price">van € 59,90 voor € 43,90</div><button>In winkelwagen</button>',
};

/** The same where it gives none. */
const UNPRICED: Record<string, string> = {
  'nothing left, another offered':
    '<p>Sold out</p><h2>Instead try</h2><div><a href="/p/2">Red Cup</a> <span class="price">€ 9,90</span></div>',
  'sold out, another one can be bought':
    '<p>Sold out</p><h2>Instead try</h2><div><h3><a href="/p/2">Red Cup</a></h3> <span class="price">€ 9,90</span><button>Add to cart</button></div>',
  'free delivery in a bar': '<p>Only €12.00 away from free shipping!</p><button>Add to cart</button>',
};

const plain = (what: string, body: string, wanted: Partial<Wanted> = {}) =>
  shape(what, '<title>Blue Teapot</title>', `<h1>Blue Teapot</h1>${body}`, wanted);

export const SHAPES: Case[] = [
  ...Object.entries(PRICED).map(([what, body]) => plain(what, body)),
  ...Object.entries(UNPRICED).map(([what, body]) => plain(what, body, NO_PRICE)),
  shape(
    'Magento',
    `<title>Blue Teapot</title>${og('<meta property="product:price:amount" content="43.9"/><meta property="product:price:currency" content="EUR"/>')}`,
    `<h1 class="page-title"><span class="base" itemprop="name">Blue Teapot</span></h1><div class="product-info-price"><div class="price-box price-final_price"><span class="special-price"><span class="price-container"><span class="price-label">Special Price</span><span data-price-amount="43.9" class="price-wrapper"><span class="price">€43.90</span></span></span></span><span class="old-price"><span class="price-label">Regular Price</span><span data-price-amount="59.9"><span class="price">€59.90</span></span></span></div></div><button id="product-addtocart-button" class="action primary tocart"><span>Add to Cart</span></button><div class="block upsell"><span class="price">€12.00</span></div>`,
  ),
  shape(
    'PrestaShop',
    `<title>Blue Teapot</title>${og('<meta property="product:pretax_price:amount" content="36.890756"><meta property="product:price:amount" content="43.9"><meta property="product:price:currency" content="EUR">')}`,
    `<h1 class="h1">Blue Teapot</h1><div class="product-prices"><div class="product-discount"><span class="regular-price">59,90 €</span></div><div class="current-price"><span class="current-price-value" content="43.9">43,90 €</span><span class="discount discount-amount">Économisez 16,00 €</span></div><div class="tax-shipping-delivery-label">TTC</div></div><button class="add-to-cart">Ajouter au panier</button>`,
  ),
  shape(
    'BigCommerce',
    '<title>Blue Teapot</title>',
    `<h1 class="productView-title">Blue Teapot</h1><div class="productView-price"><div class="price-section price-section--withTax rrp-price--withTax" style="display: none;">MSRP: <span class="price price--rrp"></span></div><div class="price-section price-section--withTax non-sale-price--withTax">Was: <span class="price price--non-sale">£59.90</span></div><div class="price-section"><span class="price-now-label">Now:</span><span class="price price--withTax">£43.90</span></div></div><form action="/cart.php"><input id="form-action-addToCart" type="submit" value="Add to Cart"></form>`,
    { currency: 'GBP' },
  ),
  shape(
    'a dollar that the scripts name',
    '<title>Blue Teapot</title><script>Shopify.currency = {"active":"CAD","rate":"1.0"};</script>',
    '<h1>Blue Teapot</h1><span class="price">$43.90</span><button>Add to cart</button>',
    { currency: 'CAD' },
  ),
  shape(
    'a dollar, and scripts that name two',
    '<title>Blue Teapot</title><script>var a = {"currency":"CAD"}, b = {"currencyCode":"USD"};</script>',
    '<h1>Blue Teapot</h1><span class="price">$43.90</span><button>Add to cart</button>',
    NO_CURRENCY,
  ),
  // Amounts that only look like the price.
  shape(
    'the home page',
    '<title>Teaco</title>',
    '<h1>Welcome</h1><div class="price">€ 9,90</div><button>Add to cart</button>',
    { ...NO_PRICE, address: 'https://www.teaco.example/', name: undefined },
  ),
  shape(
    'a price in properties, shown as from',
    og('<meta property="og:price:amount" content="10.00"><meta property="og:price:currency" content="EUR">'),
    '<h1>Blue Teapot</h1><div class="price">From €10,00</div><button>Add to cart</button>',
    NO_PRICE,
  ),
  shape(
    'a month in markup',
    ld({ '@type': 'Product', name: 'Blue Teapot', offers: { price: 41.62, priceCurrency: 'USD' } }),
    '<h1>Blue Teapot</h1><div class="price">$999.00 or $41.62/mo. for 24 mo.</div><button>Add to cart</button>',
    NO_PRICE,
  ),
  shape(
    'an article that leads to a shop',
    '<title>Review: Blue Teapot</title>',
    '<h1>Review: Blue Teapot</h1><p>Text <a href="https://bigshop.example">Buy now</a></p><p class="price">€43.90</p>',
    { ...NO_PRICE, name: 'Review: Blue Teapot' },
  ),
  shape(
    'a second product in microdata',
    '<title>Blue Teapot</title>',
    '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Teapot</h1></div><div itemscope itemtype="http://schema.org/Product"><span itemprop="name">Red Cup</span><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="9">9</span><meta itemprop="priceCurrency" content="EUR"></div></div>',
    NO_PRICE,
  ),
  shape(
    'a name of two signs',
    '<title>急須</title>',
    '<h1>急須</h1><span class="price">4,390円<small>(税込)</small></span><button>カートに入れる</button>',
    { name: '急須', price: 4390, currency: 'JPY' },
  ),
  shape(
    'a title like that of a wall',
    '<title>Oops! A Maintenance Kit for Teapots</title>',
    '<h1>Oops! A Maintenance Kit for Teapots</h1><span class="price">€ 43,90</span><button>Add to cart</button>',
    { name: 'Oops! A Maintenance Kit for Teapots' },
  ),
  plain(
    'de, por, em até',
    '<div class="preco">De R$ 59,90 por R$ 43,90 em até 4x de R$ 10,98</div><button>Comprar</button>',
    { currency: 'BRL' },
  ),
  plain(
    'with and without tax',
    '<div class="price">£36.58 ex. VAT</div><div class="price">£43.90 inc. VAT</div><button>Add to basket</button>',
    { currency: 'GBP' },
  ),
];

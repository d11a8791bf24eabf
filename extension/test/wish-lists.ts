// Wish lists in the shapes in which shops and registries write them, shortened to what the reader looks at.
interface WishList {
  what: string;
  address: string;
  html: string;
  /** Names with their prices, and the path of the first gift. */
  gifts: [name: string, price: number | null][];
  first: string;
  currency: string;
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><header><a href="/"><img src="/logo.png" width="160" height="60" alt="Shop"></a></header><main>${body}</main><footer><a href="/help"><img src="/app.png" width="120" height="60" alt="App"></a></footer></body></html>`;

const amazon = (id: string, asin: string, name: string, price: string) =>
  `<li data-id="L1" data-itemid="${id}" class="a-spacing-none g-item-sortable"><span class="a-list-item"><div class="a-fixed-left-grid"><div id="itemImage_${id}"><a title="${name}" href="/dp/${asin}/?coliid=${id}"><img alt="${name}" src="/images/${asin}.jpg" width="135" height="135"></a></div><div id="itemInfo_${id}"><h2 class="a-size-base"><a id="itemName_${id}" title="${name}" href="/dp/${asin}/?coliid=${id}&amp;ref=wl">${name}</a></h2><span id="item-byline-${id}">by Someone</span><i class="a-icon"><span class="a-icon-alt">4.7 out of 5 stars</span></i>${price && `<span class="a-text-strike a-price-old"><s>$99.00</s></span><span id="itemPrice_${id}" class="a-price"><span class="a-offscreen">$${price}</span><span aria-hidden="true"><span class="a-price-symbol">$</span><span class="a-price-whole">${price.split('.')[0]}<span class="a-price-decimal">.</span></span><span class="a-price-fraction">${price.split('.')[1]}</span></span></span>`}<a href="#" role="button">Add to Cart</a><a href="/hz/wishlist/delete?id=${id}">Remove item</a></div></div></span></li>`;

const zola = (id: string, name: string, price: string) =>
  `<div class="product-tile span3"><div class="single-product" id="${id}"><div class="content"><a href="/shop/product/${id}"><img src="/images/${id}.jpg" width="220" height="220" alt=""></a><a href="/shop/product/${id}"><div class="single-product-name">${name}</div></a><div class="single-product-price">${price}</div><div class="needed">2 still needed</div></div></div></div>`;

const babylist = (id: string, name: string, price: string, shop: string) =>
  `<div data-testid="reg-item" class="RegItemCard"><a href="/list/ann-and-bob/${id}"><img src="/images/${id}.jpg" width="180" height="180" alt="${name}"></a><div><p><a href="/list/ann-and-bob/${id}">${name}</a></p><span>${shop}</span><span>${price}</span><button type="button">Reserve</button></div></div>`;

const ikea = (id: string, name: string, what: string, price: string) =>
  `<li class="favourite-item"><div class="pub-product"><a href="/de/de/p/${id}/"><img src="/images/${id}.jpg" width="200" height="200" alt="${name} ${what}"></a><div><h3><span>${name}</span> <span>${what}</span></h3><div class="price-module"><span class="price__integer">${price.split(',')[0]}</span><span class="price__decimal">,${price.split(',')[1]}</span> <span class="price__currency">€</span></div><label>Anzahl <select><option>1</option></select></label><button>In den Warenkorb</button></div></div></li>`;

export const WISH_LISTS: WishList[] = [
  {
    what: 'Amazon',
    address: 'https://www.amazon.com/hz/wishlist/ls/2X9',
    html: page(
      'Ann’s Wish List',
      `<h1>Ann’s Wish List</h1><ul id="g-items">${amazon('I1', 'B01', 'Cast-Iron Skillet', '24.99')}${amazon('I2', 'B02', 'Stand Mixer, Red', '449.00')}${amazon('I3', 'B03', 'A book that is out of stock', '')}</ul>`,
    ),
    gifts: [
      ['Cast-Iron Skillet', 24.99],
      ['Stand Mixer, Red', 449],
      ['A book that is out of stock', null],
    ],
    first: '/dp/B01/?coliid=I1',
    currency: 'USD',
  },
  {
    what: 'Zola',
    address: 'https://www.zola.com/registry/annandbob',
    html: page(
      'Ann and Bob’s Wedding Registry',
      `<h1>Ann &amp; Bob</h1><div id="all-panel">${zola('p1', 'Linen Napkins', '$48.00')}${zola('p2', 'Dutch Oven', '$1,299')}</div>`,
    ),
    gifts: [
      ['Linen Napkins', 48],
      ['Dutch Oven', 1299],
    ],
    first: '/shop/product/p1',
    currency: 'USD',
  },
  {
    what: 'Babylist',
    address: 'https://www.babylist.com/list/ann-and-bob',
    html: page(
      'Ann and Bob’s Baby Registry',
      `<h1>Ann and Bob</h1><div class="grid">${babylist('11', 'Muslin Swaddles', '$36.50', 'Target')}${babylist('12', 'Travel Cot', '$180.00', 'Babylist Shop')}</div>`,
    ),
    gifts: [
      ['Muslin Swaddles', 36.5],
      ['Travel Cot', 180],
    ],
    first: '/list/ann-and-bob/11',
    currency: 'USD',
  },
  {
    what: 'IKEA',
    address: 'https://www.ikea.com/de/de/favourites/1/',
    html: page(
      'Favoriten – IKEA',
      `<h1>Meine Liste</h1><ul>${ikea('billy-1', 'BILLY', 'Bücherregal, weiß', '49,99')}${ikea('poaeng-2', 'POÄNG', 'Sessel', '119,00')}</ul>`,
    ),
    gifts: [
      ['BILLY Bücherregal, weiß', 49.99],
      ['POÄNG Sessel', 119],
    ],
    first: '/de/de/p/billy-1/',
    currency: 'EUR',
  },
];

/** Pages with several products that are no wish lists. */
export const NO_WISH_LISTS = [
  page(
    'Dutch ovens',
    `<h1>Dutch ovens</h1>${zola('p1', 'Linen Napkins', '$48.00')}${zola('p2', 'Dutch Oven', '$9')}`,
  ),
  page('My wish list', `<h1>My wish list</h1><p>There is nothing here yet.</p>`),
];

// Shapes of pages that are made to hold a reader up: a text of any length in each place where one is read.

/** A page with a text in one place. */
export type Shape = (text: string) => string;
const html = (s: string) => s.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
const P =
  '<title>Teapot</title><meta property="og:title" content="Teapot"><h1>Teapot</h1><span class=price>€ 5.00</span><button>Add to cart</button>';
const js = (s: string) => JSON.stringify(s).replace(/</g, '\\u003c');
const pieces = (t: string, length: number) => t.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
/** An element for each piece of so many characters. */
const each =
  (length: number, element: (x: string) => string): Shape =>
  (t) =>
    P + t.replace(new RegExp(`.{${length}}`, 'gs'), element);
const inLd =
  (json: Shape): Shape =>
  (t) =>
    `${P}<script type="application/ld+json">${json(t)}</script>`;
/** Pages by the place of the text. */
export const SHAPES_BY_PLACE: Record<string, Shape> = {
  raw: (t) => t,
  rawInH1: (t) => `<h1>Teapot ${t}</h1>${P}`,
  text: (t) => `${P}<p>${html(t)}`,
  lines: each(200, (x) => `<p>${html(x)}</p>`),
  spans: (t) => `${P}<p>${t.replace(/(.{3})/gs, (x) => `<span>${html(x)}</span>`)}`,
  pricespans: (t) => `${P}<p>${t.replace(/(.{2})/gs, (x) => `<sup class=price>${html(x)}</sup>`)}`,
  title: (t) => `<title>${html(t)}</title><h1>Teapot</h1>`,
  h1: (t) => `<title>Teapot</title><h1>${html(t)}</h1>`,
  h1s: (t) => `<title>Teapot</title>${t.replace(/(.{400})/gs, (x) => `<h1>${html(x)}</h1>`)}`,
  button: (t) => `${P}<button>${html(t)}</button>`,
  rolebuttons: each(40, (x) => `<div role=button>${html(x)}`),
  ldraw: inLd((t) => t),
  ldraw2: inLd((t) => `{"@type":"Product",${t}`),
  ldraw3: inLd((t) => `{"@type":"Product","name":"${t}`),
  ldmany: each(300, (x) => `<script type="application/ld+json">{"@type":"Product","name":${js(x)}}</script>`),
  ldname: inLd((t) => `{"@type":"Product","name":${js(t)},"offers":{"price":"5"}}`),
  ldnames: inLd(
    (t) => `[${pieces(t, 100).map((x) => `{"@type":"Product","name":${js(x)},"offers":{"price":"5"}}`)}]`,
  ),
  ldnamelist: inLd(
    (t) => `{"@type":"Product","name":[${pieces(t, 100).map((x) => js(x))}],"offers":{"price":"5"}}`,
  ),
  ldvariants: inLd(
    (t) =>
      `{"@type":"ProductGroup","name":"Teapot","hasVariant":[${pieces(t, 100).map((x) => `{"@type":"Product","name":${js(x)},"sku":${js(x)},"offers":{"price":"5","url":${js(x)}}}`)}]}`,
  ),
  ldrefs: inLd(
    (t) =>
      `[${pieces(t, 50).map((x, i) => `{"@id":"#${i}","@type":"Product","name":${js(x)},"hasVariant":[{"@id":"#${i + 1}"},{"@id":"#${i + 2}"}],"offers":{"@id":"#${i + 1}"}}`)}]`,
  ),
  ldselfoffers: inLd(
    (t) =>
      `[${pieces(t, 50).map((x, i) => `{"@id":"#${i}","@type":"Product","name":${js(x)},"offers":[{"@id":"#o${i}"}]},{"@id":"#o${i}","x":1,"y":2,"offers":[{"@id":"#o${i + 1}"},{"@id":"#o${i + 2}"}],"price":"1","priceCurrency":"EUR"}`)}]`,
  ),
  ldprice: inLd((t) => `{"@type":"Product","name":"Teapot","offers":{"price":${js(t)}}}`),
  ldprices: inLd((t) => `{"@type":"Product","name":"Teapot","offers":{"price":[${pieces(t, 20).map(js)}]}}`),
  ldimages: inLd((t) => `{"@type":"Product","name":"Teapot","image":[${pieces(t, 60).map(js)}]}`),
  ldtypes: inLd((t) => `{"@type":[${pieces(t, 60).map(js)}],"@graph":[{}]}`),
  lddesc: inLd((t) => `{"@type":"Product","name":"Teapot","description":${js(t)}}`),
  ldshops: inLd(
    (t) =>
      `[{"@type":"Product","name":"Teapot | Shop - x - y: z"},{"@type":"Organization","name":[${pieces(t, 60).map(js)}]}]`,
  ),
  ldnest: inLd((t) => `${'['.repeat(t.length / 2)}${']'.repeat(t.length / 2)}`),
  ldnest2: inLd((t) => `${'{"@graph":'.repeat(t.length / 11)}1${'}'.repeat(t.length / 11)}`),
  appjson: (t) =>
    `${P}<script type="application/json">{"name":"Teapot","x":${js(t)},"price":"5.00"}</script>`,
  appjsons: (t) =>
    P +
    `<script type="application/json">[${pieces(t, 60).map((x) => `{"name":${js(x)},"title":${js(x)},"price":"5.00","currency":"EUR"}`)}]</script>`,
  appjsonprice: (t) =>
    P +
    `<script type="application/json">[${pieces(t, 60).map((x) => `{"name":"Teapot","price":${js(x)},"currency":"EUR"}`)}]</script>`,
  appjsonschema: (t) =>
    P +
    `<script type="application/json">["schema.org",${pieces(t, 60).map((x) => `{"@type":"Product","name":${js(x)},"price":"5.00","currency":"EUR"}`)}]</script>`,
  script: (t) => `${P}<script>${t}</script>`,
  scripts: each(100, (x) => `<script>${x}</script>`),
  next: (t) => `${P}<script>self.__next_f.push([1,${js(t)}])</script>`,
  nextraw: (t) => `${P}<script>self.__next_f.push([1,"${t}</script>`,
  nexts: (t) =>
    P +
    pieces(t, 80)
      .map((x) => `<script>self.__next_f.push([1,${js(x)}])</script>`)
      .join(''),
  nextld: (t) =>
    P +
    pieces(t, 80)
      .map((x) => `<script>self.__next_f.push([1,${js(`{"@context":"x${x}`)}])</script>`)
      .join(''),
  meta: (t) => `${P}<meta property="og:description" content="${html(t)}">`,
  metas: each(50, (x) => `<meta property="${html(x)}" content="${html(x)}">`),
  ogtitle: (t) => `<meta property="og:title" content="${html(t)}">${P}`,
  sitename: (t) => `<meta property="og:site_name" content="${html(t)}">${P}`,
  price: (t) =>
    `<meta property="product:price:amount" content="${html(t)}"><meta property="product:price:currency" content="${html(t)}">` +
    P,
  twitter: (t) =>
    `<meta name="twitter:label1" content="price"><meta name="twitter:data1" content="${html(t)}">${P}`,
  canonical: (t) => `<link rel=canonical href="https://www.teaco.example/${html(t)}">${P}`,
  base: (t) => `<base href="${html(t)}">${P}`,
  refresh: (t) => `<meta http-equiv=refresh content="${html(t)}">${P}`,
  charset: (t) => `<meta ${t} charset=${P}`,
  cls: (t) => `${P}<div class="${html(t)}" id="${html(t)}" style="${html(t)}"><p>€ 5`,
  clss: each(60, (x) => `<div class="${html(x)}"></div>`),
  nested: each(60, (x) => `<div class="${html(x)}">x`),
  nesteda: each(60, (x) => `<a href="${html(x)}"><button>€ 5 x`),
  href: (t) => `${P}<a href="${html(t)}">x</a>`,
  tag: (t) => `${P}<${t}>`,
  attrs: (t) => `${P}<div ${t}>`,
  srcset: (t) => `${P}<img class=main-image srcset="${html(t)}">`,
  srcsets: each(60, (x) => `<img class=main-image alt="Teapot" srcset="${html(x)}">`),
  dyn: (t) => `${P}<img class=main-image data-a-dynamic-image="${html(t)}">`,
  alt: (t) => `${P}<img alt="${html(t)}">`,
  alts: each(400, (x) => `<img alt="${html(x)}">`),
  ogimages: each(60, (x) => `<meta property=og:image content="${html(x)}">`),
  itemprop: (t) => `${P}<div itemscope itemtype=Product><p itemprop="${html(t)}">x</div>`,
  itemprops: (t) =>
    P +
    `<div itemscope itemtype="https://schema.org/Product">` +
    t.replace(
      /(.{60})/gs,
      (x) => `<span itemprop=name>${html(x)}</span><span itemprop=price>${html(x)}</span>`,
    ),
  items: each(
    60,
    (x) =>
      `<div itemscope itemtype="https://schema.org/Product"><span itemprop=name>${html(x)}</span><div itemprop=offers itemscope><span itemprop=price>${html(x)}</span></div></div>`,
  ),
  itemsnest: each(
    60,
    (x) =>
      `<div itemprop=name itemscope itemtype="https://schema.org/Product"><span itemprop=name>${html(x)}</span>`,
  ),
  itemname: each(
    60,
    (x) =>
      `<div itemscope itemtype="https://schema.org/Product"><div itemprop=name><div itemprop=description>${html(x)}`,
  ),
  itemref: (t) => `${P}<div itemscope itemref="${html(t)}" itemtype=Product></div>`,
  itemrefs: (t) =>
    P +
    pieces(t, 40)
      .map(
        (x, i) =>
          `<div itemscope id=a${i} itemref="a${i + 1} a${i + 2}" itemtype=Product><p itemprop=name>${html(x)}</div>`,
      )
      .join(''),
  sameid: (t) =>
    P +
    `<div itemscope itemref="a b c" itemtype=Product></div>` +
    pieces(t, 40)
      .map((x) => `<div id=a itemprop=name>${html(x)}<p id=b>`)
      .join(''),
  rdfa: each(60, (x) => `<div typeof=Product property="${html(x)}"><span property=name>${html(x)}`),
  seenname: (t) =>
    `<h1>Teapot</h1>` +
    `<div itemscope itemtype="https://schema.org/Product"><h2 itemprop=name>` +
    t.replace(/(.{60})/gs, (x) => `<div itemprop="brand name description price">${html(x)}`),
  del: each(
    60,
    (x) =>
      `<div itemscope itemtype="https://schema.org/Product"><div itemprop=offers itemscope>${'<span>'.repeat(10)}<span itemprop=price>${html(x)}`,
  ),
  amazon: (t) =>
    P +
    `<input name="[customerVisiblePrice][amount]" value="${html(t)}">` +
    t.replace(/(.{60})/gs, (x) => `<input name="${html(x)}">`),
  manyh2: each(60, (x) => `<h2>${html(x)}</h2><p>€ 5`),
  h1long: (t) => `<h1>${html(t)}</h1>${'<img alt=x>'.repeat(100)}${`<h1>${html(t)}</h1>`.repeat(3)}`,
  comment: (t) => `${P}<!--${t}-->`,
  comments: each(20, (x) => `<!--${x}-->`),
  unclosed: (t) => `${P}<style>${t}`,
  skipnest: (t) => P + '<svg>'.repeat(t.length / 5),
};
/** The pieces that the text is made of. */
export const TOKENS = [
  ...[' ', '\n', '\t', '\u00a0', 'x', 'a', '5', '9', '1.', '.', ',', '-', '–', '"', '\\', '\\"', "'", '/'],
  ...['//', '/*', '*/', '<', '>', '<script', '<script>', '</script', '<style>', '<!--', '-->', '<![CDATA['],
  ...[']]>', '&', '&amp;', '&#', '&quot;', '{', '}', '[', ']', ':', ';', '=', '€', '$', 'EUR', 'kr'],
  ...['price', 'currency', 'currency:', '"@type":', '{"@context":', 'ab ', 'de ', 'from ', '€ 5', '5 €'],
  ...['1 234', '1.234,', '12,', '05', '\ue000', '\uFDFA', 'é', 'ﷺ', '\u0301', 'ß', '円', '😀', '\ud800', '|'],
  ...[' | ', ' - ', ': ', 'www.', 'http://', 'https://', '?', '#', '%', '%2', '_', 'add to cart'],
  ...['buy now', 'kaufen', 'buy ', ' online', 'product', 'header', 'detail', 'item', 'summary', 'save '],
  ...['x de ', 'over', '(', '+', '×', '30 days ', 'lowest', 'was ', 'in den warenkorb', 'url=', '0', '00'],
  ...['not', 'page ', 'charset', 'charset=', 'content=', '"name":"', '"a":', 'self.__next_f.push([1,'],
  ...['\u2028', 'before', 'niedrigste', ' bei ', ' & ', 'loading', 'log in ', '\\u', '\\n', 'incl'],
  ...['<div>', '<p>', '</p>', '<b', '</div>', '<a href=/x>', '<button>', '<h2>', '<option>', '<li>'],
  ...['<div role=button>', '<span class=price>'],
];
/** Numbers from 0 to 1, the same ones for each seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

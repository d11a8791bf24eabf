// The codes of ISO 4217, run together.
const CODES = new Set(
  `AEDAFNALLAMDANGAOAARSAUDAWGAZNBAMBBDBDTBGNBHDBIFBMDBNDBOBBRLBSDBTNBWPBYNBZDCADCDFCHFCLPCNYCOPCRCCUP
  CVECZKDJFDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGNFGTQGYDHKDHNLHTGHUFIDRILSINRIQDIRRISKJMDJODJPY
  KESKGSKHRKMFKRWKWDKYDKZTLAKLBPLKRLRDLSLLYDMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMYRMZNNADNGNNIONOKNPR
  NZDOMRPABPENPGKPHPPKRPLNPYGQARRONRSDRUBRWFSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVCSYPSZLTHBTJSTMTTND
  TOPTRYTTDTWDTZSUAHUGXUSDUYUUZSVESVNDVUVWSTXAFXCDXCGXOFXPFYERZARZMWZWG`.match(/[A-Z]{3}/g),
);

const LARGE_DOLLARS = 'USD CAD AUD NZD MXN ARS CLP COP HKD SGD TWD UYU DOP JMD';
const DOLLARS = `${LARGE_DOLLARS} TTD BBD BSD BZD BMD BND FJD GYD KYD LRD NAD SBD SRD XCD`;

// The signs of currencies, with every currency that each may stand for; "$" for all dollars.
const SIGNS = [
  'US$=USD;US $=USD;U$S=USD;CA$=CAD;C$=CAD NIO;AU$=AUD;AU $=AUD;C $=CAD;A$=AUD;NZ$=NZD;HK$=HKD',
  'NT$=TWD;S$=SGD;R$=BRL;MX$=MXN;RD$=DOP;AR$=ARS;J$=JMD;TT$=TTD;$=$;＄=$;€=EUR;Euros=EUR;Euro=EUR',
  'euros=EUR;euro=EUR;EURO=EUR;£=GBP GIP FKP SHP;¥=JPY CNY;￥=JPY CNY;円=JPY;元=CNY TWD HKD;RMB=CNY',
  '₹=INR;Rs=INR PKR LKR NPR MUR;₽=RUB;руб=RUB BYN;₴=UAH;грн=UAH;₺=TRY;TL=TRY;₩=KRW;원=KRW;₪=ILS',
  '₫=VND;đ=VND;zł=PLN;Kč=CZK;Ft=HUF;Lei=RON MDL;lei=RON MDL;лв=BGN;Kr=SEK NOK DKK ISK',
  'kr=SEK NOK DKK ISK;SFr.=CHF;Fr.=CHF;฿=THB;₱=PHP;₦=NGN;₵=GHS;₡=CRC;₲=PYG;₸=KZT;₼=AZN;₾=GEL',
  'S/=PEN;RM=MYR;Rp=IDR;KSh=KES;Dhs=AED MAD;د.إ=AED;ر.س=SAR;R=ZAR',
]
  .join(';')
  .split(';')
  .map((entry): [sign: string, codes: string[]] => {
    const [sign = '', codes = ''] = entry.split('=');
    return [sign, (codes === '$' ? DOLLARS : codes).split(' ')];
  });

// Currencies that share a sign, by their country's domain, with which their codes begin.
const OF_DOMAIN = new Map([
  ['uk', 'GBP'],
  ...`${LARGE_DOLLARS} SEK NOK DKK ISK JPY CNY INR PKR LKR NPR MUR RON MDL RUB BYN AED MAD`
    .split(' ')
    .map((code): [string, string] => [code.slice(0, 2).toLowerCase(), code]),
]);

// Country domains that are sold to shops anywhere, so they don't tell where a shop is.
const WORLDWIDE = /\.(co|me|tv|io)$/;

// Codes that are also words: "TOP 10", "ALL 3", "GEL 50 ml".
const WORDS = /^(?:ALL|AMD|BAM|BOB|CUP|GEL|LAK|MOP|MUR|SOS|STN|TOP)$/;

/** The source of a regular expression that finds a currency's sign or code. */
export const SIGN = `(?:${signs()})`;

/** A sign with a letter next to it is part of a word: "kr" in "krone", "R" in "RAM". */
function signs(): string {
  const all = [...SIGNS.map(([sign]) => sign), ...[...CODES].filter((code) => !WORDS.test(code))];
  const groups = Map.groupBy(all, (sign) => {
    const before = /^\p{L}/u.test(sign) ? '(?<!\\p{L})' : '';
    const after = /\p{L}$/u.test(sign) && !/[円元원]/.test(sign) ? '(?!\\p{L})' : '';
    return `${before}|${after}`;
  });
  return [...groups]
    .map(([edges, group]) => {
      const [before, after] = edges.split('|');
      return `${before}(?:${group.map((sign) => sign.replace(/[$/.]/g, '\\$&')).join('|')})${after}`;
    })
    .join('|');
}

const bySign = new Map(SIGNS.map(([sign, codes]) => [sign.replace(/\.$/, '').toLowerCase(), codes]));

/** Returns the currencies that a sign or a code may stand for. */
export function currenciesOf(sign: string): string[] {
  const text = sign.trim().replace(/\.$/, '');
  const code = text.toUpperCase();
  return CODES.has(code) ? [code] : (bySign.get(text.toLowerCase()) ?? []);
}

/** Returns the currency that a page's markup names, or null: a "$" alone is ambiguous, a "£" is taken for Britain's. */
export function currencyNamed(text: string): string | null {
  const found = currenciesOf(text);
  return found.length === 1 || found[0] === 'GBP' ? found[0]! : null;
}

/** Returns the currency of the country in a host's name; null if the shop could be anywhere. */
export function currencyOfHost(host: string): string | null {
  // Amazon sells in other dollars under other host names.
  if (/^(?:www\.|smile\.)?amazon\.com$/.test(host)) return 'USD';
  if (WORLDWIDE.test(host) && !/\.com\.co$/.test(host)) return null;
  return OF_DOMAIN.get(host.slice(host.lastIndexOf('.') + 1)) ?? null;
}

export const hasThreeDecimals = (currency: string | null): boolean =>
  /^(BHD|KWD|OMR|TND|JOD|IQD|LYD)$/.test(currency ?? '');

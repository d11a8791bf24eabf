const CODES = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
  CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
  ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP
  MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR
  SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV
  WST XAF XCD XOF XPF YER ZAR ZMW`.split(/\s+/),
);

const DOLLARS =
  'USD CAD AUD NZD MXN ARS CLP COP HKD SGD TWD UYU DOP JMD TTD BBD BSD BZD BMD BND FJD GYD KYD LRD NAD SBD SRD XCD'.split(
    ' ',
  );

/** The signs of currencies, longest first where one begins another, with every currency that they may stand for. */
const SIGNS: [sign: string, codes: string[]][] = [
  ['US$', ['USD']],
  ['US $', ['USD']],
  ['U$S', ['USD']],
  ['CA$', ['CAD']],
  ['C$', ['CAD', 'NIO']],
  ['AU$', ['AUD']],
  ['AU $', ['AUD']],
  ['C $', ['CAD']],
  ['A$', ['AUD']],
  ['NZ$', ['NZD']],
  ['HK$', ['HKD']],
  ['NT$', ['TWD']],
  ['S$', ['SGD']],
  ['R$', ['BRL']],
  ['MX$', ['MXN']],
  ['RD$', ['DOP']],
  ['AR$', ['ARS']],
  ['J$', ['JMD']],
  ['TT$', ['TTD']],
  ['$', DOLLARS],
  ['＄', DOLLARS],
  ['€', ['EUR']],
  ['Euros', ['EUR']],
  ['Euro', ['EUR']],
  ['euros', ['EUR']],
  ['euro', ['EUR']],
  ['EURO', ['EUR']],
  ['£', ['GBP', 'GIP', 'FKP', 'SHP']],
  ['¥', ['JPY', 'CNY']],
  ['￥', ['JPY', 'CNY']],
  ['円', ['JPY']],
  ['元', ['CNY', 'TWD', 'HKD']],
  ['RMB', ['CNY']],
  ['₹', ['INR']],
  ['Rs', ['INR', 'PKR', 'LKR', 'NPR', 'MUR']],
  ['₽', ['RUB']],
  ['руб', ['RUB', 'BYN']],
  ['₴', ['UAH']],
  ['грн', ['UAH']],
  ['₺', ['TRY']],
  ['TL', ['TRY']],
  ['₩', ['KRW']],
  ['원', ['KRW']],
  ['₪', ['ILS']],
  ['₫', ['VND']],
  ['đ', ['VND']],
  ['zł', ['PLN']],
  ['Kč', ['CZK']],
  ['Ft', ['HUF']],
  ['Lei', ['RON', 'MDL']],
  ['lei', ['RON', 'MDL']],
  ['лв', ['BGN']],
  ['Kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['SFr.', ['CHF']],
  ['Fr.', ['CHF']],
  ['฿', ['THB']],
  ['₱', ['PHP']],
  ['₦', ['NGN']],
  ['₵', ['GHS']],
  ['₡', ['CRC']],
  ['₲', ['PYG']],
  ['₸', ['KZT']],
  ['₼', ['AZN']],
  ['₾', ['GEL']],
  ['S/', ['PEN']],
  ['RM', ['MYR']],
  ['Rp', ['IDR']],
  ['KSh', ['KES']],
  ['Dhs', ['AED', 'MAD']],
  ['د.إ', ['AED']],
  ['ر.س', ['SAR']],
  ['R', ['ZAR']],
];

const COUNTRIES: Record<string, string> = {
  us: 'USD',
  ca: 'CAD',
  au: 'AUD',
  nz: 'NZD',
  mx: 'MXN',
  ar: 'ARS',
  cl: 'CLP',
  co: 'COP',
  hk: 'HKD',
  sg: 'SGD',
  tw: 'TWD',
  uy: 'UYU',
  do: 'DOP',
  jm: 'JMD',
  se: 'SEK',
  no: 'NOK',
  dk: 'DKK',
  is: 'ISK',
  jp: 'JPY',
  cn: 'CNY',
  in: 'INR',
  pk: 'PKR',
  lk: 'LKR',
  np: 'NPR',
  mu: 'MUR',
  ro: 'RON',
  md: 'MDL',
  ru: 'RUB',
  by: 'BYN',
  uk: 'GBP',
  ae: 'AED',
  ma: 'MAD',
}; // prettier-ignore

// Endings of countries that are sold to shops anywhere; they say nothing about where a shop is.
const WORLDWIDE = /\.(co|me|tv|io)$/;

// Words too: "TOP 10", "ALL 3", "GEL 50 ml".
const WORDS = /^(?:ALL|AMD|BAM|BOB|CUP|GEL|LAK|MOP|MUR|SOS|STN|TOP)$/;

/** The source of a regular expression that finds a currency's sign or code. */
export const SIGN = `(?:${signs()})`;

/** A letter beside a sign makes another word of it: "kr" of "krone", "R" of "RAM". */
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

/** The currencies that a sign or a code may stand for. */
export function currenciesOf(sign: string): string[] {
  const text = sign.trim().replace(/\.$/, '');
  const code = text.toUpperCase();
  if (CODES.has(code)) return [code];
  return SIGNS.find(([known]) => known.replace(/\.$/, '').toLowerCase() === text.toLowerCase())?.[1] ?? [];
}

/** The one currency that a page's markup names, or null: a "$" alone names none. */
export function currencyNamed(text: string): string | null {
  const found = currenciesOf(text);
  return found.length === 1 || found[0] === 'GBP' ? found[0]! : null;
}

/** The currency of the country in a host's name, null for addresses that could be anywhere. */
export function currencyOfHost(host: string): string | null {
  if (WORLDWIDE.test(host) && !/\.com\.co$/.test(host)) return null;
  return COUNTRIES[host.slice(host.lastIndexOf('.') + 1)] ?? null;
}

/** How many decimals a currency's amounts have where people write them. */
export function decimalsOf(currency: string | null): number {
  if (/^(CLP|JPY|KRW|VND|ISK|PYG|UGX|XAF|XOF|XPF|RWF|IDR|COP|HUF)$/.test(currency ?? '')) return 0;
  return /^(BHD|KWD|OMR|TND|JOD|IQD|LYD)$/.test(currency ?? '') ? 3 : 2;
}

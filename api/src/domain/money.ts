// ISO 4217's decimals where they aren't two. `Intl` follows how people write amounts, which differs for some.
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';

/** Formats minor units, such as `120.00 EUR`. */
export function amountOf(minorUnits: number, currency: string): string {
  const decimals = NO_DECIMALS.includes(currency) ? 0 : THREE_DECIMALS.includes(currency) ? 3 : 2;
  return `${(minorUnits / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

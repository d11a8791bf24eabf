/** ISO 4217's decimals where they aren't two. `Intl` follows how people write amounts, which differs for some. */
const DECIMALS: Record<string, number> = Object.fromEntries(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
    ] as const
  ).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals])),
);

/** Formats minor units, such as `120.00 EUR`. */
export function amountOf(minorUnits: number, currency: string): string {
  const decimals = DECIMALS[currency] ?? 2;
  return `${(minorUnits / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

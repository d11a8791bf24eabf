// The currencies of ISO 4217 without decimals, and those with three. Intl follows common usage instead, which differs for some.
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

const unitsOf = (currency: string): number =>
  10 ** (NONE.includes(currency) ? 0 : THREE.includes(currency) ? 3 : 2);

/** Converts minor units of a group gift to an amount as people write it. */
export const toAmount = (minorUnits: number, currency: string): number => minorUnits / unitsOf(currency);

/** Converts an amount to minor units. */
export const toMinorUnits = (amount: number, currency: string): number =>
  Math.round(amount * unitsOf(currency));

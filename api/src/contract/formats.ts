import { isDay } from '../days.ts';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Formats of the contract that JSON Schema doesn't have. */
export const FORMATS = {
  address: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text),
  currency: (text: string) => CURRENCIES.has(text),
  surprise: (text: string) => text === '' || text === 'always' || isDay(text),
};

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is a day of the calendar, such as `2027-02-28`. */
export const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

/** Formats of the contract that JSON Schema doesn't have. */
export const FORMATS = {
  address: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text),
  currency: (text: string) => CURRENCIES.has(text),
  surprise: (text: string) => text === '' || text === 'always' || isDay(text),
};

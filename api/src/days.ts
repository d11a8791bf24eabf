export const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a text is a day of the calendar, such as `2027-02-28`. */
export const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

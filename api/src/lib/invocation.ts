/** Whether the service runs from its package, which holds JavaScript, and not from the checkout. */
export const IS_PACKAGE = import.meta.filename.endsWith('.js');

export const calledAs = (name: string): string =>
  IS_PACKAGE ? `npx trousseau ${name}` : `npm run ${name} --`;

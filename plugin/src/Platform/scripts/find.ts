/** The first element of the page that a selector matches. */
export const find = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelector<T>(selector);

/** All of them. */
export const findAll = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelectorAll<T>(selector);

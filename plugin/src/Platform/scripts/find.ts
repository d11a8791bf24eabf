export const find = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelector<T>(selector);

export const findAll = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelectorAll<T>(selector);

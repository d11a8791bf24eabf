/** What is here already, or will be: what SQLite reads is not worth a promise, what comes over a network is. */
export type Soon<T> = T | Promise<T>;

/** Goes on at once with what is here, later with what is not. */
export function then<T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return soon instanceof Promise ? soon.then(next) : next(soon);
}

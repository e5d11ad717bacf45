import type { Edition } from './edition.ts';

/** Returns a function that keeps its result as long as the edition lasts. */
export function perEdition<T>(make: (edition: Edition) => T): (edition: Edition) => T {
  const made = new WeakMap<Edition, T>();
  return (edition) => {
    let result = made.get(edition);
    if (result === undefined) made.set(edition, (result = make(edition)));
    return result;
  };
}

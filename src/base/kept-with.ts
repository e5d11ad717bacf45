/** Returns a function that keeps its result as long as what it is made of lasts. */
export function keptWith<Source extends object, T>(make: (source: Source) => T) {
  const made = new WeakMap<Source, T>();
  return (source: Source): T => {
    let result = made.get(source);
    if (result === undefined) made.set(source, (result = make(source)));
    return result;
  };
}

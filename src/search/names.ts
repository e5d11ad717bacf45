import { fold } from './fold.ts';

export interface NamedId {
  id: string;
  /** Every name that stands for it, besides the id. */
  names: string[];
}

/** Ids by name, case-insensitive. Two people may share a name: it then stands for both. */
export class NameIndex {
  readonly #ids = new Map<string, string[]>();

  constructor(entries: readonly NamedId[]) {
    for (const { id, names } of entries) {
      for (const name of new Set([id, ...names].map(fold))) {
        this.#ids.set(name, [...(this.#ids.get(name) ?? []), id]);
      }
    }
  }

  /** The ids a name stands for; none for a name nobody has. */
  resolve(name: string): readonly string[] {
    return this.#ids.get(fold(name)) ?? [];
  }
}

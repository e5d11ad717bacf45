import type { Kind, Pace } from './hosts.ts';

/** Exchanges at once under one registrable domain, at one address, and for one client network. */
const PER_GROUP = 16;
/** Turns at once of each kind; those that have become slow are counted apart. */
const TURNS: Record<Kind, number> = { delivery: 192, verification: 64 };
/** Shares of them for hosts of each pace. */
const SHARE: Record<Pace, number> = { slow: 1 / 4, unknown: 1 / 2, prompt: 1 };
/** Turns that became slow while they ran; beyond that they keep their places. */
const OVERTIME = 320;

/** The places of one turn: one of its host's pace when it began, or of overtime, and one of each group. */
export interface Held {
  place: string;
  groups: readonly string[];
}

/** The places that turns hold, by kind and pace and by group. */
export class Places {
  readonly #counts = new Map<string, number>();

  /** Tells if a host of this pace may begin. */
  has(kind: Kind, pace: Pace): boolean {
    const held = (of: Pace) => this.#count(`${kind} ${of}`);
    const all = held('prompt') + held('unknown') + held('slow');
    return all < TURNS[kind] && held(pace) < TURNS[kind] * SHARE[pace];
  }

  /** Returns the first of the groups that has no place left, if any. */
  fullOf(groups: readonly string[]): string | undefined {
    return groups.find((group) => this.#count(group) >= PER_GROUP);
  }

  /** Returns the number of places that a group has left: any if it holds none. */
  leftOf(group: string): number {
    return this.#count(group) === 0 ? Infinity : PER_GROUP - this.#count(group);
  }

  take(kind: Kind, pace: Pace, groups: readonly string[]): Held {
    const place = `${kind} ${pace}`;
    for (const name of [place, ...groups]) this.#add(name, 1);
    return { place, groups };
  }

  free({ place, groups }: Held): void {
    for (const name of [place, ...groups]) this.#add(name, -1);
  }

  /** Gives the place of a turn that runs for long to the others, while there is overtime left. */
  moveToOvertime(held: Held): void {
    if (this.#count('overtime') >= OVERTIME) return;
    this.#add(held.place, -1);
    held.place = 'overtime';
    this.#add('overtime', 1);
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #add(name: string, by: number): void {
    const count = this.#count(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

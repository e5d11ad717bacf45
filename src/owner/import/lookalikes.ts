import { PLATFORMS } from '../../schema/platforms.ts';
import { ANONYMOUS, type ReviewRecord } from '../../schema/review.ts';
import { LETTERS_OF_CHANCE } from '../same-words.ts';
import { displayName, isDisplayOf } from './author.ts';
import { isNamed, type Candidate } from './candidate.ts';
import { isCutShort } from './merge.ts';

/** A review under one of the keys by which it is found. */
interface Known {
  id: string;
  /** As it was given, or as a record shows it; undefined where a key proves it without an author. */
  author: string | undefined;
}

/**
 * Finds the review that a candidate is another naming of. Two reviews of a platform with the same day,
 * stars and words are one if they have the same author. An account rates a place once, so there the
 * author is proof enough without words, and so is the day of an edit, which some tools have instead of
 * the first one. Where a review has no id of its platform, a long text proves it without an author. A
 * text that a tool cut short is known by its beginning.
 */
export class Lookalikes {
  /** Reviews by what they look like, oldest first. */
  readonly #known = new Map<string, Known[]>();
  /** Number of those that come first and that a tool or table has named already. */
  readonly #passed = new Map<string, number>();
  /** The tools and tables that named a review, each of which has it under one name. */
  readonly #namers = new Map<string, Set<string>>();

  /** @param namer the only tool that can have named it, if there is only one */
  addKnown(record: ReviewRecord, namer: string | undefined): void {
    this.#add(record.id, record, record.author, isNamed(record) ? namer : undefined);
  }

  /** @param id the id of the review that the candidate is */
  addCandidate(id: string, candidate: Candidate): void {
    const { author = ANONYMOUS, record } = candidate;
    this.#add(id, record, author, namerOf(candidate));
  }

  /** Returns the id of the review, if there is one that the tool or table has not named already. */
  find(candidate: Candidate): string | undefined {
    const { author = ANONYMOUS, record } = candidate;
    const namer = namerOf(candidate);
    const isTaken = (id: string) => this.#namers.get(id)?.has(namer) === true;
    const { same, cut, whole, isCut } = looksOf(record, author);
    const keys = [...same, ...cut, ...(isCut ? whole : [])].map((look) => byAuthor(look, author));
    keys.push(...same);
    for (const key of keys) {
      const known = this.#known.get(key);
      if (!known) continue;
      const place = `${key}\n${namer}`;
      let passed = this.#passed.get(place) ?? 0;
      while (passed < known.length && isTaken(known[passed]!.id)) passed++;
      this.#passed.set(place, passed);
      for (let at = passed; at < known.length; at++) {
        const { id, author: other } = known[at]!;
        if (!isTaken(id) && (other === undefined || areOne(author, other))) return id;
      }
    }
    return undefined;
  }

  #add(id: string, record: ReviewRecord, author: string, namer: string | undefined): void {
    if (namer !== undefined) {
      const namers = this.#namers.get(id);
      if (namers) namers.add(namer);
      else this.#namers.set(id, new Set([namer]));
    }
    const { same, cut, whole, isLong, isCut, isProof } = looksOf(record, author);
    if (!isNamed(record)) {
      if (isLong) for (const look of same) this.#note(look, { id, author: undefined });
    } else if (!isProof) return;
    for (const look of [...same, ...(isCut ? cut : whole)]) {
      this.#note(byAuthor(look, author), { id, author });
    }
  }

  #note(key: string, known: Known): void {
    const all = this.#known.get(key);
    if (!all) this.#known.set(key, [known]);
    else if (all.at(-1)!.id !== known.id) all.push(known);
  }
}

/** Adds the display of a name that all its displays have in common. */
function byAuthor(look: string, author: string): string {
  return `${look} by ${displayName(author, 'initials')}`;
}

function areOne(author: string, other: string): boolean {
  return author === other || isDisplayOf(other, author) || isDisplayOf(author, other);
}

/** The letters by which a text is known that one of two tools cut short. */
const BEGINNING = 30;

/**
 * Returns keys that are the same for reviews of one platform that agree in a day, stars and words; and
 * others for texts that begin alike, of which one is cut. Ratings without words need no author where an
 * account rates a place once: there are as many as the tool has that has most of them.
 */
function looksOf(
  { source, date, rating, text, updated_at: updated }: ReviewRecord,
  author: string,
) {
  const words = text?.replaceAll(/ \s+|[^\S ]\s*/g, ' ').trim() ?? '';
  const isOfAccount = PLATFORMS[source]?.once === 'account';
  const edited = isOfAccount ? updated?.slice(0, 10) : undefined;
  const days = edited === undefined || edited === date ? [date] : [date, edited];
  const begins = `${date} ${source} ${rating} ${words.slice(0, BEGINNING)}`;
  const hasBeginning = words.length > BEGINNING + '...'.length;
  return {
    same: days.map((day) => `${day} ${source} ${rating} ${words}`),
    cut: hasBeginning ? [`cut ${begins}`] : [],
    whole: hasBeginning ? [`whole ${begins}`] : [],
    isCut: isCutShort(words),
    isLong: words.length >= LETTERS_OF_CHANCE,
    isProof: words === '' ? isOfAccount : author !== ANONYMOUS,
  };
}

/** Returns what has each review once: a tool, by its ids, or a table without ids. */
function namerOf({ place, record, tool }: Candidate): string {
  return isNamed(record) ? tool : place.slice(0, place.lastIndexOf(':'));
}

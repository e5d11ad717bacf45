import { hash } from 'node:crypto';
import { PLATFORMS } from '../../schema/platforms.ts';
import { ANONYMOUS, type ReviewRecord } from '../../schema/review.ts';
import { LETTERS_OF_CHANCE } from '../same-words.ts';
import { displaysOf } from './author.ts';
import { isNamed, type Candidate } from './candidate.ts';
import { CUT_SHORT } from './merge.ts';

/**
 * Finds the review that a candidate is another naming of. Two reviews of a platform with the same day,
 * stars and words are one if they have the same author. An account rates a place once, so there the
 * author is proof enough without words, and so is the day of an edit, which some tools have instead of
 * the first one. Where a review has no id of its platform, a long text proves it without an author. A
 * text that a tool cut short is known by its beginning.
 */
export class Lookalikes {
  /** Ids of reviews by what they look like, oldest first. */
  readonly #ids = new Map<string, string[]>();
  /** Number of those that come first and that a tool or table has named already. */
  readonly #passed = new Map<string, number>();
  /** The tools and tables that named a review, each of which has it under one name. */
  readonly #namers = new Map<string, Set<string>>();

  /** @param namer the only tool that can have named it, if there is only one */
  addKnown(record: ReviewRecord, namer: string | undefined): void {
    if (isNamed(record) && namer !== undefined) this.#claim(record.id, namer);
    this.#add(record.id, record, record.author);
  }

  /** @param id the id of the review that the candidate is */
  addCandidate(id: string, candidate: Candidate): void {
    const { author = ANONYMOUS, record } = candidate;
    this.#claim(id, namerOf(candidate));
    this.#add(id, record, author, displaysOf(author));
  }

  /** Returns the id of the review, if there is one that the tool or table has not named already. */
  find(candidate: Candidate): string | undefined {
    const { author = ANONYMOUS, record } = candidate;
    const namer = namerOf(candidate);
    const isTaken = (id: string) => this.#namers.get(id)?.has(namer) === true;
    const looks = looksOf(record);
    const cut = [true, false].flatMap((isCut) => beginningOf(record, isCut));
    const keys = [...looks, ...cut].flatMap((look) => [
      ...[...displaysOf(author)].map((name) => `${look} by ${name}`),
      `${look} by full name ${author}`,
    ]);
    if (isLong(record)) keys.push(...looks);
    for (const key of keys) {
      const ids = this.#ids.get(key);
      if (!ids) continue;
      const place = `${key}\n${namer}`;
      let passed = this.#passed.get(place) ?? 0;
      while (passed < ids.length && isTaken(ids[passed]!)) passed++;
      this.#passed.set(place, passed);
      if (passed < ids.length) return ids[passed];
    }
    return undefined;
  }

  /**
   * @param author the name that any display of an author matches
   * @param displays its own displays, if it is a full name
   */
  #add(id: string, record: ReviewRecord, author: string, displays: Iterable<string> = []): void {
    const isUnnamed = !isNamed(record);
    const looks = looksOf(record);
    for (const look of [...looks, ...beginningOf(record)]) {
      if (isUnnamed && isLong(record) && looks.includes(look)) this.#note(look, id);
      if (!isUnnamed && !isProof(record, author)) continue;
      this.#note(`${look} by ${author}`, id);
      for (const name of displays) this.#note(`${look} by full name ${name}`, id);
    }
  }

  #note(key: string, id: string): void {
    const ids = this.#ids.get(key);
    if (!ids) this.#ids.set(key, [id]);
    else if (ids.at(-1) !== id) ids.push(id);
  }

  #claim(id: string, namer: string): void {
    const namers = this.#namers.get(id);
    if (namers) namers.add(namer);
    else this.#namers.set(id, new Set([namer]));
  }
}

/** Tells whether the author proves that two reviews are one, which look alike. */
function isProof(record: ReviewRecord, author: string): boolean {
  return wordsOf(record) === '' ? isOfAccount(record) : author !== ANONYMOUS;
}

/** Returns the same keys for reviews of one platform that agree in a day, stars and words. */
function looksOf(record: ReviewRecord): string[] {
  const { source, date, rating, updated_at: updated } = record;
  const look = hash('sha256', JSON.stringify([source, rating, wordsOf(record)]));
  const edited = isOfAccount(record) ? updated?.slice(0, 10) : undefined;
  return [...new Set([date, edited ?? date])].map((day) => `${look} ${day}`);
}

/** The letters by which a text is known that one of two tools cut short. */
const BEGINNING = 30;

/**
 * Returns the same key for texts of one day and rating that begin alike, if one is cut.
 *
 * @param isCut true for a key that only cut texts have; as the record's own text is, if left out
 */
function beginningOf(record: ReviewRecord, isCut?: boolean): string[] {
  const words = wordsOf(record);
  const isOwnCut = CUT_SHORT.test(words);
  if (words.length < BEGINNING + 3 || (isCut === false && !isOwnCut)) return [];
  const { source, date, rating } = record;
  const look = JSON.stringify([source, date, rating, words.slice(0, BEGINNING)]);
  return [`${look} ${(isCut ?? isOwnCut) ? 'cut' : 'whole'}`];
}

function isOfAccount({ source }: ReviewRecord): boolean {
  return PLATFORMS[source]?.once === 'account';
}

function isLong(record: ReviewRecord): boolean {
  return wordsOf(record).length >= LETTERS_OF_CHANCE;
}

function wordsOf({ text }: ReviewRecord): string {
  return text?.replaceAll(/ \s+|[^\S ]\s*/g, ' ').trim() ?? '';
}

/** Returns what has each review once: a tool, by its ids, or a table without ids. */
function namerOf({ place, record, tool }: Candidate): string {
  return isNamed(record) ? tool : place.slice(0, place.lastIndexOf(':'));
}

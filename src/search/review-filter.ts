import { dayNumber } from '../base/days.ts';
import { firstIndex } from '../base/first-index.ts';
import { countSince } from '../dataset/since.ts';
import type { ReviewFilters } from '../schema/search.ts';
import { aboutOf, sidesOf, type About } from './about.ts';
import { bitOf, hasAny, NEVER } from './column.ts';
import { NAME_FILTERS, type Meaning, type NameFilter } from './filter-names.ts';
import type { ReviewColumns } from './review-columns.ts';
import type { WordOpinions } from './word-opinions.ts';

/** Tests reviews by all filters but the query. */
export class ReviewFilter {
  readonly #columns: ReviewColumns;
  readonly #wordOpinions: WordOpinions;

  constructor(columns: ReviewColumns, wordOpinions: WordOpinions) {
    this.#columns = columns;
    this.#wordOpinions = wordOpinions;
  }

  /** Returns what sentiments are about: people before aspects, and words before the ids they belong to. */
  aboutOf({ ids: { mentions_technician: people, aspect }, narrow }: Meaning): About {
    if (people || !narrow.aspect) return aboutOf(people, aspect);
    return { kind: 'word', said: this.#wordOpinions.find(narrow.aspect) };
  }

  /** Returns those of some positions that match all filters but the query. */
  pass(positions: readonly number[], filters: ReviewFilters, meaning: Meaning): readonly number[] {
    const tests = [...this.#testsOf(filters, meaning)];
    if (tests.includes(NEVER)) return [];
    let found = this.#between(positions, filters);
    for (const is of tests) found = found.filter(is);
    return found;
  }

  /** Returns those of some positions, newest first, that are of some days. */
  #between(positions: readonly number[], { since, until }: ReviewFilters): readonly number[] {
    if (since === undefined && until === undefined) return positions;
    const { days } = this.#columns;
    const first = until === undefined ? 0 : countSince(days, dayNumber(until) + 1);
    const end = since === undefined ? days.length : countSince(days, dayNumber(since));
    const placeOf = (position: number) =>
      firstIndex(positions.length, (at) => positions[at]! >= position);
    return positions.slice(placeOf(first), placeOf(end));
  }

  /** Returns a test of positions for each filter but the query and the days. */
  *#testsOf(filters: ReviewFilters, meaning: Meaning): Generator<(position: number) => boolean> {
    const { stars, values } = this.#columns;
    const { rating, min_rating: least, max_rating: most, sentiment } = filters;
    const { has_reply: hasReply, has_text: hasText } = filters;
    if (rating !== undefined) yield (position) => stars[position] === rating;
    if (least !== undefined) yield (position) => stars[position]! >= least;
    if (most !== undefined) yield (position) => stars[position]! <= most;
    if (hasReply !== undefined) yield hasAny(values.replied, [String(hasReply)]);
    if (hasText !== undefined) yield hasAny(values.worded, [String(hasText)]);
    for (const narrow of Object.values(meaning.narrow)) {
      const said = this.#wordOpinions.find(narrow);
      yield (position) => said.has(position);
    }
    for (const [parameter, ids] of Object.entries(meaning.ids)) {
      yield hasAny(values[NAME_FILTERS[parameter as NameFilter]], ids);
    }
    for (const [parameter, ids] of Object.entries(meaning.excluded)) {
      const isExcluded = hasAny(values[NAME_FILTERS[parameter as NameFilter]], ids);
      yield (position) => !isExcluded(position);
    }
    if (sentiment !== undefined) {
      const sides = sidesOf(this.#columns, this.aboutOf(meaning));
      yield (position) => (sides[position]! & bitOf(sentiment)) !== 0;
    }
  }
}

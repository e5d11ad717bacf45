import type { CountFilters } from '../../src/schema/count.ts';
import { SORTS, type ReviewFilters, type SearchFilters } from '../../src/schema/search.ts';
import { GROUPS } from '../../src/schema/groups.ts';
import { sentiment } from '../../src/schema/insights.ts';
import { languageWords } from '../../src/search/language-words.ts';
import type { NamedId } from '../../src/search/names.ts';
import type { Published } from './naive-search.ts';
import type { Random } from './random.ts';

/** Makes random searches and counts of published reviews. */
export class Questions {
  readonly #random: Random;
  readonly #published: Published;
  readonly #texts: readonly string[];
  readonly #titles: readonly string[];

  constructor(random: Random, published: Published) {
    this.#random = random;
    this.#published = published;
    this.#texts = published.reviews.flatMap(({ text }) => text ?? []);
    this.#titles = published.reviews.flatMap(({ title }) => title ?? []);
  }

  search(): SearchFilters {
    return {
      ...this.#filters(),
      ...given({ sort: this.#some(() => this.#random.pick(SORTS)) }),
      limit: 1 + this.#random.below(100),
    };
  }

  count(): CountFilters {
    const groups = [this.#random.pick(GROUPS), this.#random.pick(GROUPS)];
    const count = this.#random.below(3);
    return {
      ...this.#filters(),
      ...(count > 0 && { group_by: [...new Set(groups.slice(0, count))] }),
      examples: 0,
    };
  }

  /** Returns filters; half of them have a query, and each other filter is in an eighth of them. */
  #filters(): ReviewFilters {
    const random = this.#random;
    const { names, reviews } = this.#published;
    const stars = () => 1 + random.below(9) / 2;
    const words = random.below(6) === 0 ? this.#words() : undefined;
    const query = words ?? (random.below(2) === 0 ? this.#pattern().toWellFormed() : undefined);
    const places = query === undefined ? undefined : this.#some(() => random.pick(PLACES));
    return given({
      rating: this.#some(() => 1 + random.below(5)),
      min_rating: this.#some(stars),
      max_rating: this.#some(stars),
      since: this.#some(() => this.#day()),
      until: this.#some(() => this.#day()),
      query,
      match: words === undefined ? undefined : ('words' as const),
      in: places && [...places],
      aspect: this.#some(() => this.#name(names.aspects)),
      sentiment: this.#some(() => random.pick(sentiment.options)),
      mentions_technician: this.#some(() => this.#name(names.technicians)),
      mentions_service: this.#some(() => this.#name(names.services)),
      mentions_problem: this.#some(() => this.#name(names.problems)),
      mentions_area: this.#some(() => this.#name(names.service_areas)),
      topic: this.#some(() => this.#name(names.topics)),
      source: this.#some(() => this.#sources()),
      language: this.#some(() => random.pick(reviews).language),
      has_reply: this.#some(() => random.below(2) === 0),
      has_text: this.#some(() => random.below(2) === 0),
    });
  }

  #some<T>(value: () => T): T | undefined {
    return this.#random.below(8) === 0 ? value() : undefined;
  }

  /** Returns a source, one of two, or all but one. */
  #sources(): string {
    const [one, other] = [0, 1].map(() => this.#random.pick(this.#published.reviews).source);
    return this.#random.pick([one!, `${one},${other}`, `-${one}`]);
  }

  /** Returns mostly a piece of a text or title; otherwise something that may occur nowhere. */
  #pattern(): string {
    const random = this.#random;
    const text = random.pick(random.below(5) === 0 ? this.#titles : this.#texts);
    const at = random.below(text.length);
    const piece = text.slice(at, at + 1 + random.below(random.pick([2, 4, 12, 40]))) || 'a';
    const shape = random.below(11);
    if (shape === 0) return piece.toUpperCase();
    if (shape === 1) return ` ${piece.trim()} `;
    if (shape === 2) return piece.normalize('NFD');
    if (shape === 3) return piece + random.pick(this.#texts).slice(0, 3);
    if (shape === 4) return random.pick(['. ', ', ', '!', '...', ' - ', '$', '\n', '’', "'", '  ']);
    if (shape === 5) return piece.replaceAll("'", '’');
    return piece;
  }

  /** Returns two long words of a text in the wrong order, or undefined if it has none. */
  #words(): string | undefined {
    const long = this.#random.pick(this.#texts).match(LONG_WORD) ?? [];
    const words = long.filter((word) => !SMALL_WORDS.has(word.toLowerCase()));
    return words.length < 2 ? undefined : `${words.at(-1)} ${words[0]}`;
  }

  #day(): string {
    const { reviews } = this.#published;
    const anyDay = Date.UTC(2018, 0, 1) + this.#random.below(9 * 365) * 86_400_000;
    return this.#random.below(2) === 0
      ? this.#random.pick(reviews).date
      : new Date(anyDay).toISOString().slice(0, 10);
  }

  #name(entries: readonly NamedId[] = []): string {
    const { id, names } = entries.length > 0 ? this.#random.pick(entries) : NOBODY;
    const name = this.#random.pick([id, ...names, NOBODY.id]);
    return this.#random.below(2) === 0 ? name.toUpperCase() : name;
  }
}

const NOBODY: NamedId = { id: 'nobody at all of this name', names: [] };

/** Words of texts that searches by words leave as they are. */
const SMALL_WORDS = languageWords(['en', 'es']).small;
const LONG_WORD = /\b[a-z]{7,}(?<!es|y|ss|us|is)\b/gi;

const PLACES = [['text'], ['title'], ['text', 'title'], ['title', 'text']] as const;

/** Drops what is undefined. */
function given<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}

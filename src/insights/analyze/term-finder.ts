import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { Spans } from './spans.ts';
import type { Token } from './tokens.ts';

/** An entry of a vocabulary, with the words that customers use for it. */
export interface Named {
  id: string;
  forms: readonly string[];
  /** Phrases in which a form means something else. */
  exclude: readonly string[];
}

/** A mention of an entry. */
export interface TermHit {
  id: string;
  /** Index of the first word. */
  at: number;
  /** Number of words. */
  length: number;
}

/**
 * Finds mentions of vocabulary entries in singular and plural. A form with a gap may begin with any
 * form of its verb: `install … furnace` finds `installed our new furnaces`.
 */
export class TermFinder {
  readonly #matcher: PhraseMatcher<string>;
  readonly #excluded: PhraseMatcher<string>;
  readonly #overlapping: boolean;

  /**
   * @param overlapping counts terms inside longer ones, too
   */
  constructor(terms: readonly Named[], { overlapping = false, language = ENGLISH } = {}) {
    this.#matcher = new PhraseMatcher(language);
    this.#excluded = new PhraseMatcher(language);
    const inflections = (form: string) => inflectionsOf(form, language);
    this.#overlapping = overlapping;
    for (const { id, forms, exclude } of terms) {
      for (const form of new Set(forms.flatMap(inflections))) this.#matcher.add(form, id);
      for (const form of new Set(exclude.flatMap(inflections))) this.#excluded.add(form, id);
    }
  }

  /** Returns the mentions in the order of the text. */
  find(tokens: readonly Token[]): TermHit[] {
    const matches = this.#overlapping
      ? this.#matcher.everyMatch(tokens)
      : this.#matcher.matches(tokens);
    const hits = matches.map(({ value, at, length }) => ({ id: value, at, length }));
    if (hits.length === 0) return hits;
    const excluded = new Spans();
    for (const { value, at, length } of this.#excluded.everyMatch(tokens)) {
      excluded.add(value, at, length);
    }
    return hits.filter(({ id, at, length }) => !excluded.cover(id, at, length));
  }
}

function inflectionsOf(form: string, { grammar }: Language): string[] {
  const words = form.split(' ');
  const [first] = words;
  const starts = form.includes('…') ? grammar.verbForms(first!) : [first!];
  return starts.flatMap((start) => {
    const rest = [start, ...words.slice(1)];
    const last = rest.pop()!;
    return [last, grammar.otherNumber(last)].map((end) => [...rest, end].join(' '));
  });
}

import type { Technician } from '../schema/vocabulary.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import type { Token } from './tokens.ts';

/** Words beside which a capitalised ambiguous name is a person. */
const CUES_BEFORE = new Set(
  (
    'and ask asked by called for from had is man met named our plumber sent technician tech ' +
    'than thank thanks to told was with'
  ).split(' '),
);
const CUES_AFTER = new Set(
  (
    'also and answered arrived came did diagnosed explained finished fixed found from gave got ' +
    'had has helped installed is knew left listened made replaced returned said showed showed ' +
    'spent stayed told took treated was went worked'
  ).split(' '),
);

interface NameForm {
  id: string;
  /** The exact spelling that an ambiguous form must have; null for a form that is only a name. */
  exact: string | null;
}

/**
 * Finds technicians in texts. A form that is also a common word (Will, Grace) counts only in its
 * exact case, inside a sentence, beside a word that speaks of a person.
 */
export class TechnicianNames {
  readonly #matcher = new PhraseMatcher<NameForm>();

  constructor(technicians: readonly Technician[]) {
    for (const { id, name, aliases, ambiguous } of technicians) {
      const exact = new Set(ambiguous);
      for (const form of new Set([name, ...aliases, ...ambiguous])) {
        this.#matcher.add(form, { id, exact: exact.has(form) ? form : null });
      }
    }
  }

  mentioned(tokens: readonly Token[]): Set<string> {
    const ids = new Set<string>();
    for (const match of this.#matcher.matches(tokens)) {
      if (match.value.exact === null || isPerson(tokens, match, match.value.exact)) {
        ids.add(match.value.id);
      }
    }
    return ids;
  }
}

function isPerson(
  tokens: readonly Token[],
  { at, length }: PhraseMatch<NameForm>,
  exact: string,
): boolean {
  const token = tokens[at]!;
  const written = token.text.replace(/['’]s$/, '');
  if (written !== exact || token.startsSentence) return false;
  const before = tokens[at - 1]?.lower ?? '';
  const after = tokens[at + length]?.lower ?? '';
  return CUES_BEFORE.has(before) || CUES_AFTER.has(after);
}

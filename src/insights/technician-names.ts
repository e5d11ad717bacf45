import type { Technician } from '../schema/vocabulary.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import type { Token } from './tokens.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words beside which a capitalised ambiguous name is a person. */
const CUES_BEFORE = words(
  'and ask asked by called for from had is man met named our plumber sent technician tech than ' +
    'thank thanks to told was with',
);
/** What people did, so that the word before is who did it: enough even where a sentence begins. */
const DEEDS = words(
  'answered arrived came diagnosed explained finished fixed found got helped installed knew ' +
    'listened made replaced said showed spent stayed talked told took treated walked worked',
);
const CUES_AFTER = new Set([
  ...DEEDS,
  ...words('also and did from gave had has is kept left returned was went'),
]);
/** `my sister Danielle` is somebody else. */
const RELATIVES = words(
  'aunt boyfriend brother cousin dad daughter father friend girlfriend grandson husband mom ' +
    'mother neighbor neighbour partner sister son uncle wife',
);
const CALENDAR = words(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may ' +
    'june july august september october november december i',
);

interface NameForm {
  id: string;
  /** The exact spelling that an ambiguous form must have; null for a form that is only a name. */
  exact: string | null;
}

/**
 * Finds technicians in texts. A form that is also a common word (Will, Grace) counts only in its
 * exact case and beside a word that speaks of a person; where a sentence begins with it, only
 * before what a person did. A relative of the writer, and a namesake with another surname, do not
 * count.
 */
export class TechnicianNames {
  readonly #matcher = new PhraseMatcher<NameForm>();
  readonly #surnames = new Set<string>();

  constructor(technicians: readonly Technician[]) {
    for (const { id, name, aliases, ambiguous } of technicians) {
      const exact = new Set(ambiguous);
      for (const form of new Set([name, ...aliases, ...ambiguous])) {
        this.#matcher.add(form, { id, exact: exact.has(form) ? form : null });
        for (const part of form.split(' ').slice(1)) this.#surnames.add(part.toLowerCase());
      }
    }
  }

  mentioned(tokens: readonly Token[]): Set<string> {
    const ids = new Set<string>();
    for (const match of this.#matcher.matches(tokens)) {
      const { exact, id } = match.value;
      if (this.#isSomebodyElse(tokens, match)) continue;
      if (exact === null || isPerson(tokens, match, exact)) ids.add(id);
    }
    return ids;
  }

  /** Whether the words hold any form of any name, however unlikely it is that a person is meant. */
  mayName(tokens: readonly Token[]): boolean {
    return !this.#matcher.matches(tokens).next().done;
  }

  #isSomebodyElse(tokens: readonly Token[], { at, length }: PhraseMatch<NameForm>): boolean {
    if (RELATIVES.has(tokens[at - 1]?.lower ?? '')) return true;
    const next = tokens[at + length];
    if (length > 1 || next === undefined || next.gap !== ' ') return false;
    const capitalised = /^\p{Lu}\p{Ll}/u.test(next.text) && !next.text.endsWith("'s");
    return capitalised && !this.#surnames.has(next.lower) && !CALENDAR.has(next.lower);
  }
}

function isPerson(
  tokens: readonly Token[],
  { at, length }: PhraseMatch<NameForm>,
  exact: string,
): boolean {
  const token = tokens[at]!;
  const written = token.text.replace(/['’]s$/, '');
  if (written !== exact) return false;
  const possessive = written !== token.text;
  const after = tokens[at + length]?.lower ?? '';
  if (token.startsSentence) return possessive || DEEDS.has(after);
  const before = tokens[at - 1]?.lower ?? '';
  return possessive || CUES_BEFORE.has(before) || CUES_AFTER.has(after);
}

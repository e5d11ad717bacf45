import type { Place } from './clauses.ts';
import type { Token } from './tokens.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const OTHER = words('other others another previous last prior former old different first');
const TRADE = words(
  'companies company contractor contractors firm firms guy guys folks outfit outfits people place ' +
    'places plumber plumbers shop shops',
);
const KNOWN_TO_BE_OTHERS = words(
  'dog cat tenant tenants landlord neighbor neighbour inspector builder insurance utility',
);
const BEFORE_SUBJECT = words(
  'a all and because but even every most my our since so some than that the their these those ' +
    'three two when while',
);
/** A clause that these begin has the subject of the one before. */
const CONTINUATIONS = words('and before that which who');
/** As many words may stand before the subject. */
const BEFORE_SUBJECT_MOST = 6;
const MODIFIERS = words('heating hvac plumbing cooling electric gas home big local');

/**
 * The clauses whose subject is somebody else: `the last company was rude`, `other plumbers never
 * called back`, `our dog barked`. What they say is not said of this business.
 */
export function clausesOfOthers(
  tokens: readonly Token[],
  places: readonly Place[],
): ReadonlySet<number> {
  const clauses = new Set<number>();
  tokens.forEach(({ startsSentence }, at) => {
    const { clause } = places[at]!;
    const before = places[at - 1]?.clause;
    if (before === clause) return;
    const goesOn =
      !startsSentence && clauses.has(before ?? -1) && CONTINUATIONS.has(tokens[at]!.lower);
    if (goesOn || isOther(tokens, at)) clauses.add(clause);
  });
  return clauses;
}

/** Whether the words from the beginning of a clause name somebody else. */
function isOther(tokens: readonly Token[], first: number): boolean {
  let at = first;
  const lower = (): string =>
    at > first && tokens[at]?.startsSentence ? '' : (tokens[at]?.lower ?? '');
  while (at - first < BEFORE_SUBJECT_MOST && BEFORE_SUBJECT.has(lower())) at++;
  if (KNOWN_TO_BE_OTHERS.has(lower())) return true;
  const isNamedOther = OTHER.has(lower());
  if (isNamedOther) at++;
  if (MODIFIERS.has(lower())) at++;
  if (!TRADE.has(lower())) return false;
  at++;
  return isNamedOther || `${lower()} ${tokens[at + 1]?.lower}` === 'we had';
}

import type { Answers } from './answers.ts';
import { endingsOf, nameInside } from './column-names.ts';
import { pattern, wordsOf } from './words.ts';
import { Question } from './import-error.ts';
import { countsAt, listed, meets, type Row, type States, type ValueCounts } from './rows.ts';
import { parseTime } from './dates.ts';

const columnOf = (names: string, after = 'status|state|flag') =>
  pattern(
    `(?:(?:is|has|was|been|current|ist|wurde|est|review|reviews|comment|post|moderation|publication|publish|display|bewertungs?|rezensions?|avis|resena|recensione|avaliacao) )*(?:${names})(?: (?:${after}))?`,
  );

/** Columns whose values are names of states, that say yes of a review that is shown, and of one that is not. */
const STATE = columnOf('{state}');
const SHOWN = columnOf('{shown}');
const HIDDEN = columnOf('{hiding}|{hidden}', 'status|state|flag|at|on|date|time|by \\w+');
const PLAIN = pattern('{yes}|{no}');
const YES = pattern('{yes}|{shown}|{accepted}|{verified}');
const NO = pattern('{no}|{hiding}|{hidden}|{undecided}');
/** Words that hide a review wherever they are values. */
const HIDING = pattern('{hiding}');
const DATED = / (?:at|on|date|time)$/;
/** Parts of names, compounds too, of columns that may say it: they are asked about, never decided. */
const PERHAPS_STATE =
  /status|publish(?!er)|display|show|visib|sichtbar|veroffentlich|freigab|zeig|validat|^valid|approv|moderat|mostrar|public|publier|afficher|online|intern(?:al)?$|^intern|hidden|hide|delet|remov|reject|spam|suppress|censor|^(?:is |was )?(?:flagged|reported|test)$|ukryt|widoczn|yayin|公開|掲載/;
const MAX_STATES = 12;
const THING =
  '(?:purchase|buyer|customer|client|guest|owner|order|stay|review|patient|traveler|diner|booking|reservation|visit|transaction|current user|kauf|besuch|achat|compra|acquisto|aankoop|zakup|wizyta|opinia)';
const VERIFIED = pattern(
  `(?:is |was )?(?:${THING} )?(?:{verified}|verification)(?: ${THING}| status| type| by .+)?`,
);

/** Columns that say yes of a text that is a translation, of an author who is not to be named, or who got something. */
const NOT_SO = {
  ownWords: columnOf('(?:machine |auto )?{translated}'),
  named: columnOf(
    '(?:(?:author|reviewer|user|customer|post|posted|publish|published) (?:name )?)?(?:is |was )?anonym\\w*|anonim[oa]|anoniem|(?:hide|mask) (?:\\w+ )*(?:name|data|identity|author)',
  ),
  organic: columnOf(
    'incentivi[sz]ed|compensated|sponsored|gifted|rewarded|received (?:a |for )?free(?: product)?',
  ),
} as const;
/** Words of columns of replies, which have states of their own. */
const REPLY = new RegExp(
  `${pattern('{reply}|respon[sd]\\w*|answers|owner|business|company|\\d+', true).source}|antwort`,
  'gu',
);

/** Columns that say if the author of a review lets it be published. */
const CONSENT = pattern(
  '{consent}|(?:may|can|ok|okay|allow|allowed|agrees?|darf|durfen|peut|pouvons|podemos|possiamo|mogen)\\b.*\\b(?:publish|publication|share|quote|veroffentlichen|publier|publicar|pubblicare|publiceren)',
  true,
);
const OTHER_CONSENT = /\b(?:marketing|newsletter|contact|e ?mail|terms|cookies?|data|daten)\b/;

/** Words and beginnings that turn a value into its opposite: unapproved, not published, inactive. */
const NEGATION = /^(?:(?:not|non|no|nicht|pas|nao|niet|noch nicht) |un|in|dis|de)/;

/** Tells whether a state says yes; undefined of a word that nobody can know. */
export function saysYes(value: string): boolean | undefined {
  const word = wordsOf(value);
  if (YES.test(word)) return true;
  if (NO.test(word)) return false;
  const positive = word.replace(NEGATION, '');
  if (positive === word) return undefined;
  return YES.test(positive) || YES.test(`${positive}d`) ? false : undefined;
}

/**
 * Finds the columns that say which rows may be shown, by their platform or their author, and what else
 * holds of them. Known words decide. Where a column is called a state and has several values, a word
 * that is not known is asked about.
 *
 * @param isFormat true for a known format, whose columns have known names
 * @throws {Question} about a value that may hide a review
 */
export function statesIn(
  table: string,
  rows: readonly Row[],
  columns: readonly string[],
  { states = {} }: Answers,
  isFormat: boolean,
): States {
  const found: Record<keyof States, Record<string, ReadonlySet<string>>> = {
    shown: {},
    confirmed: {},
    ownWords: {},
    named: {},
    organic: {},
    replyShown: {},
  };
  for (const column of columns) {
    const name = nameInside(column);
    const answered = states[column.toLowerCase()];
    const isState = answered !== undefined || isNameOfState(name);
    const [before = '', ...after] = name.split(REPLY);
    const ofReply = (after.at(-1)?.trim() || before + after.join('')).replaceAll(/ +/g, ' ').trim();
    const isOfReply = ofReply !== name && isNameOfState(ofReply);
    const other = (['ownWords', 'named', 'organic'] as const).find((each) =>
      NOT_SO[each].test(name),
    );
    const isOther = isOfReply || other !== undefined;
    if (!isState && !isOther && !VERIFIED.test(name) && !isConsent(name)) continue;
    const counts = countsAt(rows, column);
    const values = [...counts.keys()].filter((value) => value !== '');
    if (values.length === 0 || values.some(isObject)) continue;
    if (isState) {
      const shown = shownValues(table, column, counts, answered ?? {});
      if (shown) found.shown[column] = new Set(shown);
    } else if (isOther) {
      const isHiding = other !== undefined || HIDDEN.test(ofReply);
      const left = values.filter((value) => saysYes(value) !== isHiding);
      if (left.length < values.length)
        found[other ?? 'replyShown'][column] = new Set([...left, '']);
    } else {
      const kind = isConsent(name) ? 'shown' : 'confirmed';
      const isYes = (value: string) =>
        saysYes(value) ?? (VERIFIED.test(wordsOf(value)) ? true : undefined);
      const yes = values.filter((value) => isYes(value) === true);
      const isClear = values.every((value) => isYes(value) !== undefined);
      const isRefused = kind === 'shown' && values.some((value) => isYes(value) === false);
      if (isRefused || (isClear && yes.length > 0)) found[kind][column] = new Set([...yes, '']);
    }
  }
  // A column that only may be a state is asked about if the others leave its reviews to be shown.
  const left = rows.filter((row) => meets(row, found.shown));
  for (const column of columns) {
    if (Object.values(found).some((each) => column in each)) continue;
    const counts = countsAt(left, column, MAX_STATES);
    if (isPerhapsState(nameInside(column), counts, isFormat)) {
      throw questionOf(table, column, counts, []);
    }
  }
  return found;
}

const isObject = (value: string) => value.startsWith('[object');

const isNameOfState = (name: string) =>
  endingsOf(name).some((words) => STATE.test(words) || SHOWN.test(words) || HIDDEN.test(words));

/** Returns the values that reviews have which are shown; undefined for a column with one value that nobody knows. */
function shownValues(
  table: string,
  column: string,
  counts: ValueCounts,
  answered: Readonly<Record<string, boolean>>,
): string[] | undefined {
  const name = nameInside(column);
  const isHiding = HIDDEN.test(name);
  const values = [...counts.keys()];
  const isShown = (value: string): boolean | undefined => {
    if (Object.hasOwn(answered, value)) return answered[value];
    if ('*' in answered) return answered['*'];
    if (isHiding && (value === '' || DATED.test(name))) return value === '';
    const yes = saysYes(value);
    // "Deleted: deleted" says it twice; "Deleted: active" does not.
    return isHiding && PLAIN.test(wordsOf(value)) && yes !== undefined ? !yes : yes;
  };
  const shown = values.filter((value) => isShown(value) === true);
  const unknown = values.filter((value) => isShown(value) === undefined);
  if (unknown.length === 0) return shown;
  if (values.length === 1) return undefined;
  throw questionOf(table, column, counts, shown);
}

function questionOf(
  table: string,
  column: string,
  counts: ValueCounts,
  shown: readonly string[],
): Question {
  return new Question(
    'shown',
    `${table}: the column ${column} may say which reviews are not shown: ${listed(counts)}\n` +
      'Say which of its values are shown, or * for all',
    `${column}=${shown.join(',') || '…'}`,
    `${column}=*`,
  );
}

/** Tells whether a column of few short values may be a state, by its name or because a value hides. */
function isPerhapsState(name: string, counts: ValueCounts, isFormat: boolean): boolean {
  if (counts.size < 2 || counts.size > MAX_STATES || DATED.test(name)) return false;
  if (OF_OTHERS.test(name) || OTHER_CONSENT.test(name)) return false;
  const values = [...counts.keys()];
  if (values.some((value) => value.length > 40 || isObject(value) || parseTime(value, 'dmy')))
    return false;
  const isPerhaps = PERHAPS_STATE.test(name) || VERIFIED.test(name);
  return values.some((value) => HIDING.test(wordsOf(value))) || (!isFormat && isPerhaps);
}

/** Replies, orders, people and places have states of their own. */
const OF_OTHERS =
  /repl|respon|answer|antwort|reponse|order|bestell|payment|shipping|ticket|user|customer|reviewer|author|product|listing|location/;
function isConsent(name: string): boolean {
  return CONSENT.test(name) && !OTHER_CONSENT.test(name);
}

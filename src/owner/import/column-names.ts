import { FIELDS, type Field } from './field-map.ts';
import { pattern, WHOLE_WORDS, wordsOf } from './words.ts';

const WITH_NAME = '(?: attribution| display| markup| full| profile| info| details?| member)*';

/**
 * Usual names of columns by field, the most telling first. Names are compared as plain lower-case
 * words: `reviewDate`, `Review date` and `review_date` are `review date`.
 */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  id: ['{review} (?:id|nummer|identifier)', '(?:id|uuid)'],
  author: [
    `(?:{review} )?{author}${WITH_NAME} (?:{name}|title)|{name}(?: {of})* {author}|kundenname|created by (?:full )?name`,
    '(?:{review} )?(?:{author}|username|(?:display|profile) name|nickname)',
    '{name}',
  ],
  rating: [
    '(?:{review}|reviewer) (?:star )?{rating}(?: rating)?(?: value)?',
    '(?:star |{number} )?{rating}(?: rating| value| {rating})?|(?:star )?ratings',
    '(?:overall|total) (?:rating|score)|(?:nps|net promoter)(?: score| rating)?|{rating} (?:overall|total|globale?|general|generale|\\d+)|overall|gesamtbewertung|rate',
  ],
  recommended: [],
  date: [
    '{review} (?:publish |published |submit )?(?:{day}|time|timestamp)(?:(?: and)? time)?(?: utc)?|(?:bewertungs|rezensions|erstellungs|abgabe)datum|{day}(?: {of})+ (?:{review}|publication|publicacion|pubblicazione|publicacao)',
    '{published}(?: at| on| il| el| le| em| am)?(?: {day})?(?: time| timestamp)?|(?:iso )?{day}(?: time| utc)?|date (?:published|submitted|posted|written)',
    '{timestamp}',
    '(?:{review} )?creat(?:ed?|ion)(?: at| on| {day}| time| timestamp)?(?: utc)?|date created',
  ],
  title: ['{review} (?:comment )?{title}', '{title}'],
  text: [
    '(?:edited|updated) (?:{review} )?(?:{text}|{whole})',
    '(?:original|own) (?:{review} )?(?:{text}|{whole})|(?:{review} )?{text} original',
    '{review} (?:full |own |comment )?{text}',
    '(?:(?:full|public|customer|client|guest|patient) )?(?:{text}|{whole})',
    '(?:overall|general|additional|other) (?:{text}|{whole})',
  ],
  language: ['(?:{review} |original )?{language}(?: code)?'],
  url: ['{review} (?:url|link|permalink)', '(?:url|link|permalink)'],
  source: ['{source}'],
  reply: [
    '(?:.* )?{reply}(?:s|en|text)?(?: list)?(?: \\d+)?(?: (?:{text}|value))?|{owner} {text}',
    '(?:.* )?{reply}(?:s|en|text)? .*',
  ],
  reply_date: ['.*(?:{reply}|replied|responded|answered|{owner} {text}).*'],
  updated: ['(?:{review} )?(?:last )?(?:updated?|modified|edited)(?: at| on| {day}| time)?'],
  media: [],
  keep: [],
};

/** Columns of these are of the reply, the place or the file, never of the review. */
const OF_OTHERS: Partial<Record<Field, RegExp>> = {
  author: pattern('{reply}', true),
  date: pattern(
    '{reply}|owner|scrap(?:ed|ing)|crawled|extract(?:ed|ion)|retriev(?:ed|al)|download(?:ed)?|exported|collected|fetched|updated?|edit(?:ed)?|travel|visit|stay|order|birth',
    true,
  ),
  rating: pattern('{average}|likes?|votes?|helpful|badges?|counts?|visits?|photos?', true),
  text: pattern(
    '{reply}|owner|private|internal|confidential|translated|translation|addres{1,2}e?|e ?mail|url|links?|ids?|place|device|agent|product|items?|orders?|tags?',
    true,
  ),
  reply: pattern(
    '{proposed}|state|status|url|links?|id|by|from|sender|type|role|author|name|time|note|internal|private|customer|department|rate|source|language|title',
    true,
  ),
};

const PATTERNS = Object.fromEntries(
  Object.entries(NAMES).map(([field, names]) => [field, names.map((name) => pattern(name))]),
) as Record<Field, RegExp[]>;

/** Returns how telling the words of a name are for a field, 0 for the most telling; undefined if they are not. */
export function tellingAs(field: Field, words: string): number | undefined {
  const names = endingsOf(words);
  const rank = PATTERNS[field].findIndex((known) => names.some((name) => known.test(name)));
  return rank === -1 || OF_OTHERS[field]?.test(words) ? undefined : rank;
}

const UNSPACED = new RegExp(`^[${WHOLE_WORDS} ]+$`, 'u');

/** Returns a name, and of one that is written without spaces its last parts: 総合評価 is a 評価. */
export function endingsOf(words: string): string[] {
  const letters = UNSPACED.test(words) ? words : '';
  return [words, ...Array.from(letters, (_, at) => letters.slice(at + 1))];
}

/** Tells whether the words of a name are those of another thing than this field. */
export function isOfOthers(field: Field, words: string): boolean {
  return OF_OTHERS[field]?.test(words) ?? false;
}

const GIVEN_NAME = pattern('(?:{author} )?{given name}');
const SURNAME = pattern('(?:{author} )?{surname}');
export const isGivenName = (words: string) => GIVEN_NAME.test(words);
export const isSurname = (words: string) => SURNAME.test(words);

const BLAME = pattern('(?:review )?{blame}(?: (?:review|text|comments?))?|{question of blame}');
const PRAISE = pattern('(?:review )?{praise}(?: (?:review|text|comments?))?|{question of praise}');
/** Columns of platforms and surveys that ask for both. */
export const isOfBlame = (words: string) => BLAME.test(words);
export const isOfPraise = (words: string) => PRAISE.test(words) && !isOfBlame(words);

/** Columns by which a table is known as a survey, in which responses are of customers. */
const OF_SURVEY =
  /^(?:respondent|collector|response|submission|survey|network) (?:u?id|token|number|type)$/;
/** Brackets that make another thing of what is before them: `Reply (draft)`. */
const BRACKET = pattern('{proposed}|{translated}|private|internal|{average}', true);
/** Objects beside a review or inside of it, whose members are not those of the review. */
const OTHER_OBJECT =
  /repl|respon|answer|antwort|reponse|order|bestell|payment|ticket|booking|stay|visit|travel|trip|user|customer|reviewer|author|owner|host|seller|agent|product|item|listing|location|place|business|company|shop|store|venue|hotel|property|verif|translat|locali|aggregate|summary|average|stat(?:s|istics)|criteri|categor|aspect|sub ?rating|photo|image|media|parent|question|edit|histor|suggest|propos|draft|generated/;

/** Returns the words of a name without the objects that a column is in, unless those are of something else, each once. */
export function nameInside(column: string): string {
  const keys = column.split(/[./](?=\w)/);
  const other = keys.slice(0, -1).findIndex((key) => OTHER_OBJECT.test(wordsOf(key)));
  return wordsOf(keys.slice(other).join(' ')).replaceAll(/\b(\w+) (?=\1\b)/g, '');
}

const isTelling = (words: string) =>
  isOfPraise(words) ||
  isOfBlame(words) ||
  FIELDS.some((field) => tellingAs(field, words) !== undefined);

/** Returns a function that gives the words of names of columns, without those that all of their table have. */
export function columnWords(names: readonly string[]): (name: string) => string {
  const all = names.map(wordsOf);
  const hasReviews = all.some((words) => /\breview/.test(words));
  const isSurvey = !hasReviews && all.some((words) => OF_SURVEY.test(words));
  // Shops that keep reviews as comments name all columns so.
  const areComments = !hasReviews && all.filter((words) => words.startsWith('comment ')).length > 2;
  return (name) => {
    const bracket = wordsOf(/\(([^()]*)\)/.exec(name)?.[1] ?? '');
    const whole = BRACKET.test(bracket) ? `${wordsOf(name)} ${bracket}` : wordsOf(name);
    const words = whole.replace(/ (?:rendered|raw|plain)$/, '');
    const inner = nameInside(name).replace(areComments ? /^comment / : '', '');
    const own = isTelling(words) || !isTelling(inner) ? words : inner;
    return isSurvey ? own.replaceAll(/\b(?:open ended )?responses?\b ?/g, '').trim() : own;
  };
}

/** Languages whose names of months and weekdays are read. */
const LANGUAGES =
  'en en-GB de de-AT es fr pt it nl pl cs sk da sv nb fi ru uk bg el tr hu ro hr sl sr sr-Latn et lv lt ca is ar he fa hi bn th vi id ms ko ja zh mk gl az ka hy kk ur ta te mr gu sq cy af';
const SHORTEST_BEGINNING = 3;
const CALENDAR = 'u-ca-gregory-nu-latn';

/** Returns the number of the month that a name or its beginning means; 0 if none or several. */
export function monthOf(name: string): number {
  const { months, beginnings } = words();
  const found = months.get(plain(name)) ?? beginnings.get(plain(name));
  const [month = 0] = found ?? [];
  return found?.size === 1 ? month : 0;
}

/** Returns the days, 0 for Sunday, that a name means in some language; undefined if it is none. */
export function weekdaysOf(name: string): ReadonlySet<number> | undefined {
  return words().weekdays.get(plain(name));
}

/** Names that Unicode's data lacks. */
const OTHER_MONTHS: readonly [name: string, month: number][] = [
  ['jaenner', 1],
  ['feber', 2],
  ['maerz', 3],
  ['mrz', 3],
];

interface CalendarWords {
  /** Months by each of their names: `mai`, `maja`; `lis` is October in one language, November in another. */
  months: Map<string, Set<number>>;
  /** Months by the beginnings of their names. */
  beginnings: Map<string, Set<number>>;
  weekdays: Map<string, Set<number>>;
}

let known: CalendarWords | undefined;

/** Collects the names, alone and beside a day, where many languages decline them. */
function words(): CalendarWords {
  if (known) return known;
  const months = OTHER_MONTHS.map(([name, month]) => [name, new Set([month])] as const);
  known = { months: new Map(months), beginnings: new Map(), weekdays: new Map() };
  for (const language of LANGUAGES.split(' ')) {
    for (const width of ['long', 'short'] as const) {
      for (const [month, name] of namesOf(language, { weekday: width }, 'weekday')) {
        for (const word of name.split(/[ -]/)) add(known.weekdays, word, weekdayIn(month));
      }
      const named = [
        ...namesOf(language, { month: width }, 'month'),
        ...namesOf(language, { month: width, day: 'numeric' }, 'month'),
      ];
      for (const [month, name] of named) {
        add(known.months, name, month);
        for (let end = SHORTEST_BEGINNING; end < name.length; end++) {
          add(known.beginnings, name.slice(0, end), month);
        }
      }
    }
  }
  return known;
}

function add(names: Map<string, Set<number>>, name: string, value: number): void {
  names.set(name, (names.get(name) ?? new Set()).add(value));
}

/** The 15th falls on every weekday within a year. */
const middleOf = (month: number) => Date.UTC(2024, month - 1, 15);
const weekdayIn = (month: number) => new Date(middleOf(month)).getUTCDay();

/** Returns what a part of the date is called in each month; numbers are no names. */
function namesOf(
  language: string,
  options: Intl.DateTimeFormatOptions,
  type: 'month' | 'weekday',
): [month: number, name: string][] {
  const format = new Intl.DateTimeFormat(`${language}-${CALENDAR}`, {
    ...options,
    timeZone: 'UTC',
  });
  return Array.from({ length: 12 }, (_, index): [number, string] => {
    const parts = format.formatToParts(middleOf(index + 1));
    const at = parts.findIndex((part) => part.type === type);
    const [prefix] = /\p{L}*$/u.exec(parts[at - 1]?.value ?? '')!;
    return [index + 1, plain(prefix + parts[at]!.value)];
  }).filter(([, name]) => /\p{L}/u.test(name));
}

function plain(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u0654.׳॰]/g, '')
    .replaceAll('ı', 'i');
}

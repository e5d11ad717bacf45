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

export function isWeekday(name: string): boolean {
  return words().weekdays.has(plain(name));
}

interface CalendarWords {
  /** Months by each of their names: `mai`, `maja`; `lis` is October in one language, November in another. */
  months: Map<string, Set<number>>;
  /** Months by what their names begin with. */
  beginnings: Map<string, Set<number>>;
  weekdays: Set<string>;
}

let known: CalendarWords | undefined;

/** Collects the names, alone and beside a day, where many languages decline them. */
function words(): CalendarWords {
  if (known) return known;
  known = { months: new Map(), beginnings: new Map(), weekdays: new Set() };
  for (const language of LANGUAGES.split(' ')) {
    for (const width of ['long', 'short'] as const) {
      for (const [, name] of namesOf(language, { weekday: width }, 'weekday')) {
        for (const word of name.split(/[ -]/)) known.weekdays.add(word);
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

function add(names: Map<string, Set<number>>, name: string, month: number): void {
  names.set(name, (names.get(name) ?? new Set()).add(month));
}

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
  return Array.from({ length: 12 }, (_, month): [number, string] => {
    // The 15th falls on every weekday within a year.
    const parts = format.formatToParts(Date.UTC(2024, month, 15));
    const at = parts.findIndex((part) => part.type === type);
    const [prefix] = /\p{L}*$/u.exec(parts[at - 1]?.value ?? '')!;
    return [month + 1, plain(prefix + parts[at]!.value)];
  }).filter(([, name]) => /\p{L}/u.test(name));
}

function plain(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u0654.׳॰]/g, '')
    .replaceAll('ı', 'i');
}

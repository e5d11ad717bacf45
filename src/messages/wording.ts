import { IntlMessageFormat } from 'intl-messageformat';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import type { PAGE_LANGUAGES } from '../schema/business.ts';

/** The messages of every language of the pages, in ICU MessageFormat. English is the reference. */
export const CATALOGS: Record<PageLanguage, Readonly<Record<MessageId, string>>> = {
  en,
  es,
  de,
  fr,
  ar,
};
type PageLanguage = (typeof PAGE_LANGUAGES)[number];
export type MessageId = keyof typeof en;
/** A number is written as the language writes numbers; a string stays as it is. */
type Values = Readonly<Record<string, string | number>>;
/** Attributes of the elements in a message: `a` of `<a>…</a>`. */
export type Tags = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

/** Words, dates and numbers as readers of one language write them. Days have no time zone. */
export type Wording = {
  /** BCP 47, as stated by the business. */
  language: string;
} & ReturnType<typeof formatsOf> &
  ReturnType<typeof messagesOf>;

/** Returns the catalog of a language and its varieties (`de-AT`); undefined if there is none. */
export function catalogOf(language: string): PageLanguage | undefined {
  const base = language.split('-')[0]!;
  return Object.hasOwn(CATALOGS, base) ? (base as PageLanguage) : undefined;
}

const known = new Map<string, Wording>();

/**
 * Returns the wording of a language, English without one.
 *
 * @throws {RangeError} if there is no catalog
 */
export function wordingOf(language = 'en'): Wording {
  let wording = known.get(language);
  if (wording === undefined) {
    const catalog = catalogOf(language);
    if (catalog === undefined) throw new RangeError(`no messages in ${language}`);
    const locale = withLatinDigits(language);
    wording = { language, ...formatsOf(locale), ...messagesOf(locale, CATALOGS[catalog]) };
    known.set(language, wording);
  }
  return wording;
}

/** Returns the locale of a language whose digits are those of codes, phones and pictures. */
function withLatinDigits(language: string): string {
  return new Intl.Locale(language, { numberingSystem: 'latn' }).toString();
}

/** The messages that documents state in English, by their words. */
const STATED = new Map(
  Object.entries(en)
    .filter(([id]) => id.startsWith('stated.'))
    .map(([id, text]) => [text, id as MessageId]),
);

/** Returns the functions that read a catalog; each message is parsed once. */
function messagesOf(language: string, catalog: Readonly<Record<MessageId, string>>) {
  const parsed = new Map<MessageId, IntlMessageFormat>();
  const message = (id: MessageId): IntlMessageFormat => {
    let found = parsed.get(id);
    if (found === undefined) parsed.set(id, (found = new IntlMessageFormat(catalog[id], language)));
    return found;
  };
  return {
    /** Returns a message as plain text. */
    t: (id: MessageId, values?: Values) => String(message(id).format(values)),
    /** Returns what a document states in English, translated where a catalog has that sentence. */
    stated: (english: string): string => catalog[STATED.get(english)!] ?? english,
    /** Returns a message as HTML. Only its own tags are markup; values are escaped. */
    html: (id: MessageId, values: Values = {}, tags: Tags = {}): string => {
      const escaped = Object.entries(values).map(
        ([name, value]) => [name, typeof value === 'string' ? escapeText(value) : value] as const,
      );
      const elements = Object.entries({ ...ELEMENTS, ...tags }).map(
        ([name, attributes]) =>
          [name, (inner: unknown[]) => element(name, attributes, inner.join(''))] as const,
      );
      return String(
        message(id).format<string>(Object.fromEntries<unknown>([...escaped, ...elements]) as never),
      );
    },
  };
}

/** Elements that need no attributes. */
const ELEMENTS: Tags = { bdi: {}, code: {}, strong: {} };

/** Writes one of {@link ELEMENTS}, a time, or by the attributes a link or a span. */
function element(name: string, attributes: Tags[string] = {}, inner: string): string {
  const plain = Object.hasOwn(ELEMENTS, name);
  if (!plain && Object.keys(attributes).length === 0) return inner;
  const other = attributes.href === undefined ? 'span' : 'a';
  const kind = plain || name === 'time' ? name : other;
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined
      ? ''
      : ` ${key}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  return `<${kind}${written.join('')}>${inner}</${kind}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

function formatsOf(language: string) {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (date: string) => format.format(new Date(date));
  };
  const grouped = new Intl.NumberFormat(language);
  const shares = new Intl.NumberFormat(language, { style: 'percent' });
  const decimals = [0, 1, 2].map(
    (digits) =>
      new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  const lists = new Intl.ListFormat(language);
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  return {
    direction: new Intl.Locale(language).maximize().script === 'Arab' ? 'rtl' : 'ltr',
    /** `1204` → `1,204`. */
    figure: (value: number) => grouped.format(value),
    /** `4.2` → `4.20`, with as many decimals as asked for. */
    decimal: (value: number, digits = 2) => decimals[digits]!.format(value),
    /** Formats a percentage, but never rounds a small share to 0% or a large one to 100%. */
    percent: (share: number) => {
      if (share > 0 && share < 1) return `<${shares.format(0.01)}`;
      if (share > 99 && share < 100) return `>${shares.format(0.99)}`;
      return shares.format(Math.round(share) / 100);
    },
    /** `2026-05-14` → `May 14, 2026`. */
    dayName: dates({ year: 'numeric', month: 'long', day: 'numeric' }),
    /** `2026-05` → `May 2026`. */
    monthName: dates({ year: 'numeric', month: 'long' }),
    /** `2026-05` → `May`. */
    monthOfYear: dates({ month: 'long' }),
    /** `['a', 'b']` → `a and b`. */
    list: (parts: readonly string[]) => lists.format(parts),
    /** `['en', 'es']` → `English and Spanish`. */
    languageNames: (codes: readonly string[]) =>
      lists.format(codes.map((code) => languages.of(code) ?? code)),
    /** `Punctuality` → `punctuality`, but for German, whose nouns are capitalized. */
    inSentence: (label: string) =>
      language.startsWith('de')
        ? label
        : label.charAt(0).toLocaleLowerCase(language) + label.slice(1),
    /** `plumber` → `Plumber`. */
    capitalized: (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1),
  } as const;
}

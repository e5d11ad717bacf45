import { catalogOf, wordingOf } from '../messages/wording.ts';
import { generalNouns } from '../messages/general-nouns.ts';
import type { BusinessRecord } from '../schema/business.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aspectTerms, type AspectTerms } from '../schema/vocabulary.ts';
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

const FORMS = ['terms', 'phrases', 'subjects', 'exclude'] as const;
/** The languages besides English whose words the packs have. */
const LANGUAGES = ['es', 'fr'] as const;

/** The aspect that every vocabulary has: the business as a whole. */
export const OVERALL: AspectTerms = aspectTerms.parse(withForms(overall));

const PACKS_FOLDER = join(import.meta.dirname, 'packs');

/** Reads a trade pack, which is data of the program. */
export async function readPack(name: PackName): Promise<TradePack> {
  const json = await readFile(join(PACKS_FOLDER, `${name}.json`), 'utf8');
  const pack = JSON.parse(json) as Record<'topics' | 'problems', PackEntry[]> & {
    aspects: PackAspect[];
  };
  return tradePack.parse({
    ...pack,
    aspects: pack.aspects.map(withForms),
    topics: pack.topics.map(withShared),
    problems: pack.problems.map(withShared),
  });
}

const POLARITY_WEIGHTS = join(import.meta.dirname, '../insights/polarity-weights.tsv');

/** Reads the data of the program that insights depend on. */
export async function readRelease(): Promise<Release> {
  const packs = await Promise.all(PACKS.map(readPack));
  return { packs, weights: await readFile(POLARITY_WEIGHTS, 'utf8') };
}

type Forms = Partial<Record<(typeof FORMS)[number], string[]>>;
type Words = Forms & Partial<Record<(typeof LANGUAGES)[number], Forms>>;

/**
 * An aspect as its file has it: `shared` names words of `shared.json` that it has besides its own,
 * and `es` has those of Spanish. Words of all languages are in one list: reviews mix them.
 */
interface PackAspect extends Words {
  shared?: keyof typeof shared;
}

/** A topic or problem as its file has it: `shared` names one of `shared.json` that it completes. */
interface PackEntry {
  shared?: keyof typeof shared;
}

function withShared({ shared: name, ...entry }: PackEntry): object {
  return name === undefined ? entry : { ...shared[name], ...entry };
}

function withForms({ shared: name, ...aspect }: PackAspect): Forms {
  const both: Words[] = name === undefined ? [aspect] : [aspect, shared[name] as Words];
  const parts = [...both, ...LANGUAGES.flatMap((code) => both.map((words) => words[code] ?? {}))];
  const forms = FORMS.map((form) => [form, parts.flatMap((part: Forms) => part[form] ?? [])]);
  const own = Object.entries(aspect).filter(([key]) => !LANGUAGES.some((code) => code === key));
  return Object.fromEntries([...own, ...forms]);
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

/** Returns what staff of this trade are called in a business of this category. */
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

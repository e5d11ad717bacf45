import type { z } from 'zod';
import { oneLine } from '../schema/invisible.ts';
import { GENERAL_PACK, trade, type TradePack, type Trade } from '../schema/trade.ts';
import {
  lexicon,
  vocabularyFiles,
  vocabularyLists,
  type Lexicon,
  type Vocabulary,
} from '../schema/vocabulary.ts';
import { extendList, type OwnEntry } from './extend-list.ts';
import { unknownIds, type IssueIn } from './issue.ts';
import { Positions } from './positions.ts';
import { OVERALL, readPack } from './read-pack.ts';
import type { Reader } from './reader.ts';

type ListName = keyof typeof vocabularyFiles;
type ItemOf<Name extends ListName> = z.infer<(typeof vocabularyLists)[Name]>[number];

/** The vocabulary of a dataset, with the additions of its trade. */
export interface TradeVocabulary {
  vocabulary: Vocabulary;
  /** The nouns that the dataset states itself. */
  words: Omit<Trade, '$schema' | 'extends'>;
  pack: TradePack;
  /** True if the dataset names its pack: then its own files add to the pack's. */
  extended: boolean;
}

const NAMES = [...Object.keys(vocabularyFiles), 'lexicon', 'trade'].map((name) => `${name}.json`);

/**
 * Reads `vocabulary/*.json`. For a missing file the pack that `trade.json` names is used, or else
 * the general pack. A file adds to the named pack; if none is named, it replaces the general one.
 * Returns undefined if a file has an issue.
 */
export async function readVocabulary(reader: Reader): Promise<TradeVocabulary | undefined> {
  for (const name of (await reader.list('vocabulary', '.json')) ?? []) {
    if (NAMES.includes(name)) continue;
    reader.warn(`vocabulary/${name}`, '', `is not read: the names are ${NAMES.join(', ')}`);
  }
  const own = await reader.json('vocabulary/trade.json', trade, { optional: true });
  if (own === null) return undefined;
  const { $schema: _, extends: named, ...words } = own?.value ?? {};
  const extended = named !== undefined;
  const pack = await readPack(named ?? GENERAL_PACK);
  const list = <Name extends ListName>(
    name: Name,
    base: ItemOf<Name>[],
    builtIn: ItemOf<Name>[] = [],
  ) => readList(reader, name, { base, builtIn }, extended);

  const technicians = await list('technicians', []);
  technicians?.report(sharedNames(technicians.items));
  const services = await list('services', []);
  const serviceAreas = await list('service-areas', []);
  const problems = await list('problems', pack.problems);
  const aspects = await list('aspects', pack.aspects, [OVERALL]);
  const topics = await list('topics', pack.topics);
  const scores = await reader.json('vocabulary/lexicon.json', lexicon, { optional: true });
  if (!technicians || !services || !serviceAreas || !problems || !aspects || !topics) {
    return undefined;
  }
  if (scores === null) return undefined;
  const known = new Set(aspects.items.map(({ id }) => id));
  topics.report(unknownIds(aspects.items, idsIn(topics.entries, 'aspect_ids'), 'aspect'));
  aspects.report(unknownIds(aspects.items, idsIn(aspects.entries, 'yields_to'), 'aspect'));
  const exists = (id: string) => known.has(id);
  return {
    vocabulary: {
      technicians: technicians.items,
      services: services.items,
      service_areas: serviceAreas.items,
      problems: problems.items,
      aspects: aspects.items.map((aspect) => ({
        ...aspect,
        yields_to: aspect.yields_to.filter(exists),
      })),
      topics: topics.items.map((topic) => ({
        ...topic,
        aspect_ids: topic.aspect_ids.filter(exists),
      })),
      lexicon: joinLexicons(pack.lexicon, scores?.value, extended),
      trade: pack.trade,
    },
    words,
    pack,
    extended,
  };
}

function joinLexicons(pack: Lexicon, own: Lexicon | undefined, extended: boolean): Lexicon {
  if (!own) return pack;
  if (!extended) return own;
  return {
    version: own.version,
    words: { ...pack.words, ...own.words },
    phrases: { ...pack.phrases, ...own.phrases },
  };
}

/**
 * Returns a list with the built-in entries and those of the pack; undefined if the file has an
 * issue.
 */
async function readList<Name extends ListName>(
  reader: Reader,
  name: Name,
  { base, builtIn }: Record<'base' | 'builtIn', ItemOf<Name>[]>,
  extended: boolean,
) {
  const path = `vocabulary/${name}.json`;
  const schema = vocabularyFiles[name] as unknown as z.ZodType<OwnEntry[]>;
  const read = await reader.json(path, schema, { optional: true });
  if (read === null) return undefined;
  const entries = read?.value ?? [];
  const positions = new Positions(read?.text ?? '[]');
  const complete = vocabularyLists[name].element as unknown as z.ZodType<ItemOf<Name>>;
  const { items, issues } = extendList(
    [...(read && !extended ? [] : base), ...builtIn],
    entries,
    complete,
  );
  reader.report(positions.locate(issues, reader.shown(path)));
  if (issues.length > 0) return undefined;
  /** Reports issues of the owner's entries. */
  const report = (found: readonly IssueIn[]): void => {
    reader.report(positions.locate(found, reader.shown(path)));
  };
  return { items, entries, report };
}

/** Returns the ids in a field of the owner's entries, each with its path. */
function idsIn(entries: readonly OwnEntry[], field: string) {
  return entries.flatMap((entry, index) =>
    ((entry[field] ?? []) as string[]).map((id, at) => [[index, field, at], id] as const),
  );
}

/** Returns an issue for each name that two people have: mentions of one would count for the other. */
function sharedNames(people: readonly ItemOf<'technicians'>[]): IssueIn[] {
  const issues: IssueIn[] = [];
  const owners = new Map<string, string>();
  people.forEach(({ id, name, aliases }, index) => {
    const names: [path: (string | number)[], name: string][] = [
      [[index, 'name'], name],
      ...aliases.map((alias, at): [(string | number)[], string] => [[index, 'aliases', at], alias]),
    ];
    for (const [path, value] of names) {
      const key = oneLine(value).normalize('NFC').toLowerCase();
      const owner = owners.get(key) ?? id;
      owners.set(key, owner);
      if (owner === id) continue;
      const reason = `is also a name of ${owner}: leave out the alias, or give the full name`;
      issues.push({ path, reason, value });
    }
  });
  return issues;
}

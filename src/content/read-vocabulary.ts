import type { z } from 'zod';
import { joinLists } from '../schema/by-language.ts';
import { oneLine } from '../schema/invisible.ts';
import { GENERAL_PACK, trade, type Trade } from '../schema/trade.ts';
import {
  lexicon,
  LIST_NAMES,
  listFile,
  vocabulary,
  vocabularyFiles,
  type AspectTerms,
  type Lexicon,
  type ListName,
  type Technician,
  type Vocabulary,
} from '../schema/vocabulary.ts';
import { check, unknownIds, type IssueIn } from './issue.ts';
import { Positions } from './positions.ts';
import { OVERALL, readPack } from './read-pack.ts';
import type { Reader } from './reader.ts';

/** An entry of an owner's list. If its id is that of an entry of the pack, it adds to that entry. */
interface OwnEntry {
  id: string;
  omit?: true | undefined;
  [field: string]: unknown;
}

type Lists = Pick<Vocabulary, ListName>;

/** The vocabulary of a dataset, with the additions of its trade. */
export type TradeVocabulary = NonNullable<Awaited<ReturnType<typeof readVocabulary>>>;

const NAMES = [...Object.keys(vocabularyFiles), 'lexicon', 'trade'].map((name) => `${name}.json`);

/**
 * Reads `vocabulary/*.json`. For a missing file the pack that `trade.json` names is used, or else
 * the general pack. A file adds to the named pack; if none is named, it replaces the general one.
 * Returns undefined if a file has an issue.
 */
export async function readVocabulary(reader: Reader) {
  for (const name of (await reader.list('vocabulary', '.json')) ?? []) {
    if (NAMES.includes(name)) continue;
    reader.warn(`vocabulary/${name}`, '', `is not read: the names are ${NAMES.join(', ')}`);
  }
  const own = await reader.json('vocabulary/trade.json', trade, { optional: true });
  if (own === null) return undefined;
  const { $schema: _, extends: named, ...words }: Trade = own?.value ?? {};
  const extended = named !== undefined;
  const pack = await readPack(named ?? GENERAL_PACK);
  const found = reader.issues.length;
  const lists = {} as Record<ListName, Awaited<ReturnType<typeof readList>>>;
  for (const name of LIST_NAMES) lists[name] = await readList(reader, name, pack, extended);
  const scores = await reader.json('vocabulary/lexicon.json', lexicon, { optional: true });
  const items = Object.fromEntries(
    LIST_NAMES.map((name) => [name, lists[name].items]),
  ) as unknown as Lists;
  const hasIssues = reader.issues.length > found;
  const { aspects, technicians, topics } = lists;
  if (technicians.isComplete) technicians.report(sharedNames(items.technicians));
  if (hasIssues) return undefined;
  topics.report(unknownIds(items.aspects, idsIn(topics.entries, 'aspect_ids'), 'aspect'));
  aspects.report(unknownIds(items.aspects, idsIn(aspects.entries, 'yields_to'), 'aspect'));
  const known = new Set(items.aspects.map(({ id }) => id));
  const exists = (id: string) => known.has(id);
  return {
    vocabulary: {
      ...items,
      aspects: items.aspects.map((aspect) => ({
        ...aspect,
        yields_to: aspect.yields_to.filter(exists),
      })),
      topics: items.topics.map((topic) => ({
        ...topic,
        aspect_ids: topic.aspect_ids.filter(exists),
      })),
      lexicon: joinLexicons(pack.lexicon, scores?.value, extended),
      trade: pack.trade,
    },
    /** The nouns that the dataset states itself. */
    words,
    pack,
    /** True if the dataset names its pack: then its own files add to the pack's. */
    extended,
  };
}

function joinLexicons(pack: Lexicon, own: Lexicon | undefined, extended: boolean): Lexicon {
  if (!own) return pack;
  if (!extended) return own;
  const { $schema: _, ...scores } = own;
  return joinLists(pack, scores) as Lexicon;
}

/**
 * Reads a list. The order of its items is that of the pack, then the owner's.
 *
 * @returns it joined, as the owner's file has it, and what reports issues of that
 */
async function readList(reader: Reader, name: ListName, pack: Partial<Lists>, extended: boolean) {
  const path = `vocabulary/${listFile(name)}.json`;
  const schema = vocabularyFiles[listFile(name)] as z.ZodType<OwnEntry[]>;
  const read = await reader.json(path, schema, { optional: true });
  const entries = read?.value ?? [];
  const positions = new Positions(read?.text ?? '[]');
  const report = (issues: readonly IssueIn[]): void => {
    reader.report(positions.locate(issues, reader.shown(path)));
  };
  const base: { id: string }[] = read && !extended ? [] : (pack[name] ?? []);
  const builtIn = name === 'aspects' ? [OVERALL] : [];
  const { items, issues } = extendList(
    [...base, ...builtIn],
    entries,
    vocabulary.shape[name].element,
  );
  report(issues);
  return { items, entries, report, isComplete: read !== null && issues.length === 0 };
}

/**
 * Adds an owner's entries to a list: words are added, other fields replace those of the entry with
 * the same id, and `omit` leaves it out.
 *
 * @param complete checks an entry after it was joined
 */
function extendList(
  base: readonly { id: string }[],
  own: readonly OwnEntry[],
  complete: z.ZodType<{ id: string }>,
): { items: { id: string }[]; issues: IssueIn[] } {
  const items = new Map(base.map((entry) => [entry.id, entry]));
  const issues: IssueIn[] = [];
  const seen = new Set<string>();
  for (const [index, { omit, ...entry }] of own.entries()) {
    const { id } = entry;
    const known = items.get(id);
    if (seen.has(id)) issues.push({ path: [index, 'id'], reason: 'is used twice', value: id });
    else if (omit && !known) {
      const reason = 'no entry of the trade pack has this id';
      issues.push({ path: [index, 'id'], reason, value: id });
    } else if (omit) items.delete(id);
    else {
      const checked = check(complete, known ? joinLists(known, entry) : entry);
      const { value } = checked;
      if (value && namesNothing(value)) {
        issues.push({ path: [index, 'terms'], reason: 'is missing' });
      } else if (value) items.set(id, value);
      for (const { path, ...issue } of checked.issues ?? []) {
        issues.push({ path: [index, ...path], ...issue });
      }
    }
    seen.add(id);
  }
  return { items: [...items.values()], issues };
}

/** Tells whether an aspect or topic has no words in any language. */
function namesNothing(entry: object): boolean {
  const { terms, languages } = entry as Partial<AspectTerms>;
  return terms?.length === 0 && Object.values(languages ?? {}).every((own) => !own.terms?.length);
}

/** Returns the ids in a field of the owner's entries, each with its path. */
function idsIn(entries: readonly OwnEntry[], field: string) {
  return entries.flatMap((entry, index) =>
    ((entry[field] ?? []) as string[]).map((id, at) => [[index, field, at], id] as const),
  );
}

/** Returns an issue for each name that two people have: mentions of one would count for the other. */
function sharedNames(people: readonly Technician[]): IssueIn[] {
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

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { describeGaps, findGaps, type Missing } from '../suggest-words.ts';
import { suggestNames } from '../suggest-names.ts';
import { lockDataset } from '../locked-dataset.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { oneLine } from '../../schema/invisible.ts';
import { slugOf } from '../../schema/primitives.ts';
import { GENERAL_PACK } from '../../schema/trade.ts';

const USAGE = `usage: npm run suggest -- [--accept NUMBER,NUMBER=ASPECT,…]
  Lists what reviews mention and the vocabulary lacks; adds nothing by itself.
  --accept  adds these to the dataset; a word beside opinions needs the id of its aspect: 4=price`;

const EXAMPLE_CHARACTERS = 90;

/**
 * Lists words beside opinions and names of people that reviews use and the vocabulary lacks, each
 * with a number, and adds those that a person accepts.
 */
export const suggest: Command = async (args, print) => {
  const { accept: wanted } = parseOptions(args, OPTIONS, USAGE).values;
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const { business, reviews, vocabulary } = await readContent(folder);
  const published = reviews.filter(({ verified }) => verified);
  const gaps = findGaps(published, vocabulary, business.name);
  const suggestions: Suggestion[] = [
    ...suggestNames(published, vocabulary).map((name) => ({ isName: true, ...name })),
    ...gaps.words.map((word) => ({ isName: false, ...word })),
  ];
  print(describeGaps(gaps));
  for (const [index, { isName, text, reviews, example }] of suggestions.entries()) {
    const kind = isName ? 'person' : 'word beside opinions';
    const shown = oneLine(example).slice(0, EXAMPLE_CHARACTERS).toWellFormed();
    print(`${index + 1}. ${kind} ${oneLine(text)}: ${reviews} reviews, "${shown}"`);
  }
  if (suggestions.length === 0) return print('Nothing to suggest.');
  const ids = vocabulary.aspects.map(({ id }) => id);
  if (wanted !== undefined) return accept(folder, ids, suggestions, wanted).forEach(print);
  const first = suggestions.slice(0, 2);
  const some = first.map(({ isName }, at) => (isName ? `${at + 1}` : `${at + 1}=${ids[0]}`));
  print(`Nothing was added. To add some: npm run suggest -- --accept ${some.join()}`);
};

const OPTIONS = { options: { accept: { type: 'string' } } } as const;

/** A name, or a word beside opinions, that reviews use and the vocabulary lacks. */
interface Suggestion extends Missing {
  isName: boolean;
}

/** An entry of a list in the vocabulary: a person, or an aspect with words for it. */
interface Entry {
  id: string;
  name?: string;
  subjects?: string[];
}

/**
 * Adds suggestions to the vocabulary of a dataset and returns a line for each.
 *
 * @param aspects ids of all aspects
 * @param wanted numbers from 1, separated by commas; a word needs its aspect: `4=price`
 * @throws {UsageError} before anything is written, if a number or an aspect does not exist
 */
function accept(
  folder: string,
  aspects: readonly string[],
  suggestions: readonly Suggestion[],
  wanted: string,
): string[] {
  using dataset = lockDataset(folder);
  const read = <T>(name: string, missing: T): T => {
    const path = join(folder, `vocabulary/${name}.json`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : missing;
  };
  const write = (name: string, value: unknown) =>
    dataset.replace(`vocabulary/${name}.json`, `${JSON.stringify(value, null, 2)}\n`);
  const people = read<Entry[]>('technicians', []);
  const judged = read<Entry[]>('aspects', []);
  // A file of aspects would replace those of the general pack, unless that is named.
  const trade = judged.length === 0 ? { extends: GENERAL_PACK, ...read('trade', {}) } : undefined;
  const lines = wanted.split(',').map((part) => {
    const [number, id = ''] = part.trim().split('=') as [string, string?];
    const suggestion = suggestions[Number(number) - 1];
    if (!suggestion) throw new UsageError(`--accept: no suggestion has the number ${number}`);
    const { isName, text } = suggestion;
    if (isName) {
      const person = { id: freeId(text, people), name: text };
      people.push(person);
      write('technicians', people);
      return `${text}: added as ${person.id}`;
    }
    if (!aspects.includes(id)) {
      const all = aspects.join(', ');
      throw new UsageError(`--accept: ${number} needs an aspect: ${number}=…, one of ${all}`);
    }
    let aspect = judged.find((one) => one.id === id);
    if (!aspect) judged.push((aspect = { id }));
    aspect.subjects = [...new Set([...(aspect.subjects ?? []), text])];
    write('aspects', judged);
    if (trade) write('trade', trade);
    return `${text}: added to the aspect ${id}`;
  });
  dataset.commit();
  return lines;
}

/** Returns an id for a person that nobody has; the name may have no Latin letter. */
function freeId(name: string, people: readonly Entry[]): string {
  const wanted = slugOf(name) || 'person';
  let id = wanted;
  for (let number = 2; people.some((one) => one.id === id); number++) id = `${wanted}-${number}`;
  return id;
}

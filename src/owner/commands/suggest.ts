import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readContent } from '../../content/read-content.ts';
import { describeGaps, findGaps, type Missing } from '../../insights/suggest-words.ts';
import { suggestNames } from '../suggest-names.ts';
import { lockDataset } from '../locked-dataset.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { oneLine } from '../../schema/invisible.ts';
import { slugOf } from '../../schema/primitives.ts';
import { GENERAL_PACK } from '../../schema/trade.ts';
import type { AspectTerms } from '../../schema/vocabulary.ts';

const USAGE = `usage: npm run suggest -- [--accept NUMBER,NUMBER=ASPECT,…]
  Lists what reviews mention and the vocabulary lacks; adds nothing by itself.
  --accept  adds these to the dataset; a word beside opinions needs the id of its aspect: 4=price`;

const EXAMPLE_CHARACTERS = 90;

/**
 * Lists words beside opinions and names of people that reviews use and the vocabulary lacks, each
 * with a number. Adds those that a person accepts, by flag or at the terminal.
 */
export const suggest: Command = async (args, print) => {
  const given = parse(args);
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const content = await readContent(folder);
  const published = content.reviews.filter(({ verified }) => verified);
  const gaps = findGaps(published, content.vocabulary, content.business.name);
  const suggestions: Suggestion[] = [
    ...suggestNames(published, content.vocabulary).map((name) => ({ isName: true, ...name })),
    ...gaps.words.map((word) => ({ isName: false, ...word })),
  ];
  print(describeGaps(gaps));
  for (const [index, { isName, text, reviews, example }] of suggestions.entries()) {
    const kind = isName ? 'person' : 'word beside opinions';
    const shown = oneLine(example).slice(0, EXAMPLE_CHARACTERS).toWellFormed();
    print(`${index + 1}. ${kind} ${oneLine(text)}: ${reviews} reviews, "${shown}"`);
  }
  if (suggestions.length === 0) return print('Nothing to suggest.');
  const wanted = given ?? (await ask(content.vocabulary.aspects.map(({ id }) => id)));
  if (wanted === '')
    return print('Nothing was added. To add some: npm run suggest -- --accept 1,4=price');
  for (const line of accept(folder, content, suggestions, wanted)) print(line);
};

function parse(args: readonly string[]): string | undefined {
  return parseOptions(args, { options: { accept: { type: 'string' } } }, USAGE).values.accept;
}

/** Asks which to add; where there is no terminal, none. */
async function ask(aspects: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return '';
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `Aspects: ${aspects.join(', ')}\nAdd which, e.g. 1,4=${aspects[0]}? `;
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

/** A name, or a word beside opinions, that reviews use and the vocabulary lacks. */
interface Suggestion extends Missing {
  isName: boolean;
}

type Entry = { id: string; subjects?: string[] } & Record<string, unknown>;

/**
 * Adds suggestions to the vocabulary of a dataset and returns a line for each.
 *
 * @param wanted numbers from 1, separated by commas; a word needs its aspect: `4=price`
 * @throws {UsageError} before anything is written, if a number or an aspect does not exist
 */
function accept(
  folder: string,
  { vocabulary }: { vocabulary: { aspects: readonly AspectTerms[] } },
  suggestions: readonly Suggestion[],
  wanted: string,
): string[] {
  const chosen = wanted.split(',').map((part) => {
    const [number, aspect] = part.trim().split('=') as [string, string?];
    const suggestion = suggestions[Number(number) - 1];
    if (!suggestion) throw new UsageError(`--accept: no suggestion has the number ${number}`);
    const ids = vocabulary.aspects.map(({ id }) => id);
    if (!suggestion.isName && !ids.includes(aspect ?? '')) {
      const all = ids.join(', ');
      throw new UsageError(`--accept: ${number} needs an aspect: ${number}=…, one of ${all}`);
    }
    return { ...suggestion, id: suggestion.isName ? slugOf(suggestion.text) : aspect! };
  });
  using dataset = lockDataset(folder);
  const read = <T>(name: string, missing: T): T => {
    const path = join(folder, name);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : missing;
  };
  const write = (name: string, value: unknown) =>
    dataset.replace(name, `${JSON.stringify(value, null, 2)}\n`);
  const names = chosen.filter(({ isName }) => isName);
  if (names.length > 0) {
    const people = read<Entry[]>(PEOPLE, []);
    write(PEOPLE, [...people, ...names.map(({ id, text }) => ({ id, name: text }))]);
  }
  const words = chosen.filter(({ isName }) => !isName);
  if (words.length > 0) {
    const aspects = read<Entry[]>(ASPECTS, []);
    const trade = read<{ extends?: string }>(TRADE, {});
    // A file of aspects would replace those of the general pack, unless that is named.
    if (aspects.length === 0) write(TRADE, { ...trade, extends: trade.extends ?? GENERAL_PACK });
    for (const { id, text } of words) {
      let aspect = aspects.find((one) => one.id === id);
      if (!aspect) aspects.push((aspect = { id }));
      aspect.subjects = [...new Set([...(aspect.subjects ?? []), text])];
    }
    write(ASPECTS, aspects);
  }
  dataset.commit();
  return chosen.map(({ isName, id, text }) =>
    isName ? `${text}: added as ${id}` : `${text}: added to the aspect ${id}`,
  );
}

const PEOPLE = 'vocabulary/technicians.json';
const ASPECTS = 'vocabulary/aspects.json';
const TRADE = 'vocabulary/trade.json';

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Missing } from '../../insights/suggest-words.ts';
import { lockDataset } from '../locked-dataset.ts';
import { UsageError } from '../../run-command.ts';
import { slugOf } from '../../schema/primitives.ts';
import { GENERAL_PACK } from '../../schema/trade.ts';
import type { AspectTerms } from '../../schema/vocabulary.ts';

/** A name, or a word beside opinions, that reviews use and the vocabulary lacks. */
export interface Suggestion extends Missing {
  isName: boolean;
}

type Entry = { id: string; subjects?: string[] } & Record<string, unknown>;

/**
 * Adds suggestions to the vocabulary of a dataset and returns a line for each.
 *
 * @param wanted numbers from 1, separated by commas; a word needs its aspect: `4=price`
 * @throws {UsageError} before anything is written, if a number or an aspect does not exist
 */
export async function accept(
  folder: string,
  { vocabulary }: { vocabulary: { aspects: readonly AspectTerms[] } },
  suggestions: readonly Suggestion[],
  wanted: string,
): Promise<string[]> {
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
  const read = async <T>(name: string, missing: T): Promise<T> => {
    const text = await readFile(join(folder, name), 'utf8').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
    return text === undefined ? missing : (JSON.parse(text) as T);
  };
  const write = (name: string, value: unknown) =>
    dataset.replace(name, `${JSON.stringify(value, null, 2)}\n`);
  const names = chosen.filter(({ isName }) => isName);
  if (names.length > 0) {
    const people = await read<Entry[]>(PEOPLE, []);
    write(PEOPLE, [...people, ...names.map(({ id, text }) => ({ id, name: text }))]);
  }
  const words = chosen.filter(({ isName }) => !isName);
  if (words.length > 0) {
    const aspects = await read<Entry[]>(ASPECTS, []);
    const trade = await read<{ extends?: string }>(TRADE, {});
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

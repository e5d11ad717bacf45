import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataset } from '../locked-dataset.ts';
import { UsageError } from '../../run-command.ts';
import { slugOf } from '../../schema/primitives.ts';
import { GENERAL_PACK } from '../../schema/trade.ts';
import type { AspectTerms, Technician } from '../../schema/vocabulary.ts';

/** Something that reviews use and the dataset lacks. */
export interface VocabularySuggestion {
  kind: 'person' | 'word' | 'service' | 'area' | 'link';
  text: string;
  reviews: number;
  example: string;
  /** The person whose name it resembles. */
  like?: Pick<Technician, 'id' | 'name'> | undefined;
}

type Entry = { id: string } & Record<string, unknown>;
type Business = { service_areas?: string[]; same_as?: string[] };

/**
 * Adds suggestions to the files of a dataset and returns a line for each.
 *
 * @param wanted numbers from 1, separated by commas; a word needs its aspect: `4=price`
 * @throws {UsageError} before anything is written, if a number or an aspect does not exist
 */
export async function accept(
  folder: string,
  { vocabulary }: { vocabulary: { aspects: readonly AspectTerms[] } },
  suggestions: readonly VocabularySuggestion[],
  wanted: string,
): Promise<string[]> {
  const chosen = wanted.split(',').map((part) => {
    const [number, aspect] = part.trim().split('=') as [string, string?];
    const suggestion = suggestions[Number(number) - 1];
    if (!suggestion) throw new UsageError(`--accept: no suggestion has the number ${number}`);
    const isKnown = vocabulary.aspects.some(({ id }) => id === aspect);
    if (suggestion.kind === 'word' && !isKnown) {
      const ids = vocabulary.aspects.map(({ id }) => id).join(', ');
      throw new UsageError(`--accept: ${number} needs an aspect: ${number}=…, one of ${ids}`);
    }
    return { ...suggestion, aspect };
  });
  using dataset = lockDataset(folder);
  const files = new Files(folder);
  const lines: string[] = [];
  for (const { kind, text, like, aspect } of chosen) {
    const id = like?.id ?? slugOf(text);
    if (kind === 'word') {
      await files.extendPack();
      await files.addTo('aspects', aspect!, {}, { subjects: text });
      lines.push(`${text}: added to the aspect ${aspect}`);
    } else if (kind === 'person') {
      await files.addTo('technicians', id, { name: text }, like ? { aliases: text } : {});
      lines.push(
        like ? `${text}: added as another form of ${like.name}` : `${text}: added as ${id}`,
      );
    } else if (kind === 'link') {
      await files.addToBusiness('same_as', text);
      lines.push(`${text}: added to business.json`);
    } else {
      await files.addTo(
        kind === 'area' ? 'service-areas' : 'services',
        id,
        { label: text },
        {
          aliases: text.toLowerCase(),
        },
      );
      if (kind === 'area') await files.addToBusiness('service_areas', id);
      lines.push(`${text}: added as ${id}`);
    }
  }
  for (const [name, text] of files.texts()) dataset.replace(name, text);
  dataset.commit();
  return lines;
}

/** Files of a dataset that change together. */
class Files {
  readonly #folder: string;
  readonly #values = new Map<string, unknown>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a word to a list of an entry, which is created with these fields if it is missing. */
  async addTo(
    list: string,
    id: string,
    fields: Record<string, string>,
    words: Record<string, string>,
  ): Promise<void> {
    const entries = await this.#read<Entry[]>(`vocabulary/${list}.json`, []);
    let entry = entries.find((one) => one.id === id);
    if (!entry) entries.push((entry = { id, ...fields }));
    for (const [field, word] of Object.entries(words)) {
      entry[field] = [...new Set([...((entry[field] as string[] | undefined) ?? []), word])];
    }
  }

  async addToBusiness(field: keyof Business, value: string): Promise<void> {
    const business = await this.#read<Business>('business.json', {});
    business[field] = [...new Set([...(business[field] ?? []), value])];
  }

  /** Names the general pack where none is named and its aspects are used: a file would replace them. */
  async extendPack(): Promise<void> {
    const aspects = await this.#read<Entry[]>('vocabulary/aspects.json', []);
    const trade = await this.#read<{ extends?: string }>('vocabulary/trade.json', {});
    if (aspects.length === 0) trade.extends ??= GENERAL_PACK;
    else if (trade.extends === undefined) this.#values.delete('vocabulary/trade.json');
  }

  /** Returns the new text of each file. */
  texts(): [name: string, text: string][] {
    return [...this.#values].map(([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`]);
  }

  async #read<T>(name: string, missing: T): Promise<T> {
    if (!this.#values.has(name)) {
      const text = await readFile(join(this.#folder, name), 'utf8').catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
      this.#values.set(name, text === undefined ? missing : JSON.parse(text));
    }
    return this.#values.get(name) as T;
  }
}

import type { z } from 'zod';
import { lexicon, vocabularyFiles, type Vocabulary } from '../schema/vocabulary.ts';
import { parseJsonFile } from './parse.ts';
import { Positions } from './positions.ts';
import type { Reader } from './reader.ts';

/**
 * Reads `vocabulary/*.json`, of which any file may be missing. Undefined when one has an issue.
 */
export async function readVocabulary(reader: Reader): Promise<Vocabulary | undefined> {
  const list = <Name extends keyof typeof vocabularyFiles>(name: Name) =>
    readList(reader, name, vocabularyFiles[name] as unknown as z.ZodType<ListOf<Name>>);
  const technicians = await list('technicians');
  const services = await list('services');
  const serviceAreas = await list('service-areas');
  const problems = await list('problems');
  const aspects = await list('aspects');
  const topics = await list('topics');
  const words = await readOne(reader, 'lexicon', lexicon, NO_LEXICON);

  if (aspects && topics) {
    const known = new Set(aspects.items.map((aspect) => aspect.id));
    const check = (file: string, positions: Positions, path: (string | number)[], id: string) => {
      if (known.has(id)) return;
      const line = positions.lineOf(path);
      reader.issue(`vocabulary/${file}.json`, line, path.join('.'), 'no aspect has this id', id);
    };
    topics.items.forEach((topic, index) =>
      topic.aspect_ids.forEach((id, at) =>
        check('topics', topics.positions, [index, 'aspect_ids', at], id),
      ),
    );
    aspects.items.forEach((aspect, index) =>
      aspect.yields_to.forEach((id, at) =>
        check('aspects', aspects.positions, [index, 'yields_to', at], id),
      ),
    );
  }
  if (!technicians || !services || !serviceAreas || !problems || !aspects || !topics || !words) {
    return undefined;
  }
  return {
    technicians: technicians.items,
    services: services.items,
    service_areas: serviceAreas.items,
    problems: problems.items,
    aspects: aspects.items,
    topics: topics.items,
    lexicon: words.value,
  };
}

type ListOf<Name extends keyof typeof vocabularyFiles> = z.infer<(typeof vocabularyFiles)[Name]>;

const NO_LEXICON = '{ "version": "none", "words": {} }';

/** @param missing the text to read where there is no file */
async function readOne<T>(reader: Reader, name: string, schema: z.ZodType<T>, missing: string) {
  const path = `vocabulary/${name}.json`;
  const text = (await reader.text(path, { optional: true })) ?? missing;
  const { value, issues } = parseJsonFile(text, reader.shown(path), schema);
  reader.report(issues);
  return value === undefined ? undefined : { value, text };
}

async function readList<T extends { id: string }[]>(
  reader: Reader,
  name: string,
  schema: z.ZodType<T>,
) {
  const read = await readOne(reader, name, schema, '[]');
  if (!read) return undefined;
  const positions = new Positions(read.text);
  const seen = new Set<string>();
  read.value.forEach(({ id }, index) => {
    if (seen.has(id)) {
      const line = positions.lineOf([index, 'id']);
      reader.issue(`vocabulary/${name}.json`, line, `${index}.id`, 'is used twice', id);
    }
    seen.add(id);
  });
  return { items: read.value, positions };
}

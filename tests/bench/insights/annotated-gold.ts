import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { annotateReadings } from '../../../src/insights/annotations.ts';
import { contentHash } from '../../../src/insights/analyze/review-reader.ts';
import { annotation, type Annotation } from '../../../src/schema/annotation.ts';
import type { PerReview } from '../../../src/schema/insights.ts';
import type { ReviewRecord } from '../../../src/schema/review.ts';
import type { Vocabulary } from '../../../src/schema/vocabulary.ts';
import { DATASET } from '../../support/fixtures.ts';
import { readGold, type GoldItem } from './gold.ts';

/** Reads a file of annotations, a line each. */
export async function readAnnotations(file: string): Promise<Annotation[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => annotation.parse(JSON.parse(line)));
}

/** Returns the pieces that have an annotation; the hash of the text tells which. */
export function annotatedItems(
  items: readonly GoldItem[],
  annotations: readonly Annotation[],
): GoldItem[] {
  const hashes = new Set(annotations.map(({ content_hash }) => content_hash));
  return items.filter((item) => hashes.has(hashOf(item)));
}

/**
 * Applies the annotations as the build does.
 *
 * @param readings of the pieces, by id
 * @throws {Error} if a quote must not be published
 */
export function applyAnnotations(
  items: readonly GoldItem[],
  readings: ReadonlyMap<string, PerReview>,
  annotations: readonly Annotation[],
  vocabulary: Vocabulary,
): ReadonlyMap<string, PerReview> {
  const byHash = new Map(annotations.map((one) => [one.content_hash, one]));
  const own = items.flatMap((item) => {
    const found = byHash.get(hashOf(item));
    return found ? [{ ...found, review_id: item.id }] : [];
  });
  const reviews = items.map(({ id, text }) => ({ id, title: null, text }));
  const annotated = annotateReadings(readings, reviews, own, vocabulary);
  for (const { quote, reason } of annotated.refused) throw new Error(`“${quote}” ${reason}`);
  return annotated.readings;
}

/** Writes the development pieces as a dataset with the vocabulary of the sample, to be annotated. */
export async function writeGoldDataset(folder: string): Promise<number> {
  await cp(DATASET, folder, { recursive: true, errorOnExist: true, force: false });
  for (const part of [
    'reviews',
    'faq',
    'journal',
    'annotations',
    'summary.md',
    'withdrawn.jsonl',
  ]) {
    await rm(join(folder, part), { recursive: true, force: true });
  }
  const items = (['plain', 'hard'] as const).flatMap((set) => readGold(set, 'development'));
  const records = items.map(({ stars, text }, at): ReviewRecord => {
    const id = `01GD${String(at).padStart(22, '0')}`;
    return {
      id,
      author: 'Gold',
      rating: stars,
      date: '2025-01-01',
      text,
      source: 'gold',
      verified: true,
    };
  });
  await mkdir(join(folder, 'reviews'));
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  await writeFile(join(folder, 'reviews/2025.jsonl'), lines);
  return records.length;
}

function hashOf({ text }: GoldItem): string {
  return contentHash({ title: null, text });
}

import { businessRecord, type BusinessRecord } from '../schema/business.ts';
import { tradeWords } from '../schema/trade.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { withBusinessName } from './business-name.ts';
import { ContentError, formatIssue, unknownIds } from './issue.ts';
import { Positions } from './positions.ts';
import { lineAt, Reader } from './reader.ts';
import { readAnnotations } from './read-annotations.ts';
import { readCover } from './read-cover.ts';
import { readFaq } from './read-faq.ts';
import { readJournal } from './read-journal.ts';
import { readLogo } from './read-logo.ts';
import { readImports, readWithdrawn, readReviewFiles } from './read-reviews.ts';
import { readRelease, packWords } from './read-pack.ts';
import { readVocabulary } from './read-vocabulary.ts';
import { SAMPLE_NAME } from './sample.ts';
import { reportUnfinished } from './unfinished.ts';

/** Everything an operator wrote, read and checked, and the data of the program beside it. */
export type Content = Awaited<ReturnType<typeof readContent>>;

export interface ReadOptions {
  /** The current day; reviews dated after it are issues. Without it, no date is too late. */
  today?: string;
  /** Takes each warning: something that is likely a mistake, but no issue. */
  warn?: (warning: string) => void;
}

/**
 * Reads a content folder.
 *
 * @throws {ContentError} with every issue of every file
 */
export async function readContent(root: string, { today, warn = () => {} }: ReadOptions = {}) {
  const reader = new Reader(root);
  await reportUnfinished(reader);
  const trade = await readVocabulary(reader);
  const vocabulary = trade?.vocabulary;
  const business = await readBusiness(reader, vocabulary);
  const logo = await readLogo(reader);
  const cover = business ? await readCover(reader, business.cover_alt) : null;
  const reviews = (await readReviewFiles(reader, today)).map(({ value }) => value);
  const journal = await readJournal(reader);
  const { withdrawn, restored } = await readWithdrawn(reader, reviews, journal.entries);
  const imports = await readImports(reader);
  const annotations = await readAnnotations(reader, reviews, vocabulary);
  const faq = await readFaq(reader, trade);
  const summary = await readSummary(reader);
  reader.warnings.forEach((warning) => warn(formatIssue(warning)));
  if (business && business.name !== SAMPLE_NAME) reader.report(reader.sampleIssues);
  if (reader.issues.length > 0 || !business || !trade) throw new ContentError(reader.issues);
  return {
    business,
    logo,
    cover,
    /** In the order of the files; verified or not. */
    reviews,
    /** Reviews that their platform no longer has. */
    withdrawn,
    /** Tombstones of those that may come back. */
    restored,
    journal,
    /** Oldest first. */
    imports,
    vocabulary: withBusinessName(trade.vocabulary, business.name),
    words: tradeWords.parse({ ...packWords(trade.pack, business), ...trade.words }),
    ...(await readRelease()),
    annotations,
    faq,
    /** Null when there is no summary.md, or nothing in it. */
    summary,
  };
}

async function readBusiness(
  reader: Reader,
  vocabulary: Vocabulary | undefined,
): Promise<BusinessRecord | undefined> {
  const path = 'business.json';
  const read = await reader.json(path, businessRecord);
  if (!read) return undefined;
  const { value, text } = read;
  const named = value.service_areas.map((id, index) => [['service_areas', index], id] as const);
  const issues = vocabulary ? unknownIds(vocabulary.service_areas, named, 'service area') : [];
  reader.report(new Positions(text).locate(issues, reader.shown(path)));
  return value;
}

/** Reads `summary.md`, trimmed, with the place that messages name: the line on which its text begins. */
async function readSummary(reader: Reader) {
  const path = 'summary.md';
  const whole = await reader.text(path, { optional: true });
  const text = whole?.trim();
  if (!whole || !text) return null;
  const start = whole.indexOf(text);
  // The same length, so that offsets do not change.
  const outside = text.replaceAll(/\{\{[^{}]*\}\}/g, (placeholder) =>
    ' '.repeat(placeholder.length),
  );
  for (const { index } of outside.matchAll(/\{\{|\}\}/g)) {
    const shown = text.slice(index, index + 30).split('\n', 1)[0];
    reader.issue(
      path,
      lineAt(whole, start + index),
      '',
      `has a placeholder that is not closed: ${shown}`,
    );
  }
  return { file: reader.shown(path), line: lineAt(whole, start), text };
}

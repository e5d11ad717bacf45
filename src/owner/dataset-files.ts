import { ContentError } from '../content/issue.ts';
import type { Line } from '../content/parse.ts';
import { readJournal } from '../content/read-journal.ts';
import { readImports, readReviewFiles, readWithdrawn } from '../content/read-reviews.ts';
import { Reader } from '../content/reader.ts';
import { businessRecord } from '../schema/business.ts';
import { importAnswers } from '../schema/import-answers.ts';

/** The fields of business.json that an import needs: its name and language, how names are shown, and its own contacts. */
const importedBusiness = businessRecord
  .pick({
    name: true,
    language: true,
    author_display: true,
    phone: true,
    email: true,
    url: true,
    address: true,
  })
  .strip();

/**
 * Reads the parts of content/ that commands change; its imports are oldest first.
 *
 * @throws {ContentError} with all their issues
 */
export async function readDatasetFiles(contentDir: string) {
  const reader = new Reader(contentDir);
  const business = await reader.json('business.json', importedBusiness);
  const reviews = await readReviewFiles(reader, undefined);
  const { chain, entries } = await readJournal(reader);
  const records = reviews.map(({ value }) => value);
  const { withdrawn, restored } = await readWithdrawn(reader, records, entries);
  const imports = await readImports(reader);
  const answers = await reader.json('import.json', importAnswers, { optional: true });
  if (!business || reader.issues.length > 0) throw new ContentError(reader.issues);
  return {
    business: business.value,
    reviews,
    withdrawn,
    restored,
    chain,
    imports,
    answers: answers?.value ?? { tables: [] },
  };
}

export function fileOf(lines: readonly Pick<Line<unknown>, 'text'>[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

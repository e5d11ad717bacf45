import { z } from 'zod';
import { fieldRows, type FieldRow } from '../../src/developers/fields.ts';
import type { JsonSchema } from '../../src/resources/openapi/components.ts';
import { annotation } from '../../src/schema/annotation.ts';
import { businessRecord } from '../../src/schema/business.ts';
import { faqFrontMatter } from '../../src/schema/faq.ts';
import { importAnswers } from '../../src/schema/import-answers.ts';
import { journalEntry } from '../../src/schema/journal.ts';
import { importRecord, tombstone } from '../../src/schema/provenance.ts';
import { reviewRecord } from '../../src/schema/review.ts';
import { trade } from '../../src/schema/trade.ts';
import { aspectTerms, lexicon, technician, term, topicTerms } from '../../src/schema/vocabulary.ts';

/** The files of a dataset, each with the schema of its object, line or entry. */
const FILES: [heading: string, schema: z.ZodObject][] = [
  ['`business.json`', businessRecord],
  ['A line of `reviews/*.jsonl`', reviewRecord],
  ['`vocabulary/trade.json`', trade],
  ['A person in `vocabulary/technicians.json`', technician],
  ['An entry of `services.json`, `service-areas.json` or `problems.json`', term],
  ['A topic in `vocabulary/topics.json`', topicTerms],
  ['An aspect in `vocabulary/aspects.json`', aspectTerms],
  ['`vocabulary/lexicon.json`', lexicon],
  ['The front matter of `faq/<id>.md`', faqFrontMatter],
  ['A line of `annotations/*.jsonl`', annotation],
  ['`import.json`', importAnswers],
  ['A line of `imports.jsonl`', importRecord],
  ['A line of `withdrawn.jsonl`', tombstone],
  ['A line of `journal/<year>.jsonl`', journalEntry],
];

/** Returns the rows of a schema as they are in its file. */
function rowsOf(schema: z.ZodObject): FieldRow[] {
  return fieldRows(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema).filter(
    ({ path }) => path !== '$schema',
  );
}

/** Returns `src/schema/FIELDS.md`. */
export function fieldReference(): string {
  const sections = FILES.map(([heading, schema]) => {
    const rows = rowsOf(schema).map(describe);
    return `## ${heading}\n\n${rows.join('\n')}\n`;
  });
  return `# Fields of a dataset

Made from the schemas in this folder. [content/README.md](../../content/README.md) says what the files are for. Fields
are optional unless they are marked as required.

${sections.join('\n')}`;
}

function describe({ path, type, required, description }: FieldRow): string {
  const { before, name = '', after } = type;
  const bounded = before.replace(`, 0 to ${Number.MAX_SAFE_INTEGER}`, '');
  const kind = `${bounded}${name}${after}${required ? ', required' : ''}`;
  return `- \`${path}\` (${kind})${description && `: ${description}`}`;
}

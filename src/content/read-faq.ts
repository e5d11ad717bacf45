import { basename } from 'node:path';
import { faqFrontMatter, type FaqEntry } from '../schema/faq.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { parseFrontMatter } from './parse.ts';
import type { Positions } from './positions.ts';
import type { Reader } from './reader.ts';

/** Reads `faq/*.md` in the order of their names; evidence must name ids of the vocabulary. */
export async function readFaq(
  reader: Reader,
  vocabulary: Vocabulary | undefined,
): Promise<FaqEntry[]> {
  const entries: FaqEntry[] = [];
  for (const name of (await reader.list('faq', '.md')) ?? []) {
    const path = `faq/${name}`;
    const text = await reader.text(path);
    if (text === undefined) continue;
    const { value, issues } = parseFrontMatter(text, reader.shown(path), faqFrontMatter);
    reader.report(issues);
    if (!value) continue;
    if (vocabulary) checkEvidence(reader, path, value, vocabulary);
    const { head, body } = value;
    entries.push({ id: basename(name, '.md'), ...head, answer: body });
  }
  return entries;
}

function checkEvidence(
  reader: Reader,
  path: string,
  { head, positions }: { head: Pick<FaqEntry, 'evidence'>; positions: Positions },
  vocabulary: Vocabulary,
): void {
  for (const kind of ['aspects', 'topics', 'services', 'problems'] as const) {
    const known = new Set(vocabulary[kind].map((entry) => entry.id));
    head.evidence[kind].forEach((id, index) => {
      if (known.has(id)) return;
      const line = positions.lineOf(['evidence', kind, index]);
      const field = `evidence.${kind}.${index}`;
      reader.issue(path, line, field, 'no entry of the vocabulary has this id', id);
    });
  }
}

import { basename } from 'node:path';
import { faqFrontMatter, type FaqEntry } from '../schema/faq.ts';
import type { TradePack } from '../schema/trade.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { parseFrontMatter } from './parse.ts';
import type { Positions } from './positions.ts';
import type { TradeVocabulary } from './read-vocabulary.ts';
import type { Reader } from './reader.ts';

const KINDS = ['aspects', 'topics', 'services', 'problems'] as const;

/** Anchors in the frame of every page (src/layouts/Page.astro). */
const PAGE_ANCHORS = /^(main|stars|footer-.*)$/;

/**
 * Reads `faq/*.md` in the order of their names, then the questions of the trade pack, unless the
 * dataset has its own and names no pack. Evidence must name ids that the vocabulary has.
 */
export async function readFaq(
  reader: Reader,
  trade: TradeVocabulary | undefined,
): Promise<FaqEntry[]> {
  const entries: FaqEntry[] = [];
  const names = (await reader.list('faq', '.md')) ?? [];
  for (const name of names) {
    const path = `faq/${name}`;
    const text = await reader.text(path);
    if (text === undefined) continue;
    checkName(reader, path, basename(name, '.md'));
    const { value, issues } = parseFrontMatter(text, reader.shown(path), faqFrontMatter);
    reader.report(issues);
    if (!value) continue;
    if (trade) checkEvidence(reader, path, value, trade.vocabulary);
    const { head, body } = value;
    if (KINDS.every((kind) => head.evidence[kind].length === 0)) {
      reader.warn(path, 'evidence', 'names nothing, so no review supports the answer');
    }
    entries.push({ id: basename(name, '.md'), ...head, answer: body });
  }
  if (!trade || (names.length > 0 && !trade.extended)) return entries;
  const own = new Set(entries.map(({ id }) => id));
  const others = trade.pack.faq.filter(({ id }) => !own.has(id));
  return [...entries, ...packQuestions(others, trade.vocabulary)];
}

/** The name of a file is the anchor of its question (HTML, the id attribute). */
function checkName(reader: Reader, path: string, id: string): void {
  const anchor = id.trim().replaceAll(/[\s"'<>&#%?]+/g, '-');
  if (anchor !== id) {
    const reason = 'must be an anchor, without spaces or quotation marks';
    reader.issue(path, 1, 'name', `${reason}: call the file ${anchor}.md`, id);
  } else if (PAGE_ANCHORS.test(id)) {
    const reason = 'is an anchor that every page has';
    reader.issue(path, 1, 'name', `${reason}: call the file ${id}-question.md`, id);
  }
}

/** Returns the questions of a pack with the evidence that the vocabulary has. */
function packQuestions(questions: TradePack['faq'], vocabulary: Vocabulary): FaqEntry[] {
  return questions.map(({ id, question, evidence }) => {
    const kept = KINDS.map((kind) => {
      const known = new Set(vocabulary[kind].map((entry) => entry.id));
      return [kind, evidence[kind].filter((wanted) => known.has(wanted))];
    });
    const found = Object.fromEntries(kept) as typeof evidence;
    return { id, question, evidence: found, claims: [], answer: null };
  });
}

function checkEvidence(
  reader: Reader,
  path: string,
  { head, positions }: { head: Pick<FaqEntry, 'evidence' | 'claims'>; positions: Positions },
  vocabulary: Vocabulary,
): void {
  const aspects = new Set(vocabulary.aspects.map(({ id }) => id));
  head.claims.forEach(({ aspect }, index) => {
    if (aspects.has(aspect)) return;
    const line = positions.lineOf(['claims', index, 'aspect']);
    reader.issue(path, line, `claims.${index}.aspect`, 'no aspect has this id', aspect);
  });
  for (const kind of KINDS) {
    const known = new Set(vocabulary[kind].map((entry) => entry.id));
    head.evidence[kind].forEach((id, index) => {
      if (known.has(id)) return;
      const line = positions.lineOf(['evidence', kind, index]);
      const field = `evidence.${kind}.${index}`;
      reader.issue(path, line, field, 'no entry of the vocabulary has this id', id);
    });
  }
}

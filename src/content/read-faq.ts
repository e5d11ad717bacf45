import { basename } from 'node:path';
import { faqFrontMatter, type FaqEntry } from '../schema/faq.ts';
import type { TradePack } from '../schema/trade.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { unknownIds, type IssueIn } from './issue.ts';
import { parseFrontMatter } from './parse.ts';
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
    const { head, body, positions } = value;
    if (trade) {
      const unknown = unknownEvidence(head, trade.vocabulary);
      reader.report(positions.locate(unknown, reader.shown(path)));
    }
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

function unknownEvidence(
  { claims, evidence }: Pick<FaqEntry, 'evidence' | 'claims'>,
  vocabulary: Vocabulary,
): IssueIn[] {
  return [
    ...unknownIds(
      vocabulary.aspects,
      claims.map(({ aspect }, at) => [['claims', at, 'aspect'], aspect]),
      'aspect',
    ),
    ...KINDS.flatMap((kind) =>
      unknownIds(
        vocabulary[kind],
        evidence[kind].map((id, at) => [['evidence', kind, at], id]),
      ),
    ),
  ];
}

import { join, resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { newestFirst } from '../../dataset/publish.ts';
import { eachConcurrently } from '../../base/each-concurrently.ts';
import { lockDataset } from '../locked-dataset.ts';
import { PolarityModel } from '../../insights/analyze/polarity-model.ts';
import { contentHash, ReviewReader, reviewWords } from '../../insights/analyze/review-reader.ts';
import {
  answerSchema,
  checkAnswer,
  describeReview,
  instructions,
  openEndpoint,
  PROMPT_VERSION,
} from '../annotation-request.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { ApiError } from '../json-api.ts';

const USAGE = `usage: npm run reviews -- annotate [options]
  --limit <n>            annotate at most n reviews, newest first
  --concurrency <n>      requests at a time (4)
  --dry-run              estimate tokens, and send nothing
Environment:
  OPENAI_BASE_URL, ANNOTATE_MODEL, and OPENAI_API_KEY if the endpoint needs a key`;

/** Characters in a token, for estimates; English has about four. */
const CHARACTERS = 4;
/** Tokens of an answer, for estimates. */
const ANSWER_TOKENS = 150;
/** Number of failures in a row that end the run: the endpoint fails, not single reviews. */
const MAX_FAILURES = 5;

/**
 * Labels reviews of content/ with a language model, behind any endpoint that is compatible with
 * OpenAI's. Each annotation is appended as soon as it is checked, so an interrupted run resumes
 * where it stopped.
 */
export const annotate: Command = async (args, print) => {
  const flags = parse(args);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  const { reviews, annotations, vocabulary, weights } = await readContent(contentDir);
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const open = reviews
    .filter((review) => review.verified && reviewWords(review) !== '')
    .filter((review) => !done.has(review.id + contentHash(review)))
    .toSorted(newestFirst)
    .slice(0, flags.limit);
  if (open.length === 0) return print('every review has an annotation');
  if (flags['dry-run']) {
    const overhead = JSON.stringify([instructions(vocabulary), answerSchema(vocabulary)]).length;
    const tokens = open
      .map((review) => (overhead + describeReview(review).length) / CHARACTERS + ANSWER_TOKENS)
      .reduce((total, each) => total + each);
    return print(`${open.length} reviews, about ${counted(tokens)}; nothing was sent`);
  }

  const endpoint = openEndpoint(process.env, vocabulary, USAGE);
  const source = `${endpoint.model} (prompt ${PROMPT_VERSION})`;
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights));
  using dataset = lockDataset(contentDir);
  const file = `annotations/${endpoint.model.replaceAll(/[^\w.-]+/g, '-')}.jsonl`;
  const counts = { written: 0, repaired: 0, refused: 0, failed: 0, tokens: 0 };
  let failuresInARow = 0;
  await eachConcurrently(open, flags.concurrency, async (review, signal) => {
    try {
      const { answer, tokens } = await endpoint.label(review, signal);
      counts.tokens += tokens;
      const checked = checkAnswer(review, answer, { source, vocabulary, reader });
      dataset.append(file, JSON.stringify(checked.annotation));
      dataset.commit();
      counts.written++;
      counts.repaired += checked.repaired;
      counts.refused += checked.refused;
      failuresInARow = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      counts.failed++;
      print(`${review.id}: ${error.message}`);
      if (++failuresInARow >= MAX_FAILURES) throw error;
    }
  });
  const { written, repaired, refused, failed, tokens } = counts;
  print(
    `${written} annotations written to ${join(contentDir, file)}; ${repaired} quotes repaired, ${refused} labels or ` +
      `quotes refused, ${failed} reviews failed${tokens > 0 ? `; ${counted(tokens)}` : ''}`,
  );
  return failed > 0 ? 1 : 0;
};

function counted(tokens: number): string {
  return `${Math.ceil(tokens).toLocaleString('en')} tokens`;
}

/** @throws {UsageError} */
function parse(args: readonly string[]) {
  const options = {
    limit: { type: 'string' },
    concurrency: { type: 'string', default: '4' },
    'dry-run': { type: 'boolean', default: false },
  } as const;
  const { values } = parseOptions(args, { options }, USAGE);
  const whole = (name: 'limit' | 'concurrency'): number => {
    const value = values[name];
    if (value === undefined) return Infinity;
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    throw new UsageError(`--${name}: must be a whole number above 0 (was ${value})`);
  };
  return {
    limit: whole('limit'),
    concurrency: Math.min(whole('concurrency'), 32),
    'dry-run': values['dry-run'],
  };
}

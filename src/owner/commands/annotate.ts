import { join, resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { newestFirst } from '../../dataset/publish.ts';
import { eachConcurrently } from '../../edition/each-concurrently.ts';
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
  type Tokens,
} from '../annotation-request.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { calendarDate } from '../../schema/primitives.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import { ApiError } from '../json-api.ts';

const USAGE = `usage: npm run reviews -- annotate [options]
  --limit <n>            annotate at most n reviews, newest first
  --since <YYYY-MM-DD>   only reviews written on or after a day
  --budget <tokens>      send no request that may exceed this many tokens in all
  --concurrency <n>      requests at a time (4)
  --price <in>,<out>     dollars for a million tokens read and written, to show costs
  --dry-run              estimate tokens, and send nothing
Environment:
  OPENAI_BASE_URL, ANNOTATE_MODEL, and OPENAI_API_KEY if the endpoint needs a key`;

/** Characters in a token, for estimates; English has about four. */
const CHARACTERS = 4;
/** Tokens of an answer, for estimates. */
const ANSWER_TOKENS = 150;
/** Number of failures in a row that end the run: the endpoint fails, not single reviews. */
const MOST_FAILURES = 5;

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
    .filter(({ date }) => flags.since === undefined || date >= flags.since)
    .filter((review) => !done.has(review.id + contentHash(review)))
    .toSorted(newestFirst)
    .slice(0, flags.limit);
  if (open.length === 0) return print('every review has an annotation');
  const overhead = JSON.stringify([instructions(vocabulary), answerSchema(vocabulary)]);
  const estimate = (review: ReviewRecord): Tokens => ({
    read: Math.ceil((overhead.length + describeReview(review).length) / CHARACTERS),
    written: ANSWER_TOKENS,
  });
  if (flags['dry-run']) {
    const total = sum(open.map(estimate));
    return print(`${open.length} reviews, about ${costOf(total, flags.price)}; nothing was sent`);
  }

  const endpoint = openEndpoint(process.env, vocabulary, USAGE);
  const source = `${endpoint.model} (prompt ${PROMPT_VERSION})`;
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights));
  using dataset = lockDataset(contentDir);
  const file = `annotations/${endpoint.model.replaceAll(/[^\w.-]+/g, '-')}.jsonl`;
  const counts = { written: 0, repaired: 0, refused: 0, failed: 0, beyondBudget: 0 };
  const used: Tokens = { read: 0, written: 0 };
  let reserved = 0;
  let failuresInARow = 0;
  await eachConcurrently(open, flags.concurrency, async (review, signal) => {
    const expected = estimate(review);
    const size = expected.read + expected.written;
    if (used.read + used.written + reserved + size > flags.budget) {
      counts.beyondBudget++;
      return;
    }
    reserved += size;
    try {
      const { answer, tokens } = await endpoint.label(review, signal);
      used.read += tokens?.read ?? expected.read;
      used.written += tokens?.written ?? expected.written;
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
      if (++failuresInARow >= MOST_FAILURES) throw error;
    } finally {
      reserved -= size;
    }
  });
  const { written, repaired, refused, failed, beyondBudget } = counts;
  print(
    `${written} annotations written to ${join(contentDir, file)}; ${repaired} quotes repaired, ${refused} labels or ` +
      `quotes refused, ${failed} reviews failed; ${costOf(used, flags.price)}`,
  );
  if (beyondBudget > 0) print(`${beyondBudget} reviews were not read, because of --budget`);
  return failed > 0 ? 1 : 0;
};

function sum(tokens: readonly Tokens[]): Tokens {
  return tokens.reduce(
    (total, { read, written }) => ({ read: total.read + read, written: total.written + written }),
    { read: 0, written: 0 },
  );
}

function costOf({ read, written }: Tokens, price: readonly number[] | undefined): string {
  const tokens = `${(read + written).toLocaleString('en')} tokens`;
  if (!price) return tokens;
  return `${tokens}, $${((read * price[0]! + written * price[1]!) / 1e6).toFixed(2)}`;
}

/** @throws {UsageError} */
function parse(args: readonly string[]) {
  const options = {
    limit: { type: 'string' },
    since: { type: 'string' },
    budget: { type: 'string' },
    concurrency: { type: 'string', default: '4' },
    price: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  } as const;
  const { values } = parseOptions(args, { options }, USAGE);
  const whole = (name: 'limit' | 'budget' | 'concurrency'): number => {
    const value = values[name];
    if (value === undefined) return Infinity;
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    throw new UsageError(`--${name}: must be a whole number above 0 (was ${value})`);
  };
  const { since } = values;
  if (since !== undefined && !calendarDate.safeParse(since).success) {
    throw new UsageError(`--since: must be a calendar day, YYYY-MM-DD (was ${since})`);
  }
  const price = values.price?.split(',').map(Number);
  if (price && (price.length !== 2 || !price.every((each) => each >= 0))) {
    throw new UsageError(`--price: must be two numbers with a comma (was ${values.price})`);
  }
  return {
    since,
    price,
    limit: whole('limit'),
    budget: whole('budget'),
    concurrency: Math.min(whole('concurrency'), 32),
    'dry-run': values['dry-run'],
  };
}

import { appendFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readContent } from '../content/read-content.ts';
import { newestFirst } from '../dataset/publish.ts';
import { eachConcurrently } from '../edition/each-concurrently.ts';
import { lockDataset } from '../import/lock.ts';
import { PolarityModel } from '../insights/analyze/polarity-model.ts';
import { contentHash, ReviewReader, wordsOf } from '../insights/analyze/review-reader.ts';
import {
  answerSchema,
  checkAnswer,
  describeReview,
  instructions,
  modelAnswer,
  PROMPT_VERSION,
  type ModelAnswer,
} from '../insights/annotation-request.ts';
import { parseOptions, UsageError, type Command } from '../run-command.ts';
import { calendarDate } from '../schema/primitives.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { Api, ApiError } from '../sync/api.ts';

const USAGE = `usage: npm run annotate [-- options]
  --limit <n>            annotate at most n reviews, newest first
  --since <YYYY-MM-DD>   only reviews written on or after a day
  --budget <tokens>      send no request that may exceed this many tokens in all
  --concurrency <n>      requests at a time (4)
  --price <in>,<out>     dollars for a million tokens read and written, to show costs
  --dry-run              estimate tokens, and send nothing
Environment:
  OPENAI_BASE_URL, ANNOTATE_MODEL, and OPENAI_API_KEY if the endpoint needs a key`;

/** A model may think for longer than an API of reviews. */
const TIMEOUT_MS = 120_000;
/** Characters in a token, for estimates; English has about four. */
const CHARACTERS = 4;
/** Tokens of an answer, for estimates. */
const ANSWER_TOKENS = 150;
/** Number of failures in a row that end the run: the endpoint fails, not single reviews. */
const MOST_FAILURES = 5;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

interface Tokens {
  read: number;
  written: number;
}

/**
 * Labels reviews of content/ with a language model, behind any endpoint that is compatible with
 * OpenAI's. Each annotation is appended as soon as it is checked, so that a run that was stopped goes
 * on where it ended.
 */
export const annotate: Command = async (args, print) => {
  const flags = parse(args);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  const { reviews, annotations, vocabulary, weights } = await readContent(contentDir);
  const done = new Set(annotations.map(({ review_id, content_hash }) => review_id + content_hash));
  const open = reviews
    .filter((review) => review.verified && wordsOf(review) !== '')
    .filter(({ date }) => flags.since === undefined || date >= flags.since)
    .filter((review) => !done.has(review.id + contentHash(review)))
    .toSorted(newestFirst)
    .slice(0, flags.limit);
  if (open.length === 0) return print('no review is without an annotation');
  const overhead = JSON.stringify([instructions(vocabulary), answerSchema(vocabulary)]);
  const estimate = (review: ReviewRecord): Tokens => ({
    read: Math.ceil((overhead.length + describeReview(review).length) / CHARACTERS),
    written: ANSWER_TOKENS,
  });
  if (flags['dry-run']) {
    const total = sum(open.map(estimate));
    return print(`${open.length} reviews, about ${costOf(total, flags.price)}; nothing was sent`);
  }

  const ask = asker(process.env, vocabulary);
  const source = `${ask.model} (prompt ${PROMPT_VERSION})`;
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights));
  using _lock = lockDataset(contentDir);
  const folder = join(contentDir, 'annotations');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${ask.model.replaceAll(/[^\w.-]+/g, '-')}.jsonl`);
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
      const { answer, tokens } = await ask.about(review, signal);
      used.read += tokens?.read ?? expected.read;
      used.written += tokens?.written ?? expected.written;
      const checked = checkAnswer(review, answer, { source, vocabulary, reader });
      appendFileSync(file, `${JSON.stringify(checked.annotation)}\n`);
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
    `${written} annotations written to ${file}; ${repaired} quotes repaired, ${refused} labels or ` +
      `quotes refused, ${failed} reviews failed; ${costOf(used, flags.price)}`,
  );
  if (beyondBudget > 0) print(`${beyondBudget} reviews are left, because of --budget`);
  return failed > 0 ? 1 : 0;
};

/** Returns a function that sends a review to the endpoint that the environment names. */
function asker(env: NodeJS.ProcessEnv, vocabulary: Vocabulary) {
  const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key, ANNOTATE_MODEL: model } = env;
  if (!base || !model) throw new UsageError(`set OPENAI_BASE_URL and ANNOTATE_MODEL\n${USAGE}`);
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? '')) {
    throw new UsageError('OPENAI_BASE_URL: must be an absolute http(s) link');
  }
  const api = new Api({ platform: 'The endpoint', secrets: key ? [key] : [], advice });
  const schema = answerSchema(vocabulary);
  const system = instructions(vocabulary);
  const about = async (review: ReviewRecord, signal: AbortSignal) => {
    const { choices, usage } = await api.json(
      `${base.replace(/\/$/, '')}/chat/completions`,
      completion,
      {
        method: 'post',
        timeout: TIMEOUT_MS,
        signal,
        headers: key ? { authorization: `Bearer ${key}` } : {},
        json: {
          model,
          temperature: 0,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: describeReview(review) },
          ],
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'annotation', strict: true, schema },
          },
        },
      },
    );
    const tokens = usage && { read: usage.prompt_tokens, written: usage.completion_tokens };
    return { answer: answerIn(choices[0]!.message.content), tokens };
  };
  return { model, about };
}

/** @throws {ApiError} if a model answered with something else than was asked for */
function answerIn(content: string): ModelAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new ApiError('The model answered with broken JSON');
  }
  const { data, error } = modelAnswer.safeParse(parsed);
  if (data) return data;
  throw new ApiError(`The model answered in another shape: ${error.issues[0]!.path.join('.')}`);
}

function advice(status: number): string | undefined {
  if (status === 401 || status === 403) return 'check OPENAI_API_KEY';
  if (status === 404) return 'check OPENAI_BASE_URL and ANNOTATE_MODEL';
  return undefined;
}

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

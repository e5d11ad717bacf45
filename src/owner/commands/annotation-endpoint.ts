import { z } from 'zod';
import {
  answerSchema,
  describeReview,
  instructions,
  modelAnswer,
  type ModelAnswer,
} from '../annotation-request.ts';
import { UsageError } from '../../run-command.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { Vocabulary } from '../../schema/vocabulary.ts';
import { ApiError, JsonApi } from '../json-api.ts';

/** A model may think for longer than an API of reviews. */
const TIMEOUT_MS = 120_000;

/** Tokens of one request. The endpoint states them, and a budget is spent by them. */
const tokens = z.int().min(0).max(10_000_000);

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish(),
});

export interface Tokens {
  read: number;
  written: number;
}

/**
 * Returns the endpoint that the environment names; `label` sends it a review.
 *
 * @throws {UsageError} if it names none
 */
export function openEndpoint(env: NodeJS.ProcessEnv, vocabulary: Vocabulary, usage: string) {
  const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key, ANNOTATE_MODEL: model } = env;
  if (!base || !model) throw new UsageError(`set OPENAI_BASE_URL and ANNOTATE_MODEL\n${usage}`);
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? '')) {
    throw new UsageError('OPENAI_BASE_URL: must be an absolute http(s) link');
  }
  const api = new JsonApi({ platform: 'The endpoint', secrets: key ? [key] : [], advice });
  const schema = answerSchema(vocabulary);
  const system = instructions(vocabulary);
  const label = async (review: ReviewRecord, signal: AbortSignal) => {
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
  return { model, label };
}

/** @throws {ApiError} if a model answered with something else than was asked for */
function answerIn(content: string): ModelAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new ApiError('The model returned invalid JSON');
  }
  const { data, error } = modelAnswer.safeParse(parsed);
  if (data) return data;
  throw new ApiError(`The model returned an unexpected shape: ${error.issues[0]!.path.join('.')}`);
}

function advice(status: number): string | undefined {
  if (status === 401 || status === 403) return 'check OPENAI_API_KEY';
  if (status === 404) return 'check OPENAI_BASE_URL and ANNOTATE_MODEL';
  return undefined;
}

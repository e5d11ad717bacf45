import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { QUESTIONS } from '../exam/questions.ts';
import { readPublished, sampleEdition } from '../support/edition.ts';
import { ask, doorOf } from '../support/mcp.ts';
import { SLOW } from '../support/slow.ts';
import { sampleApp } from '../support/targets.ts';

/** Bytes of text in a token, on average. */
const TOKEN_BYTES = 4;

const door = doorOf(await sampleApp());
const published = await readPublished(await sampleEdition());

describe('the exam', SLOW, () => {
  test('has 60 different questions', () => {
    assert.equal(new Set(QUESTIONS.map(({ text }) => text)).size, 60);
    assert.equal(QUESTIONS.length, 60);
  });

  for (const { text, plan, truth, budget } of QUESTIONS) {
    test(text, async () => {
      const used = { calls: 0, tokens: 0 };
      const answer = await plan(async (name, args) => {
        const result = await ask(door, 'tools/call', { name, arguments: args });
        assert.equal(result.isError, undefined, result.content[0].text);
        used.calls++;
        used.tokens += Math.ceil(Buffer.byteLength(result.content[0].text) / TOKEN_BYTES);
        return result.structuredContent;
      });
      const expected = truth(published);
      assertAnswers(answer, expected);
      assert.ok(used.calls <= budget.calls, `${used.calls} calls`);
      assert.ok(used.tokens <= budget.tokens, `${used.tokens} tokens`);
    });
  }
});

/** A truth is a value, or a check of every quote. */
function assertAnswers(answer: unknown, expected: unknown): void {
  if (typeof expected !== 'object' || expected === null || !('everyQuote' in expected)) {
    assert.deepEqual(answer, expected);
    return;
  }
  const quotes = answer as { quote: string }[];
  assert.ok(quotes.length > 0);
  const { everyQuote } = expected as { everyQuote: (quote: object) => boolean };
  for (const quote of quotes) assert.ok(everyQuote(quote), quote.quote);
}

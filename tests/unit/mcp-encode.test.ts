import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeResult,
  EscapedReviews,
  jsonAnswer,
  reviewAnswer,
  reviewsAnswer,
  type EncodedResult,
} from '../../sidecar/mcp/encode.ts';
import { reviewLine } from '../../src/dataset/document.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const HARD = [
  'plain',
  'quotes " and \\ backslashes \\"',
  'line\nbreak, tab\t, bell\u0007, null\u0000',
  'separators \u2028 \u2029, ümlaut, 家, 😀, \ud800',
  '</script> \\u0041 \\\\',
  '"'.repeat(500),
];
const reviews = HARD.map((text, number) => review({ id: ulidOf(number), text }));
const lines = linesOf(reviews);

function resultOf(answer: EncodedResult, id: string | number = 1) {
  const reply = JSON.parse(encodeResult(id, answer).toString());
  assert.deepEqual(Object.keys(reply), ['jsonrpc', 'id', 'result']);
  assert.equal(reply.id, id);
  return reply.result;
}

test('whatever a review says, text and structured content are the same JSON', () => {
  for (const positions of [[], [0], [5, 0, 3], [0, 1, 2, 3, 4, 5]]) {
    const answer = reviewsAnswer({ odd: 'a "b" \\ ü' }, 'reviews', lines, positions);
    const { content, structuredContent } = resultOf(answer, 'id "1"');
    const expected = JSON.parse(
      JSON.stringify({ odd: 'a "b" \\ ü', reviews: positions.map((at) => reviews[at]) }),
    );
    assert.deepEqual(structuredContent, expected);
    assert.equal(content.length, 1);
    assert.equal(content[0].text, JSON.stringify(structuredContent));
  }
});

test('one review, and an answer without any, are written the same way', () => {
  const one = resultOf(reviewAnswer('review', lines, 3));
  assert.deepEqual(one.structuredContent, JSON.parse(`{"review":${reviewLine(lines, 3)}}`));
  assert.equal(one.content[0].text, JSON.stringify(one.structuredContent));
  const plain = resultOf(jsonAnswer({ summary: HARD.join() }));
  assert.equal(plain.content[0].text, JSON.stringify(plain.structuredContent));
});

test('additions stand before the members of a result', () => {
  const reply = encodeResult(1, jsonAnswer({ a: 1 }), { resultType: 'complete' });
  const { result } = JSON.parse(reply.toString());
  assert.deepEqual(Object.keys(result), ['resultType', 'content', 'structuredContent']);
  const own = JSON.parse(encodeResult(1, { resultType: 'own' }, { resultType: 'x' }).toString());
  assert.deepEqual(own.result, { resultType: 'own' });
});

test('a review is escaped the same way before and after the cache was full', () => {
  const long = 'a "word" '.repeat(20_000);
  const many = Array.from({ length: 60 }, (_, number) =>
    review({ id: ulidOf(number), text: `${number} ${long}` }),
  );
  const manyLines = linesOf(many);
  const escaped = new EscapedReviews(manyLines);
  const all = many.map((_, position) => position);
  for (const position of [3, 3, 4, ...all, 3, ...all, 59, 0]) {
    const text = reviewLine(manyLines, position).toString();
    assert.equal(`"${escaped.get(position)}"`, JSON.stringify(text));
  }
});

test('escaped reviews are kept, up to 8 MiB together', () => {
  const text = '"'.repeat(500_000); // 2 MB escaped twice
  const lines = linesOf(Array.from({ length: 5 }, (_, id) => review({ id: ulidOf(id), text })));
  const escaped = new EscapedReviews(lines);
  const first = escaped.get(0);
  for (const position of [1, 2, 3]) escaped.get(position);
  assert.equal(escaped.get(0), first);
  escaped.get(4);
  assert.notEqual(escaped.get(0), first);
});

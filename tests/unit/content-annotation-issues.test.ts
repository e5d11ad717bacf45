import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf } from '../support/content-folder.ts';

const FILE = 'annotations/people.jsonl';
const line = (fields: object) =>
  `${JSON.stringify({
    review_id: '01KRJ4T2M8QWERTY0123456789',
    content_hash: '0123456789abcdef',
    source: 'a person',
    ...fields,
  })}\n`;

test('an annotation of an unknown review is named with its line', async (context) => {
  const found = await issuesOf(context, { [FILE]: line({}) });
  assert.deepEqual(found, [
    `content/${FILE}:1: review_id: no review has this id (was "01KRJ4T2M8QWERTY0123456789")`,
  ]);
});

test('every id that no vocabulary has is named', async (context) => {
  const found = await issuesOf(context, {
    [FILE]: line({
      technicians: ['nobody'],
      aspects: [{ id: 'karma', sentiment: 'positive', quote: null }],
    }),
  });
  for (const field of ['technicians.0', 'aspects.0']) {
    assert.ok(found.some((issue) => issue.includes(`:1: ${field}: no entry of the vocabulary`)));
  }
});

test('an entry that is named twice is refused: a review would count twice', async (context) => {
  const label = { id: 'pricing', sentiment: 'positive', quote: null };
  const found = await issuesOf(context, {
    [FILE]: line({ aspects: [label, label], problems: ['lateness', 'lateness'] }),
  });
  for (const field of ['aspects', 'problems']) {
    assert.ok(found.some((issue) => issue.includes(`:1: ${field}: names one twice`)));
  }
});

test('a hash or a polarity that cannot be is refused', async (context) => {
  const found = await issuesOf(context, {
    [FILE]: line({ content_hash: 'x', aspects: [{ id: 'karma', sentiment: 'good', quote: null }] }),
  });
  assert.ok(found.some((issue) => issue.includes(':1: content_hash: must be the content_hash')));
  assert.ok(found.some((issue) => issue.includes(':1: aspects.0.sentiment: must be one of')));
});

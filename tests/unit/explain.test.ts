import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PolarityModel } from '../../src/insights/analyze/polarity-model.ts';
import { explainReview } from '../../src/owner/commands/explain.ts';
import { vocabulary } from '../support/engine.ts';
import { record } from '../support/reviews.ts';

const words = vocabulary({
  aspects: [{ id: 'pricing', label: 'Pricing', terms: ['price'] }],
  services: [{ id: 'drains', label: 'Drain cleaning', aliases: [] }],
});
const model = new PolarityModel('bias\t0\t0\t0\nw:fair\t-10\t0\t40\nw:! fair\t50\t0\t-50\n');
const explain = (text: string) =>
  explainReview(record({ text, rating: 4 }), words, model).join('\n');

test('an explanation names what was found, and what decided how strongly', () => {
  const lines = explain('Drain cleaning. The price was not fair.');
  assert.match(lines, /^services: drains$/m);
  assert.match(lines, /^pricing: neutral \(score -0\.\d\d\)$/m);
  assert.match(lines, /^ {2}named by: "price"$/m);
  assert.match(lines, /^ {2}opinions: "not … fair" -\d\.\d\d × 1\.00; the rules alone: -0\.\d\d$/m);
  assert.match(lines, /^ {2}stars: \+0\.50$/m);
});

test('an explanation says that no aspect was found', () => {
  assert.match(explain('Hello.'), /no aspect found$/);
});

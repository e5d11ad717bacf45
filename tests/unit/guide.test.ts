import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { abridge, excerpt, layOut } from '../../src/resources/examples.ts';
import { fieldType } from '../../src/developers/fields.ts';

test('an abridged answer marks the places where it leaves something out', () => {
  const records = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`r${at}`, { at }]));
  assert.deepEqual(abridge({ words: ['a', 'b', 'c', 'd'], empty: [], none: null, records }), {
    words: ['a', 'b', 'c', '… 1 more'],
    empty: [],
    none: null,
    records: { r0: { at: 0 }, '…': '… 19 more' },
  });
  assert.equal((abridge('x'.repeat(200)) as string).length, 161);
});

test('an excerpt ends in … only where there is more', () => {
  assert.equal(excerpt('a\nb\nc\n', 2), 'a\nb\n…');
  assert.equal(excerpt('a\nb\n', 2), 'a\nb');
});

test('laid out, a value stays the value, and lines stay short where they can', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(JSON.stringify(JSON.parse(layOut(value))), JSON.stringify(value));
    }),
  );
  const lines = layOut({ a: ['word '.repeat(9), 'word '.repeat(9)], b: { c: 1 } }).split('\n');
  assert.ok(lines.length > 3 && lines.every((line) => line.length <= 76));
});

test('a field of another schema is described by its name', () => {
  const text = (field: Parameters<typeof fieldType>[0]) => {
    const { before, name = '', after } = fieldType(field);
    return before + name + after;
  };
  const review = { $ref: '#/components/schemas/Review' };
  assert.equal(text({ type: 'array', items: review }), 'list of Review');
  assert.equal(text({ anyOf: [review, { type: 'null' }] }), 'Review or null');
  assert.equal(text({ additionalProperties: {}, propertyNames: {} }), 'object');
});

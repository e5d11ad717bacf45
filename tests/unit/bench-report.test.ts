import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table, type Row } from '../bench/report.ts';

const row = (work: string, ratio: number | undefined): Row => ({
  work,
  against: 'nginx',
  ratio,
  goal: { is: 'least', value: 0.4 },
  note: '',
});

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

test('the ratio of the last release is beside that of the same work', () => {
  const last = [row('304', 0.5), row('brotli', undefined)];
  const lines = table([row('brotli', 0.3), row('304', 0.45), row('new', 1)], last).split('\n');
  assert.deepEqual(
    lines
      .map(cellsOf)
      .map((cells) => cells.slice(1, 7))
      .toSpliced(1, 1),
    [
      ['work', 'against', 'ratio', 'last', 'goal', 'met'],
      ['brotli', 'nginx', '0.30', '–', '≥ 0.40', 'no'],
      ['304', 'nginx', '0.45', '0.50', '≥ 0.40', 'yes'],
      ['new', 'nginx', '1.00', '–', '≥ 0.40', 'yes'],
    ],
  );
});

test('without a last release there is no column for it', () => {
  const [head] = table([row('304', 0.45)]).split('\n');
  assert.ok(!cellsOf(head!).includes('last'));
});

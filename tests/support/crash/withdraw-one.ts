import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataset } from '../../../src/owner/locked-dataset.ts';

// Writes a dataset as `import --withdraw` does, without loading what reads exports:
// withdraw-one.ts FOLDER

const folder = process.argv[2]!;
using dataset = lockDataset(folder);
const reviews = readFileSync(join(folder, 'reviews/2024.jsonl'), 'utf8');
if (reviews.includes('"gone"')) {
  dataset.replace('reviews/2024.jsonl', reviews.replace('{"id":"gone"}\n', ''));
  dataset.replace('reviews/2023.jsonl', '');
  dataset.append('withdrawn.jsonl', '{"id":"gone"}');
  dataset.append('withdrawn.jsonl', '{"id":"old"}');
  dataset.append('journal/2026.jsonl', '{"seq":1}');
  dataset.commit();
}

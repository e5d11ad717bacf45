import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../../support/fixtures.ts';
import { committedSets, mamsSets, nouns } from './sets.ts';
import { train } from './train.ts';

// npx node tests/bench/insights/train/main.ts [--external FOLDER]
//   --external  a folder with absa/mams_acsa_train.xml and absa/mams_atsa_train.xml
// With MAMS it writes the weights of the engine; without, it tells the digest of the small model that a
// test trains again.

const FILE = 'src/insights/polarity-weights.tsv';
const { external } = parseArgs({ options: { external: { type: 'string' } } }).values;
const mams = external === undefined ? [] : mamsSets(join(external, 'absa'));
const table = train([...mams, ...(await committedSets())], await nouns());
if (external !== undefined) await writeFile(join(ROOT, FILE), table);
console.log(`${table.split('\n').length - 2} features, ${Buffer.byteLength(table)} bytes`);
console.log(`SHA-256 ${createHash('sha256').update(table).digest('hex')}`);

import { vocabularyFiles } from '../schema/vocabulary.ts';
import { JOURNAL_FILE } from './read-journal.ts';
import type { Reader } from './reader.ts';

const FOLDERS = ['annotations', 'faq', 'journal', 'reviews', 'vocabulary'];
const FILES = [
  'business.json',
  'imports.jsonl',
  'logo.png',
  'logo.svg',
  'summary.md',
  'withdrawn.jsonl',
];
const VOCABULARY = [...Object.keys(vocabularyFiles), 'lexicon', 'trade'].map(
  (name) => `${name}.json`,
);

/** Folders whose files must have certain names, and the rule as a warning has it. */
const RULES: [folder: string, isRead: (name: string) => boolean, rule: string][] = [
  ['faq', (name) => name.endsWith('.md'), 'its name must end with .md'],
  ['annotations', (name) => name.endsWith('.jsonl'), 'its name must end with .jsonl'],
  ['journal', (name) => JOURNAL_FILE.test(name), 'its name must be a year and .jsonl'],
  ['vocabulary', (name) => VOCABULARY.includes(name), `the names are ${VOCABULARY.join(', ')}`],
];

/** Warns of files that look as if they belonged to the dataset, and that nothing reads. */
export async function warnOfStrayFiles(reader: Reader): Promise<void> {
  for (const name of await reader.namesIn('')) {
    if (FOLDERS.includes(name) || FILES.includes(name)) continue;
    const meant = [...FOLDERS, ...FILES].find((known) => plain(known) === plain(name));
    if (meant) reader.warn(name, '', `is not read: did you mean ${meant}?`);
    else {
      for (const inside of await reader.namesIn(name)) {
        if (!inside.endsWith('.jsonl')) continue;
        reader.warn(`${name}/${inside}`, '', 'is not read: reviews belong in reviews/');
      }
    }
  }
  for (const [folder, isRead, rule] of RULES) {
    for (const name of await reader.namesIn(folder)) {
      if (!isRead(name)) reader.warn(`${folder}/${name}`, '', `is not read: ${rule}`);
    }
  }
}

/** Leaves out case and number: `Reviews` and `review` are meant to be `reviews`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/s(?=\.|$)/, '');
}

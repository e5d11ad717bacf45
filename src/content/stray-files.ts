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

/** Warns of files that look as if they belonged to the dataset, and that nothing reads. */
export async function warnOfStrayFiles(reader: Reader): Promise<void> {
  for (const name of await shownIn(reader, '')) {
    if (FOLDERS.includes(name) || FILES.includes(name)) continue;
    const meant = [...FOLDERS, ...FILES].find((known) => plain(known) === plain(name));
    if (meant) reader.warn(name, '', `is not read: did you mean ${meant}?`);
    else if (await reader.isFolder(name)) {
      for (const inside of await shownIn(reader, name)) {
        if (!inside.endsWith('.jsonl')) continue;
        reader.warn(`${name}/${inside}`, '', 'is not read: reviews belong in reviews/');
      }
    }
  }
  for (const [folder, pattern, rule] of [
    ['faq', /\.md$/, 'end with .md'],
    ['annotations', /\.jsonl$/, 'end with .jsonl'],
    ['journal', JOURNAL_FILE, 'be a year and .jsonl'],
  ] as const) {
    for (const name of await shownIn(reader, folder)) {
      if (pattern.test(name)) continue;
      reader.warn(`${folder}/${name}`, '', `is not read: its name must ${rule}`);
    }
  }
  for (const name of await shownIn(reader, 'vocabulary')) {
    if (VOCABULARY.includes(name)) continue;
    reader.warn(`vocabulary/${name}`, '', `is not read: the names are ${VOCABULARY.join(', ')}`);
  }
}

/** Folders that cannot be read are issues already. */
async function shownIn(reader: Reader, folder: string): Promise<string[]> {
  return (await reader.namesIn(folder)).filter((name) => !name.startsWith('.'));
}

/** Leaves out case and number: `Reviews` and `review` are meant to be `reviews`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/s(?=\.|$)/, '');
}

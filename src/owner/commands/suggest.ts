import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readContent } from '../../content/read-content.ts';
import { describeGaps, findGaps } from '../../insights/suggest-words.ts';
import { suggestNames } from '../suggest-names.ts';
import { parseOptions, type Command } from '../../run-command.ts';
import { oneLine } from '../../schema/invisible.ts';
import { accept, type Suggestion } from './accept-suggestions.ts';

const USAGE = `usage: npm run suggest -- [--accept NUMBER,NUMBER=ASPECT,…]
  Lists what reviews mention and the vocabulary lacks; adds nothing by itself.
  --accept  adds these to the dataset; a word beside opinions needs the id of its aspect: 4=price`;

const EXAMPLE_CHARACTERS = 90;

/**
 * Lists words beside opinions and names of people that reviews use and the vocabulary lacks, each
 * with a number. Adds those that a person accepts, by flag or at the terminal.
 */
export const suggest: Command = async (args, print) => {
  const given = parse(args);
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const content = await readContent(folder);
  const published = content.reviews.filter(({ verified }) => verified);
  const gaps = findGaps(published, content.vocabulary, content.business.name);
  const suggestions: Suggestion[] = [
    ...suggestNames(published, content.vocabulary).map((name) => ({ isName: true, ...name })),
    ...gaps.words.map((word) => ({ isName: false, ...word })),
  ];
  print(describeGaps(gaps));
  for (const [index, { isName, text, reviews, example }] of suggestions.entries()) {
    const kind = isName ? 'person' : 'word beside opinions';
    const shown = oneLine(example).slice(0, EXAMPLE_CHARACTERS).toWellFormed();
    print(`${index + 1}. ${kind} ${oneLine(text)}: ${reviews} reviews, "${shown}"`);
  }
  if (suggestions.length === 0) return print('Nothing to suggest.');
  const wanted = given ?? (await ask(content.vocabulary.aspects.map(({ id }) => id)));
  if (wanted === '')
    return print('Nothing was added. To add some: npm run suggest -- --accept 1,4=price');
  for (const line of await accept(folder, content, suggestions, wanted)) print(line);
};

function parse(args: readonly string[]): string | undefined {
  return parseOptions(args, { options: { accept: { type: 'string' } } }, USAGE).values.accept;
}

/** Asks which to add; where there is no terminal, none. */
async function ask(aspects: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return '';
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `Aspects: ${aspects.join(', ')}\nAdd which, e.g. 1,4=${aspects[0]}? `;
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

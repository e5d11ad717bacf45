import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readContent } from '../../content/read-content.ts';
import { describeGaps, findGaps } from '../../insights/suggest-words.ts';
import { suggestAliases } from '../suggest-names.ts';
import { parseOptions, type Command } from '../../run-command.ts';
import { oneLine } from '../../schema/invisible.ts';
import { accept, type VocabularySuggestion } from './accept-suggestions.ts';

const USAGE = `usage: npm run suggest -- [--accept NUMBER,NUMBER=ASPECT,…]
  Lists what reviews mention and the vocabulary lacks; adds nothing by itself.
  --accept  adds these to the dataset; a word beside opinions needs the id of its aspect: 4=price`;

const EXAMPLE_CHARACTERS = 90;

/**
 * Lists names, services, areas, links and words that reviews use and the dataset lacks, each with a
 * number. Adds those that a person accepts, by flag or at the terminal.
 */
export const suggest: Command = async (args, print) => {
  const given = parse(args);
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const content = await readContent(folder);
  const published = content.reviews.filter(({ verified }) => verified);
  const gaps = findGaps(published, content.vocabulary, content.business.name);
  const suggestions: VocabularySuggestion[] = [
    ...names(suggestAliases(published, content.vocabulary)),
    ...gaps.words.map((missing) => ({ kind: 'word' as const, ...missing })),
    ...gaps.services.map((missing) => ({ kind: 'service' as const, ...missing })),
    ...gaps.areas.map((missing) => ({ kind: 'area' as const, ...missing })),
    ...links(content.business, published),
  ];
  print(describeGaps(gaps));
  for (const [index, { kind, text, reviews, example, like }] of suggestions.entries()) {
    const counted = reviews === 1 ? '1 review' : `${reviews} reviews`;
    const nearest = like ? `, like ${like.name}` : '';
    const shown = oneLine(example).slice(0, EXAMPLE_CHARACTERS).toWellFormed();
    print(`${index + 1}. ${HEADINGS[kind]} ${oneLine(text)}${nearest}: ${counted}, "${shown}"`);
  }
  if (suggestions.length === 0) return print('Nothing to suggest.');
  const wanted = given ?? (await ask(content.vocabulary.aspects.map(({ id }) => id)));
  if (wanted === '')
    return print('Nothing was added. To add some: npm run suggest -- --accept 1,4=price');
  for (const line of await accept(folder, content, suggestions, wanted)) print(line);
};

const HEADINGS: Record<VocabularySuggestion['kind'], string> = {
  person: 'person',
  word: 'word beside opinions',
  service: 'service',
  area: 'area',
  link: 'link',
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

/** Groups the places of a name. */
function names(found: ReturnType<typeof suggestAliases>): VocabularySuggestion[] {
  return [...Map.groupBy(found, ({ name }) => name)]
    .map(([text, places]) => ({
      kind: 'person' as const,
      text,
      reviews: new Set(places.map(({ review_id }) => review_id)).size,
      example: places[0]!.words,
      like: places[0]!.nearest ?? undefined,
    }))
    .sort((a, b) => b.reviews - a.reviews);
}

/** Returns the page of the business on each platform, if the links of all its reviews share it. */
function links(
  { same_as: known }: { same_as: readonly string[] },
  reviews: readonly { source: string; source_url?: string | null | undefined }[],
): VocabularySuggestion[] {
  const linked = reviews.filter(({ source_url }) => source_url != null);
  return [...Map.groupBy(linked, ({ source }) => source)].flatMap(([, group]) => {
    const pages = new Set(group.map(({ source_url }) => source_url!.replace(/[?#].*$/s, '')));
    const [text] = pages;
    if (text === undefined || pages.size > 1 || group.length < 2 || known.includes(text)) return [];
    const example = group[0]!.source_url!;
    return [{ kind: 'link' as const, text, reviews: group.length, example }];
  });
}

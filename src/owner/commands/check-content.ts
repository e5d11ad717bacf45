import { resolve } from 'node:path';
import { buildPublication } from '../../build/publication.ts';
import { readContent } from '../../content/read-content.ts';
import { addressesMachine } from '../../search/machine-readers.ts';
import type { Command } from '../../run-command.ts';
import { equalTexts } from '../same-words.ts';

/** Any address will do: no link that is checked depends on it. */
const ORIGIN = 'https://reviews.example';

/** Names the issues and warnings of content/, or of the folder that CONTENT_DIR names. */
export const checkContent: Command = async (_, print) => {
  let warnings = 0;
  const warn = (warning: string): void => {
    warnings++;
    print(`warning: ${warning}`);
  };
  const content = await readContent(resolve(process.env.CONTENT_DIR || 'content'), {
    today: new Date().toISOString().slice(0, 10),
    warn,
  });
  for (const warning of buildPublication(content, ORIGIN).warnings) warn(warning);
  for (const { id, author, title, text } of content.reviews) {
    if (addressesMachine([author, title, text].join('\n')))
      warn(`review ${id}: seems to address a machine instead of people, and is published as it is`);
  }
  for (const alike of equalTexts(content.reviews)) {
    const places = alike.map(({ id, source, date }) => `${id} (${source}, ${date})`);
    warn(`reviews ${places.join(' and ')}: have the same text, and all are published`);
  }
  print(
    `${content.reviews.length} reviews, no issues, ${warnings} warning${warnings === 1 ? '' : 's'}`,
  );
};

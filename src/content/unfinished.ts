import type { Reader } from './reader.ts';

/**
 * The file in content/ that lists what a command is about to replace. It is gone once all is in place;
 * git does not ignore it, so that an interrupted write is not published from another machine either.
 */
export const UNFINISHED = '.unfinished.json';

/** Reports a dataset that has some files of before a command, and some of after it. */
export async function reportUnfinished(reader: Reader): Promise<void> {
  const list = await reader.bytes(UNFINISHED, { optional: true });
  if (list) reader.issue(UNFINISHED, 0, '', INTERRUPTED);
}

const INTERRUPTED =
  'an import or another command was stopped while it wrote, so the reviews are incomplete: run it ' +
  'again, or npm run reviews -- record, which completes it';

import { Chain } from '../journal/chain.ts';
import { journalEntry, type JournalEntry } from '../schema/journal.ts';
import { parseJsonLines } from './parse.ts';
import type { Reader } from './reader.ts';

const CONFLICT = /^(<{7}|>{7})( |$)/m;

/**
 * Reads `journal/<year>.jsonl`. Every entry depends on the one before, so only the first one that
 * does not fit is reported.
 *
 * @returns its entries, oldest first, and the chain they make; without entries if there is none
 */
export async function readJournal(reader: Reader) {
  const chain = new Chain();
  const entries: JournalEntry[] = [];
  let isWhole = true;
  for (const name of (await reader.list('journal', '.jsonl')) ?? []) {
    const path = `journal/${name}`;
    const text = (await reader.text(path)) ?? '';
    const conflict = CONFLICT.exec(text);
    if (conflict) {
      const line = text.slice(0, conflict.index).split('\n').length;
      reader.issue(path, line, '', CONFLICTED);
      isWhole = false;
      continue;
    }
    const { lines, issues } = parseJsonLines(text, reader.shown(path), journalEntry);
    reader.report(issues);
    isWhole &&= issues.length === 0;
    for (const { line, value } of lines) {
      if (!isWhole) break;
      const issue = chain.add(value);
      const year = value.at.slice(0, 4);
      if (issue) reader.issue(path, line, issue.field, issue.reason, value[issue.field]);
      else if (`${year}.jsonl` !== name) {
        reader.issue(path, line, 'at', `belongs in journal/${year}.jsonl`, value.at);
      }
      isWhole = issue === undefined;
      entries.push(value);
    }
  }
  return { entries, chain };
}

const CONFLICTED =
  'is where git could not merge the changes of two branches. Keep the lines of the one that was ' +
  'published, delete those of the other, and run npm run reviews -- record';

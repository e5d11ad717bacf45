import { Chain } from '../journal/chain.ts';
import { journalEntry, type JournalEntry } from '../schema/journal.ts';
import type { Reader } from './reader.ts';

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
    const found = reader.issues.length;
    const lines = await reader.jsonLines(path, journalEntry);
    isWhole &&= reader.issues.length === found;
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

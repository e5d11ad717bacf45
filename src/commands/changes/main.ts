import { loadSnapshot } from './load-snapshot.ts';
import { changesAsMarkdown } from './markdown.ts';

const USAGE = 'usage: npm run changes -- <old> [new]: a reviews.json, a commit or a content folder';

try {
  const [before, after = 'content'] = process.argv.slice(2);
  if (!before) throw new Error(USAGE);
  process.stdout.write(changesAsMarkdown(await loadSnapshot(before), await loadSnapshot(after)));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

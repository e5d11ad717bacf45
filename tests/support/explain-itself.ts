import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Prints the comment at the top of a program, which says how it is called, and ends, if that is `--help`. */
export function explainItself(url: string): void {
  if (!process.argv.includes('--help')) return;
  const [comment] = /(?:^\/\/ .*\n)+/m.exec(readFileSync(fileURLToPath(url), 'utf8'))!;
  console.log(comment.replaceAll(/^\/\/ /gm, '').trim());
  process.exit();
}

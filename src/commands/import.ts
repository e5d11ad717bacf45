import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseMap } from '../import/field-map.ts';
import { importFiles } from '../import/import-files.ts';
import type { GuessedTable } from '../import/choose-reading.ts';
import type { DateOrder } from '../import/values.ts';
import { parseOptions, UsageError, type Command } from '../run-command.ts';
import { printRows, reportOf } from './import-report.ts';
import { ProgressBar } from './progress-bar.ts';

const USAGE = `usage: npm run import -- FILE… [options]
  FILE                  an export: Google Takeout (.zip or reviews.json), Trustpilot CSV, crawler
                        JSON, Yelp or Facebook JSON, reviews.json, or any CSV, JSON or JSONL
  --source NAME         the platform, where the file does not tell: google, trustpilot, …
  --map FIELD=COLUMN,…  which column is which: rating, date, text, title, author, id, language,
                        url, source, reply, reply_date, updated; a+b joins two columns
  --scale N             the best rating, if it is not 5
  --dates dmy|mdy       the order in dates such as 03/04/2025
  --encoding NAME       of files that are not UTF-8 or UTF-16, e.g. windows-1252
  --language TAG        of texts too short to tell (en)
  --verification TEXT   what made sure that reviews are real; published with them
  --withdraw            turn reviews that a full export no longer has into tombstones
  --yes                 accept the guessed columns
  --rows                list every row and what became of it
  --dry-run             report, and write nothing`;

/** Brings reviews from export files into content/, or into the folder that CONTENT_DIR names. */
export const importReviews: Command = async (args, print) => {
  const { values, positionals } = parse(args);
  if (positionals.length === 0) throw new UsageError(USAGE);
  if (values.dates !== undefined && values.dates !== 'dmy' && values.dates !== 'mdy') {
    throw new UsageError('--dates: must be dmy or mdy');
  }
  const scale = values.scale === undefined ? undefined : Number(values.scale);
  if (scale !== undefined && !(scale > 0))
    throw new UsageError('--scale: must be a number above 0');
  const progress = new ProgressBar(process.stderr);
  const result = await importFiles(positionals, {
    contentDir: resolve(process.env.CONTENT_DIR || 'content'),
    now: `${new Date().toISOString().slice(0, 19)}Z`,
    source: values.source,
    map: values.map === undefined ? undefined : parseMap(values.map),
    scale,
    dateOrder: values.dates as DateOrder | undefined,
    encoding: values.encoding,
    language: values.language,
    verification: values.verification,
    withdraw: values.withdraw,
    dryRun: values['dry-run'],
    accept: (guess) => (values.yes ? Promise.resolve(true) : ask(guess)),
    onRow: printRows(print, values.rows),
    onProgress: progress.show,
  }).finally(progress.clear);
  for (const line of reportOf(result, values)) print(line);
};

function parse(args: readonly string[]) {
  return parseOptions(
    args,
    {
      allowPositionals: true,
      options: {
        source: { type: 'string' },
        map: { type: 'string' },
        scale: { type: 'string' },
        dates: { type: 'string' },
        encoding: { type: 'string' },
        language: { type: 'string' },
        verification: { type: 'string' },
        withdraw: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        rows: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    },
    USAGE,
  );
}

/** Asks at the terminal; without a terminal, the guess is not accepted. */
async function ask({ name, fields, scale, rows }: GuessedTable): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const columns = Object.entries(fields).map(([field, [column]]) => `  ${field}: ${column}`);
    const example = JSON.stringify(rows[0])?.slice(0, 400);
    const answer = await terminal.question(
      `${name} is in no known format. These columns look right:\n${columns.join('\n')}\n` +
        `  ratings are out of ${scale}\nIts first row: ${example}\n` +
        `Import it like this? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseMap } from '../import/field-map.ts';
import { importFiles } from '../import/import-files.ts';
import type { DateOrder } from '../import/values.ts';
import { escapeInvisible } from '../../schema/invisible.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { reportOf, writeRejected } from './import-report.ts';
import { WITHDRAW_FLAGS, withdrawalOf } from './withdraw-flags.ts';

const USAGE = `usage: npm run import -- FILE… [options]
  FILE                  an export: of Google, Trustpilot, Booking.com or another platform, of a
                        tool that collects reviews, or any CSV, .xlsx, JSON or JSONL
  --source NAME         the platform, where the file does not tell: google, trustpilot, …
  --map FIELD=COLUMN,…  which column is which: rating, date, text, title, author, id, language,
                        url, source, reply, reply_date, updated, and recommended where there are no
                        stars but yes and no; a+b joins two columns, a|b is the first with a value
  --scale N             the best rating, if it is not 5
  --dates dmy|mdy       the order in dates such as 03/04/2025
  --encoding NAME       of files that are not UTF-8 or UTF-16, e.g. windows-1252
  --language TAG        of texts too short to tell (en)
  --verification TEXT   what made sure that reviews are real; published with them
  --withdraw            turn reviews that a full export no longer has into tombstones
  --withdraw-exactly N  the same for more than 5 % of a platform's reviews, whose number you know
  --yes                 accept guessed columns, unless the rows show that they are wrong
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
    withdraw: withdrawalOf(values),
    dryRun: values['dry-run'],
    accept: (preview) => (values.yes ? Promise.resolve(true) : ask(preview)),
  });
  for (const line of reportOf(result, values)) print(line);
  for (const [index, { rejected }] of result.files.entries()) {
    if (rejected.length === 0 || values['dry-run']) continue;
    print(`Rows to correct and import again: ${writeRejected(positionals[index]!, rejected)}`);
  }
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
        ...WITHDRAW_FLAGS,
        yes: { type: 'boolean', default: false },
        rows: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    },
    USAGE,
  );
}

/** Asks at the terminal; without a terminal, the guess is not accepted. */
async function ask(preview: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const lines = preview.map((line) => `${escapeInvisible(line)}\n`);
    const answer = await terminal.question(`${lines.join('')}Import it like this? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

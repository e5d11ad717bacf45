import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { withAnswer, type Answers } from '../import/answers.ts';
import { parseMap, type FieldMap } from '../import/field-map.ts';
import { importFiles } from '../import/import-files.ts';
import { DATE_ORDERS } from '../import/dates.ts';
import { escapeInvisible } from '../../schema/invisible.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { reportOf, writeRejected } from './import-report.ts';
import { WITHDRAW_FLAGS, withdrawalOf } from './withdraw-flags.ts';

const USAGE = `usage: npm run import -- FILE… [options]
  FILE                  an export: of Google, Trustpilot, Booking.com or another platform, of a
                        tool that collects reviews, or any CSV, .xlsx, JSON, JSONL, XML
                        or page with a table
  --source NAME         the platform, where the file does not tell: google, trustpilot, …
  --map FIELD=COLUMN,…  which column is which: rating, date, text, title, author, id, language,
                        url, source, reply, reply_date, updated, and recommended where there are no
                        stars but yes and no; a+b joins two columns, a|b is the first with a value
  --keep COLUMN         a column that becomes a filter and a group, and is published; may be repeated
  --scale N             the best rating, if neither the platform nor the file tells it; 0-10 if 0 is
                        the worst one
  --place NAME          the place that is this business, where a file has several; may be repeated
  --shown COLUMN=A,B    the values of a column of states whose reviews are shown; * for all
  --dates dmy|mdy|ymd   the order in dates such as 03/04/2025 and 25-04-03
  --encoding NAME       of files that are not UTF-8 or UTF-16, e.g. windows-1252
  --language TAG        of texts too short to tell (that of the pages)
  --verification TEXT   what made sure that reviews are real; published with them
  --withdraw            turn reviews that a full export no longer has into tombstones
  --withdraw-exactly N  the same for more than 5 % of a platform's reviews, whose number you know
  --yes                 accept guessed columns, unless the rows show that they are wrong
  --rows                list every row and what became of it
  --explain             say how each row and column is read, and write nothing
  --dry-run             report, and write nothing
Answers are kept in import.json beside the dataset, so that the next import of such a file asks nothing.`;

/** Brings reviews from export files into content/, or into the folder that CONTENT_DIR names. */
export const importReviews: Command = async (args, print) => {
  const { values, positionals } = parse(args);
  if (positionals.length === 0) throw new UsageError(USAGE);
  const dateOrder = DATE_ORDERS.find((order) => order === values.dates);
  if (values.dates !== undefined && !dateOrder) {
    throw new UsageError(`--dates: must be one of ${DATE_ORDERS.join(', ')}`);
  }
  const answers = answersIn(values);
  const result = await importFiles(positionals, {
    contentDir: resolve(process.env.CONTENT_DIR || 'content'),
    now: `${new Date().toISOString().slice(0, 19)}Z`,
    source: values.source,
    map: mapIn(values),
    ...answers,
    dateOrder,
    encoding: values.encoding,
    language: values.language,
    verification: values.verification,
    withdraw: withdrawalOf(values),
    dryRun: values['dry-run'] || values.explain,
    explain: values.explain,
    accept: async (preview) =>
      values.yes || values.explain || /^y(es)?$/i.test((await ask(preview, IMPORT_IT)) ?? ''),
    ask: ({ message, option }) => ask([message], `--${option} `),
  });
  for (const line of reportOf(result, values)) print(line);
  for (const [index, { rejected }] of result.files.entries()) {
    if (rejected.length === 0 || values['dry-run'] || values.explain) continue;
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
        keep: { type: 'string', multiple: true },
        scale: { type: 'string' },
        place: { type: 'string', multiple: true },
        shown: { type: 'string', multiple: true },
        explain: { type: 'boolean', default: false },
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

function mapIn({ map, keep }: ReturnType<typeof parse>['values']): FieldMap | undefined {
  if (map === undefined && keep === undefined) return undefined;
  return { ...(map !== undefined && parseMap(map)), ...(keep && { keep }) };
}

function answersIn({ scale, place = [], shown = [] }: ReturnType<typeof parse>['values']): Answers {
  const given = [
    ...(scale === undefined ? [] : [['scale', scale] as const]),
    ...place.map((each) => ['place', each] as const),
    ...shown.map((each) => ['shown', each] as const),
  ];
  try {
    return given.reduce<Answers>((all, [option, typed]) => withAnswer(all, option, typed), {});
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const IMPORT_IT = 'Import it like this? [y/N] ';

/** Asks at the terminal; without a terminal, there is no answer. */
async function ask(lines: readonly string[], prompt: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const shown = lines.map((line) => `${line.split('\n').map(escapeInvisible).join('\n')}\n`);
    return (await terminal.question(`${shown.join('')}${prompt}`)).trim() || undefined;
  } finally {
    terminal.close();
  }
}

import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { guessPack, readPack, staffOf } from '../../content/read-pack.ts';
import { SAMPLE_NAME } from '../../content/sample.ts';
import { check, formatIssue } from '../../content/issue.ts';
import { lockDataset, WORKING_FILES } from '../locked-dataset.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { NO_LOCK_FILE, writeRepository } from './new-repository.ts';
import { businessRecord, PAGE_LANGUAGES } from '../../schema/business.ts';
import { slugOf } from '../../schema/primitives.ts';
import { packName, PACKS } from '../../schema/trade.ts';

/** A fact about the business: a flag, or else a question at the terminal. */
interface Question {
  ask: string;
  propose?: (answers: { category?: string; country?: string }) => string | Promise<string>;
}

/** The EEA and the UK: their data protection law makes initials the better proposal. */
const INITIALS_PROPOSED = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

const QUESTIONS = {
  name: { ask: 'Name of the business' },
  category: { ask: 'Kind of business, e.g. plumbing contractor' },
  city: { ask: 'City it works in (may stay empty)' },
  country: { ask: 'Country, as in US, GB or DE; it needs the city (may stay empty)' },
  phone: { ask: 'Its phone number (may stay empty)' },
  website: { ask: 'Its website (may stay empty)' },
  google: { ask: 'The link to its page on Google Maps (may stay empty)' },
  solicitation: {
    ask: 'Who was asked for a review: nobody, everyone or some; and rewarded, insiders (may stay empty)',
  },
  trade: {
    ask: `Trade pack: ${PACKS.join(', ')}`,
    propose: ({ category }) => guessPack(category ?? ''),
  },
  'author-display': {
    ask: 'Names of authors: full, first-initial or initials',
    propose: ({ country }) => displayIn(country),
  },
  language: {
    ask: `Language of the pages: ${PAGE_LANGUAGES.join(', ')}`,
    propose: ({ country }) => languageIn(country),
  },
} satisfies Record<string, Question>;

type Field = keyof typeof QUESTIONS;
type Answers = Partial<Record<Field, string>> & { 'no-sidecar'?: boolean; repository?: boolean };

const FIELDS = Object.entries<Question>(QUESTIONS) as [Field, Question][];

const USAGE = `usage: npm run new -- [options]: writes a dataset into content/, or into CONTENT_DIR
${FIELDS.map(([field, { ask }]) => `  --${field} TEXT\n      ${ask}`).join('\n')}
  --repository
      Make the folder around it a repository that publishes itself
  --no-sidecar
      Files are all that is served: no MCP, pushes and search over HTTP
At a terminal it asks for what you leave out. business.json may have more, as src/schema/FIELDS.md says.`;

/** Files in a dataset's folder that do not belong to the dataset. */
const DOCUMENTS = new Set(['README.md']);

/** Writes the dataset of a business that has no reviews here yet, and moves the sample aside. */
export const newDataset: Command = async (args, print) => {
  const given = parse(args);
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const aside = `${folder}.sample`;
  const found = await datasetIn(folder);
  if (found !== undefined && found !== SAMPLE_NAME) {
    throw new Error(
      `${folder} already has the dataset of ${found}: set CONTENT_DIR to a new folder`,
    );
  }
  const answers = await ask(given);
  if (!answers.name || !answers.category) throw new UsageError(USAGE);
  const pack = packName.safeParse(answers.trade || (await guessPack(answers.category)));
  if (!pack.success) throw new UsageError(`--trade: must be one of ${PACKS.join(', ')}`);
  const business = businessOf(answers);
  if (found === SAMPLE_NAME) await moveSample(folder, aside);
  const files: [name: string, value: unknown][] = [
    ['business.json', business],
    ['vocabulary/trade.json', { extends: pack.data }],
  ];
  if (answers.city) {
    const area = { id: slugOf(answers.city), label: answers.city };
    files.push(['vocabulary/service-areas.json', [area]]);
  }
  for (const name of await writeFiles(folder, files)) print(`Wrote ${join(folder, name)}`);
  if (found === SAMPLE_NAME) print(`The sample is now in ${aside}`);
  if (answers.repository) {
    const around = dirname(folder);
    for (const path of await writeRepository(around, answers.name)) {
      print(`Wrote ${join(around, path)}`);
    }
    if (!existsSync(join(around, 'package-lock.json'))) print(NO_LOCK_FILE);
  }
  const trade = await readPack(pack.data);
  const staff = staffOf(trade, answers.category);
  print(
    `Words to look for in reviews: the pack ${pack.data}, which speaks of ${staff.plural} and ` +
      `${trade.service.plural}; vocabulary/trade.json can name another, or other words`,
  );
  if (answers['author-display'] === undefined && displayIn(answers.country) === 'initials') {
    print('Names of authors will be published in full: --author-display initials shortens them');
  }
  if (answers.language === undefined && languageIn(answers.country) !== 'en') {
    print(
      `The pages will be in English: --language ${languageIn(answers.country)} writes them in another`,
    );
  }
  print('Next: npm run import -- FILE, then npm start');
};

/** Writes JSON files, and names to git the working files of imports. */
async function writeFiles(
  folder: string,
  files: readonly [name: string, value: unknown][],
): Promise<string[]> {
  using dataset = lockDataset(folder, true);
  for (const [name, value] of files) dataset.replace(name, `${JSON.stringify(value, null, 2)}\n`);
  const ignored = await readFile(join(folder, '.gitignore'), 'utf8').catch(unlessMissing);
  for (const name of WORKING_FILES) {
    if (!ignored?.split('\n').includes(name)) dataset.append('.gitignore', name);
  }
  return dataset.commit();
}

function parse(args: readonly string[]): Answers {
  const fields = FIELDS.map(([field]) => [field, { type: 'string' }]);
  const options = {
    ...(Object.fromEntries(fields) as Record<Field, { type: 'string' }>),
    repository: { type: 'boolean' },
    'no-sidecar': { type: 'boolean' },
  } as const;
  return parseOptions(args, { options }, USAGE).values;
}

/** Asks for values that no flag gives; never asks without a terminal. */
async function ask(given: Answers): Promise<Answers> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return given;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers = { ...given };
  try {
    for (const [field, { ask, propose }] of FIELDS) {
      if (answers[field] !== undefined) continue;
      const proposed = (await propose?.(answers)) ?? '';
      const shown = proposed === '' ? ask : `${ask} (${proposed})`;
      answers[field] = (await terminal.question(`${shown}: `)).trim() || proposed;
    }
    const server = 'Will a server run beside the files, for MCP and pushes? [Y/n] ';
    answers['no-sidecar'] ??= /^n/i.test((await terminal.question(server)).trim());
  } finally {
    terminal.close();
  }
  return answers;
}

/** Moves the sample aside; the documents in its folder stay. */
async function moveSample(folder: string, aside: string): Promise<void> {
  try {
    await rename(folder, aside);
  } catch (error) {
    throw new Error(`${aside} is in the way: move or delete it`, { cause: error });
  }
  await mkdir(folder);
  for (const name of DOCUMENTS) {
    await cp(join(aside, name), join(folder, name)).catch(unlessMissing);
  }
}

/** @throws with every issue that business.json would have */
function businessOf(answers: Answers): object {
  const { name, category, city, website, phone, google, solicitation, language } = answers;
  const country = answers.country?.toUpperCase() || undefined;
  const business = {
    name,
    category,
    ...(website && { url: linkOf(website) }),
    ...(phone && { phone: internationalNumber(phone, country) }),
    ...((city || country) && { address: { city: city || undefined, country } }),
    ...(city && { service_areas: [slugOf(city)] }),
    ...(google && { same_as: [linkOf(google)] }),
    ...(answers['author-display'] !== undefined && { author_display: answers['author-display'] }),
    ...(solicitation && { solicitation: solicitation.split(/[\s,]+/) }),
    ...(language && language !== 'en' && { language }),
    ...(answers['no-sidecar'] && { sidecar: false }),
  };
  const { issues: found } = check(businessRecord, business);
  if (!found) return business;
  const issues = found.map(({ path, ...issue }) =>
    formatIssue({ file: 'business.json', line: 0, field: path.join('.'), ...issue }),
  );
  throw new UsageError(issues.join('\n'));
}

function linkOf(address: string): string {
  return /^https?:/.test(address) ? address : `https://${address}`;
}

/** Returns a number as E.164, if it is one; one without a prefix is dialed in this country. */
function internationalNumber(phone: string, country: string | undefined): string {
  const parsed = parsePhoneNumberFromString(phone, country as CountryCode | undefined);
  return parsed?.isPossible() ? parsed.number : phone;
}

/** Returns the name of the business whose dataset a folder has, if it has one. */
async function datasetIn(folder: string): Promise<string | undefined> {
  try {
    const business = JSON.parse(await readFile(join(folder, 'business.json'), 'utf8')) as {
      name: string;
    };
    return business.name;
  } catch (error) {
    unlessMissing(error as NodeJS.ErrnoException);
  }
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    unlessMissing(error);
    return [];
  });
  const others = names.filter((name) => !name.startsWith('.') && !DOCUMENTS.has(name));
  return others.length > 0 ? `something else (${others.slice(0, 3).join(', ')})` : undefined;
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Returns the language that customers in the country of a business read, of those that pages have. */
function languageIn(country = ''): string {
  const isCode = /^[A-Z]{2}$/i.test(country);
  const spoken = isCode && new Intl.Locale(`und-${country}`).maximize().language;
  return PAGE_LANGUAGES.find((language) => language === spoken) ?? 'en';
}

/** Returns how the names of authors are best shown in a country. */
function displayIn(country: string | undefined): 'full' | 'initials' {
  return INITIALS_PROPOSED.has(country?.toUpperCase() ?? '') ? 'initials' : 'full';
}

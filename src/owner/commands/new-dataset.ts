import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import type { z } from 'zod';
import { guessPack, readPack, staffOf } from '../../content/read-pack.ts';
import { SAMPLE_NAME } from '../../content/sample.ts';
import { formatIssue, issuesIn, friendlyMessage } from '../../content/issue.ts';
import { lockDataset, WORKING_FILES } from '../locked-dataset.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { displayIn, languageIn } from './country-habits.ts';
import { writeRepository } from './new-repository.ts';
import { businessRecord, PAGE_LANGUAGES } from '../../schema/business.ts';
import { slugOf } from '../../schema/primitives.ts';
import { packName, PACKS } from '../../schema/trade.ts';

const USAGE = `usage: npm run new -- [options]: writes a dataset into content/, or into CONTENT_DIR
  --name NAME           the name customers know
  --category TEXT       the kind of business, e.g. "plumbing contractor"
  --trade PACK          its trade pack, guessed from the category if left out: service,
                        home-services, restaurant, hotel, medical, professional, car-repair, salon
  --city CITY           where it works
  --website URL         its own site
  --country CODE        the country, as in US, GB or DE, which also needs the city
  --street, --postal-code, --region
                        the rest of the address, which also needs the city
  --phone NUMBER        as in +12075550142; with the country also as it is dialed there
  --google LINK         its page on Google Maps, where customers write reviews
  --email ADDRESS
  --author-display full|first-initial|initials
                        how imports write the names of authors (full)
  --solicitation WAYS   who was asked for a review: nobody, everyone or some; and rewarded, insiders if
                        some were rewarded or are by people close to the business; comma-separated
  --license ID          license of the published data: an SPDX id, e.g. CC-BY-4.0, or an address
  --attribution TEXT    whom to credit under that license
  --language TAG        language of the pages: en, es, de, fr or ar
  --accent COLOR        color of links and buttons, e.g. #0a5a55
  --repository          make the folder around it a repository that publishes itself
  --no-sidecar          files are all that is served: no MCP, pushes and search over HTTP
  --delete-sample       delete the sample instead of moving it to content.sample
At a terminal it asks for what you leave out.`;

/** Files in a dataset's folder that do not belong to the dataset. */
const DOCUMENTS = new Set(['README.md']);

type Flag = 'delete-sample' | 'no-sidecar' | 'repository';
type Field = Exclude<keyof typeof OPTIONS, Flag>;
type Answers = Partial<Record<Field, string>> & Partial<Record<Flag, boolean>>;

const OPTIONS = {
  name: { type: 'string' },
  category: { type: 'string' },
  trade: { type: 'string' },
  city: { type: 'string' },
  website: { type: 'string' },
  street: { type: 'string' },
  'postal-code': { type: 'string' },
  region: { type: 'string' },
  country: { type: 'string' },
  phone: { type: 'string' },
  google: { type: 'string' },
  email: { type: 'string' },
  'author-display': { type: 'string' },
  solicitation: { type: 'string' },
  license: { type: 'string' },
  attribution: { type: 'string' },
  language: { type: 'string' },
  accent: { type: 'string' },
  repository: { type: 'boolean' },
  'no-sidecar': { type: 'boolean' },
  'delete-sample': { type: 'boolean' },
} as const;

/** Questions for what no flag says, with the answers that are proposed. */
const QUESTIONS: [Field, string, propose?: (answers: Answers) => string | Promise<string>][] = [
  ['name', 'Name of the business'],
  ['category', 'Kind of business, e.g. plumbing contractor'],
  ['city', 'City it works in (may stay empty)'],
  ['country', 'Country, as in US, GB or DE (may stay empty)'],
  ['phone', 'Its phone number (may stay empty)'],
  ['website', 'Its website (may stay empty)'],
  ['google', 'The link to its page on Google Maps (may stay empty)'],
  [
    'solicitation',
    'Who was asked for a review: nobody, everyone or some; and rewarded, insiders (may stay empty)',
  ],
  ['trade', `Trade pack: ${PACKS.join(', ')}`, ({ category }) => guessPack(category ?? '')],
  [
    'author-display',
    'Names of authors: full, first-initial or initials',
    ({ country }) => displayIn(country),
  ],
  [
    'language',
    `Language of the pages: ${PAGE_LANGUAGES.join(', ')}`,
    ({ country }) => languageIn(country),
  ],
];

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
  const answers = await ask(given, found === SAMPLE_NAME);
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
  if (found === SAMPLE_NAME && answers['delete-sample']) await rm(aside, { recursive: true });
  else if (found === SAMPLE_NAME) print(`The sample is now in ${aside}`);
  if (answers.repository) {
    const around = dirname(folder);
    for (const path of await writeRepository(around, answers.name)) {
      print(`Wrote ${join(around, path)}`);
    }
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
  return parseOptions(args, { options: OPTIONS }, USAGE).values;
}

/** Asks for values that no flag gives; never asks without a terminal. */
async function ask(given: Answers, hasSample: boolean): Promise<Answers> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return given;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers = { ...given };
  try {
    for (const [field, question, propose] of QUESTIONS) {
      if (answers[field] !== undefined) continue;
      const proposed = (await propose?.(answers)) ?? '';
      const shown = proposed === '' ? question : `${question} (${proposed})`;
      answers[field] = (await terminal.question(`${shown}: `)).trim() || proposed;
    }
    const refuses = async (question: string) =>
      /^n/i.test((await terminal.question(`${question} [Y/n] `)).trim());
    answers['no-sidecar'] ??= await refuses(
      'Will a server run beside the files, for MCP and pushes?',
    );
    if (hasSample) {
      answers['delete-sample'] ??= await refuses('Keep the sample in content.sample?');
    }
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
  const { name, category, city, website, street, region, phone, email, google } = answers;
  const country = answers.country?.toUpperCase() || undefined;
  const hasAddress = [street, city, region, country, answers['postal-code']].some(Boolean);
  const address = {
    street,
    city: city || undefined,
    ...(region !== undefined && { region }),
    postal_code: answers['postal-code'],
    country,
  };
  const business = {
    name,
    category,
    ...(website && { url: linkOf(website) }),
    ...(phone && { phone: internationalNumber(phone, country) }),
    ...(email !== undefined && { email }),
    ...(hasAddress && { address }),
    ...(city && { service_areas: [slugOf(city)] }),
    ...(google && { same_as: [linkOf(google)] }),
    ...(answers['author-display'] !== undefined && { author_display: answers['author-display'] }),
    ...(answers.solicitation && { solicitation: answers.solicitation.split(/[\s,]+/) }),
    ...(answers.license !== undefined && { data_license: answers.license }),
    ...(answers.attribution !== undefined && { data_attribution: answers.attribution }),
    ...(answers.language && answers.language !== 'en' && { language: answers.language }),
    ...(answers['no-sidecar'] && { sidecar: false }),
    ...(answers.accent !== undefined && { theme: { accent: answers.accent } }),
  };
  const parsed = (businessRecord as z.ZodType).safeParse(business, { error: friendlyMessage });
  if (parsed.success) return business;
  const issues = issuesIn(parsed.error, business).map(({ path, ...issue }) =>
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

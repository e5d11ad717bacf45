import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { guessPack, readPack, staffOf } from '../../content/read-pack.ts';
import { SAMPLE_NAME } from '../../content/sample.ts';
import { lockDataset, WORKING_FILES } from '../locked-dataset.ts';
import {
  areaOf,
  businessOf,
  displayIn,
  issuesOf,
  languageIn,
  logoOf,
  NEW_FIELDS,
} from '../new-answers.ts';
import type { NewAnswers, NewField } from '../new-answers.ts';
import { converse, forgetAnswers } from '../new-conversation.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { NO_LOCK_FILE, writeRepository } from './new-repository.ts';
import { logoPath } from '../../paths.ts';
import { packName } from '../../schema/trade.ts';

const USAGE = `usage: npm run new -- [options]: writes a dataset into content/, or into CONTENT_DIR
${NEW_FIELDS.map(([field, { ask }]) => `  --${field} TEXT\n      ${ask}`).join('\n')}
  --repository
      Make the folder around it a repository that publishes itself on GitHub Pages, as files alone
  --no-sidecar
      Files are all that is served: no MCP, pushes and search over HTTP
At a terminal it asks for what you leave out. business.json may have more, as src/schema/FIELDS.md says.`;

/** Files in a dataset's folder that do not belong to the dataset. */
const DOCUMENTS = new Set(['README.md']);

/** Writes the dataset of a business that has no reviews here yet, and moves the sample aside. */
export const newDataset: Command = async (args, print) => {
  const { given, repository } = parse(args);
  const folder = resolve(process.env.CONTENT_DIR || 'content');
  const aside = `${folder}.sample`;
  const draft = `${folder}.draft.json`;
  const found = await datasetIn(folder);
  if (found !== undefined && found !== SAMPLE_NAME) {
    throw new Error(
      `${folder} already has the dataset of ${found}: set CONTENT_DIR to a new folder`,
    );
  }
  const issues = issuesOf(given);
  if (issues.length > 0) throw new UsageError(issues.join('\n'));
  const { stdin: input, stderr: output } = process;
  const isAtTerminal = input.isTTY && output.isTTY;
  const answers = isAtTerminal
    ? await converse(given, { input, output, draft, filesOnly: repository })
    : { ...(repository && { sidecar: 'n' }), ...given };
  const { name, category } = answers;
  if (!name || !category) throw new UsageError(USAGE);
  const pack = packName.parse(answers.trade || (await guessPack(category)));
  const business = businessOf(answers);
  if (found === SAMPLE_NAME) await moveSample(folder, aside);
  const files: [name: string, content: string | Uint8Array][] = [
    ['business.json', jsonOf(business)],
    ['vocabulary/trade.json', jsonOf({ extends: pack })],
  ];
  const logo = logoOf(answers);
  if (logo) files.push([logoPath(logo.type).slice(1), logo.bytes]);
  if (answers.city) {
    files.push(['vocabulary/service-areas.json', jsonOf([areaOf(answers.city)])]);
  }
  for (const name of await writeFiles(folder, files)) print(`Wrote ${join(folder, name)}`);
  forgetAnswers(draft);
  if (found === SAMPLE_NAME) print(`The sample is now in ${aside}`);
  if (repository) {
    const around = dirname(folder);
    for (const path of await writeRepository(around, name)) {
      print(`Wrote ${join(around, path)}`);
    }
    if (!existsSync(join(around, 'package-lock.json'))) print(NO_LOCK_FILE);
  }
  const trade = await readPack(pack);
  const staff = staffOf(trade, category);
  print(
    `Words to look for in reviews: the pack ${pack}, which speaks of ${staff.plural} and ` +
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

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Writes files, and names to git the working files of imports. */
async function writeFiles(
  folder: string,
  files: readonly [name: string, content: string | Uint8Array][],
): Promise<string[]> {
  using dataset = lockDataset(folder, true);
  for (const [name, content] of files) dataset.replace(name, content);
  const ignored = await readFile(join(folder, '.gitignore'), 'utf8').catch(unlessMissing);
  for (const name of WORKING_FILES) {
    if (!ignored?.split('\n').includes(name)) dataset.append('.gitignore', name);
  }
  return dataset.commit();
}

function parse(args: readonly string[]) {
  const fields = NEW_FIELDS.map(([field]) => [field, { type: 'string' }]);
  const options = {
    ...(Object.fromEntries(fields) as Record<NewField, { type: 'string' }>),
    repository: { type: 'boolean' },
    'no-sidecar': { type: 'boolean' },
  } as const;
  const {
    repository = false,
    'no-sidecar': noSidecar,
    ...answers
  } = parseOptions(args, { options }, USAGE).values;
  const given: NewAnswers = noSidecar ? { ...answers, sidecar: 'n' } : answers;
  return { repository, given };
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

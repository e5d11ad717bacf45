import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DATASET, folderOfProcess, ROOT } from './fixtures.ts';
import { run } from './run.ts';

/** The state in which a container of the image begins. */
export interface Image {
  /** Stands for WORKDIR. */
  folder: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
}

/** The last stage, which has no name. */
export const FINAL = 'final';

/**
 * Does what a Dockerfile says, step by step, in folders instead of layers: COPY takes only what the
 * ignore file lets through, and the dataset of the tests as content/; RUN is run for the build alone, since
 * the rest is the base image's business. Packages are those that `npm ci` installed in the project.
 *
 * @param env variables of the machine that builds
 * @returns each stage, by its name
 * @throws at an instruction that this does not know
 */
export async function reproduceImage(
  dockerfile: string,
  env: Readonly<Record<string, string>>,
): Promise<Map<string, Image>> {
  const text = await readFile(join(ROOT, dockerfile), 'utf8');
  const passes = await contextFilter(`${dockerfile}.dockerignore`);
  const stages = new Map<string, Image>();
  for (const { name, steps } of stagesOf(instructions(text))) {
    stages.set(name, await makeStage(steps, passes, stages, env));
  }
  return stages;
}

async function makeStage(
  steps: readonly Instruction[],
  passes: Filter,
  stages: ReadonlyMap<string, Image>,
  env: Readonly<Record<string, string>>,
): Promise<Image> {
  const folder = await folderOfProcess();
  const image: Image = { folder, env: {}, user: 'root', command: [], healthcheck: [] };
  for (const [name, rest] of steps) {
    if (name === 'FROM') {
      if (!rest.startsWith('node:24.')) throw new Error(`another base: ${rest}`);
    } else if (name === 'COPY') {
      const words = rest.split(/\s+/);
      const stage = words[0]!.startsWith('--from=') ? words.shift()!.slice(7) : undefined;
      const target = words.pop()!;
      for (const source of words) {
        const end = join(image.folder, target, target.endsWith('/') ? source : '');
        await mkdir(dirname(end), { recursive: true });
        if (stage !== undefined) {
          const from = join(stages.get(stage)!.folder, source.replace(/^\/app\//, ''));
          await cp(from, end, { recursive: true, verbatimSymlinks: true });
        } else if (!passes(source)) throw new Error(`ignored, so not there: ${source}`);
        else {
          const from = source === 'content' ? DATASET : join(ROOT, source);
          const filter = (path: string) => passes(join(source, relative(from, path)));
          await cp(from, end, { recursive: true, filter });
        }
      }
    } else if (name === 'RUN') {
      if (rest.startsWith('npm ci --ignore-scripts ')) {
        await symlink(join(ROOT, 'node_modules'), join(image.folder, 'node_modules'));
      } else if (rest.startsWith('npm ci --omit=dev --ignore-scripts ')) {
        await copyPackages(image.folder);
      } else if (rest.startsWith('node src/build/main.ts ')) {
        await run('bash', ['-c', `cd "${image.folder}" && ${rest}`], env);
      } else if (rest !== 'mkdir /data && chown node:node /data') throw new Error(`RUN ${rest}`);
    } else if (name === 'ENV') {
      for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[key!] = value!;
    } else if (name === 'USER') image.user = rest;
    else if (name === 'CMD') image.command = JSON.parse(rest) as string[];
    else if (name === 'HEALTHCHECK') {
      image.healthcheck = JSON.parse(/CMD (\[.*\])$/.exec(rest)![1]!) as string[];
    } else if (!['LABEL', 'WORKDIR', 'VOLUME', 'EXPOSE'].includes(name)) {
      throw new Error(`${name} ${rest}`);
    }
  }
  return image;
}

type Instruction = [name: string, rest: string];

interface Stage {
  name: string;
  steps: Instruction[];
}

/** Copies the packages that the lock file does not mark as needed for development alone. */
async function copyPackages(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true }>;
  };
  // Those that lie in another package are copied with it.
  const kept = Object.keys(packages).filter((path) => {
    const { dev, devOptional } = packages[path]!;
    return path.lastIndexOf('node_modules') === 0 && !dev && !devOptional;
  });
  const installed = kept.filter((path) => existsSync(join(ROOT, path)));
  await run('cp', ['-r', '--parents', ...installed, folder]);
}

/** Splits a Dockerfile into its stages. */
function stagesOf(steps: readonly Instruction[]): Stage[] {
  const all: Stage[] = [];
  for (const step of steps) {
    if (step[0] === 'FROM') all.push({ name: / AS (\S+)$/.exec(step[1])?.[1] ?? FINAL, steps: [] });
    all.at(-1)!.steps.push(step);
  }
  return all;
}

function instructions(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(' ');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    });
}

type Filter = (path: string) => boolean;

/** The last rule that matches decides. */
async function contextFilter(file: string): Promise<Filter> {
  const rules = (await readFile(join(ROOT, file), 'utf8')).split('\n').filter(Boolean);
  return (path) => {
    let passes = true;
    for (const rule of rules) {
      const lets = rule.startsWith('!');
      const pattern = lets ? rule.slice(1) : rule;
      const expression = pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*');
      if (new RegExp(`^${expression}(/|$)`).test(path)) passes = lets;
    }
    return passes;
  };
}

import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { run } from './run.ts';

const caller = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.strictObject({
      uses: z.string(),
      with: z.record(z.string(), z.string()),
      secrets: z.record(z.string(), z.string()),
    }),
  ),
});

const reusable = z.object({
  on: z.object({
    workflow_call: z.object({
      inputs: z.record(z.string(), z.object({ required: z.boolean().default(false) })),
      secrets: z.record(z.string(), z.object({ required: z.literal(false) })),
    }),
  }),
  permissions: z.record(z.string(), z.string()),
  env: z.object({ CONTENT_DIR: z.string() }),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(
        z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  ),
});
export type ReusableWorkflow = z.infer<typeof reusable>;

/** Reads one of the workflows that a dataset repository calls. */
export async function readWorkflow(name: string): Promise<ReusableWorkflow> {
  return reusable.parse(parse(await readFile(join(ROOT, '.github/workflows', name), 'utf8')));
}

/** Reads the jobs of the workflow that `new --repository` writes under this name. */
export async function readTemplate(name: string): Promise<Pick<ReusableWorkflow, 'jobs'>> {
  const text = await readFile(join(ROOT, 'src/owner/repository', name), 'utf8');
  return reusable.pick({ jobs: true }).parse(parse(text));
}

/** Reads the workflow that the documents for owners show to save under this name. */
export async function readCaller(name: string): Promise<z.infer<typeof caller>> {
  const paths = ['content/README.md', 'src/owner/import/README.md'];
  const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')));
  const text = texts.join('\n');
  const examples = [...text.matchAll(/```yaml\n(name: [\s\S]*?)```/g)].map(([, yaml]) => yaml!);
  const found = examples.find((yaml) => yaml.includes(`/.github/workflows/${name}@`));
  return caller.parse(parse(found!));
}

/** Copies the program without its dataset, as a workflow has it after `npm ci`. */
export async function copyProgram(context: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const folder = join(await temporaryFolder(context), 'program');
  const own = (path: string) => !/^(node_modules|dist|\.git|\.astro|content)(\/|$)/.test(path);
  await cp(ROOT, folder, { recursive: true, filter: (path) => own(path.slice(ROOT.length + 1)) });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * Runs the commands of a job in a folder, except `npm ci`.
 *
 * @param env overrides what a step sets with `${{ … }}`
 * @returns their output
 */
export async function runSteps(
  workflow: Pick<ReusableWorkflow, 'jobs'>,
  job: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  let output = '';
  for (const step of workflow.jobs[job]!.steps) {
    if (step.run === undefined || step.run.startsWith('npm ci')) continue;
    const literal = Object.entries(step.env ?? {}).filter(([, value]) => !value.includes('${{'));
    const { stdout, stderr } = await run('bash', ['-ec', `cd "${folder}" && ${step.run}`], {
      ...Object.fromEntries(literal),
      ...env,
    });
    output += stdout + stderr;
  }
  return output;
}

import { readFileSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT, temporaryFolder } from './fixtures.ts';
import { run } from './run.ts';

const texts = z.record(z.string(), z.string());
const step = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  /** As text, which is what GitHub makes of a number. */
  with: z.record(z.string(), z.unknown().transform(String)).optional(),
  run: z.string().optional(),
  env: texts.optional(),
});
export type Step = z.infer<typeof step>;
const job = z.object({
  'timeout-minutes': z.int(),
  needs: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .transform((names) => [names].flat()),
  permissions: texts.optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  env: texts.default({}),
  outputs: texts.default({}),
  steps: z.array(step).min(1),
});
export type Job = z.infer<typeof job>;
const workflow = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  env: texts.default({}),
  jobs: z.record(z.string(), job),
});
const reusable = workflow.extend({
  on: z.object({
    workflow_call: z.object({
      inputs: z.record(z.string(), z.object({ required: z.boolean().default(false) })),
      secrets: z.record(z.string(), z.object({ required: z.literal(false) })),
    }),
  }),
});
const caller = z.object({
  permissions: texts,
  jobs: z.record(z.string(), z.strictObject({ uses: z.string(), with: texts, secrets: texts })),
});

const parsed = (file: string): unknown => parse(readFileSync(join(ROOT, file), 'utf8'));

/** Reads the jobs of a workflow, by the path of its file. */
export const jobsOf = (file: string): Record<string, Job> => workflow.parse(parsed(file)).jobs;

/** Reads one of the workflows that a dataset repository calls. */
export const readWorkflow = (name: string) => reusable.parse(parsed(`.github/workflows/${name}`));

/** Reads the workflow that the documents for owners show to save under this name. */
export function readCaller(name: string): z.infer<typeof caller> {
  const paths = ['content/README.md', 'src/owner/import/README.md'];
  const text = paths.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
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
  steps: readonly Step[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  let output = '';
  for (const step of steps) {
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

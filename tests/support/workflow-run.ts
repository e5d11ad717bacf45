import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { jobsOf, type Step } from './workflow.ts';

// Runs what GitHub would, as far as the jobs that decide need it: expressions, conditions, outputs, and
// the shell of steps that ask GitHub for the default branch.

type Context = Readonly<Record<string, unknown>>;

export interface GitHubEvent {
  /** As in `refs/heads/main`. */
  ref: string;
  defaultBranch: string;
  vars?: Context;
  inputs?: Context;
  /** The address that Pages has for the repository. */
  pagesUrl?: string;
}

/** The jobs that run, in order, with their environment. */
export type RunJobs = Map<string, Record<string, string>>;

/** Returns the jobs of a workflow that run for an event; each one succeeds. */
export function jobsFor(file: string, event: GitHubEvent): RunJobs {
  const { vars = {}, inputs = {} } = event;
  const ran: RunJobs = new Map();
  const needs: Record<string, { result: string; outputs: Context }> = {};
  for (const [name, job] of Object.entries(jobsOf(file))) {
    const isReached = job.needs.every((each) => needs[each]!.result === 'success');
    const contexts = { vars, inputs, needs, github: { ref: event.ref }, secrets: {}, runner: {} };
    const condition = job.if?.replace(/^\$\{\{|\}\}$/g, '') ?? 'true';
    const isAsked = /cancelled\(\)/.test(condition) || isReached;
    needs[name] = { result: 'skipped', outputs: {} };
    if (!isAsked || !evaluate(condition, contexts)) continue;
    const steps = runDecidingSteps(job.steps, contexts, event);
    const filled = (values: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(values).map(([key, text]) => [key, fill(text, { ...contexts, steps })]),
      );
    needs[name] = { result: 'success', outputs: filled(job.outputs) };
    ran.set(name, filled(job.env));
  }
  return ran;
}

/** Runs the steps with an id: configure-pages, and the shell of the others, with a `gh` of its own. */
function runDecidingSteps(steps: readonly Step[], contexts: Context, event: GitHubEvent): Context {
  const done: Record<string, { outputs: Record<string, string> }> = {};
  for (const { id, if: condition = 'true', uses = '', run, env = {} } of steps) {
    if (id === undefined || !evaluate(condition, { ...contexts, steps: done })) continue;
    if (uses.startsWith('actions/configure-pages@')) {
      done[id] = { outputs: { base_url: event.pagesUrl ?? '' } };
    } else {
      const given = Object.entries(env).map(([key, text]) => [key, fill(text, contexts)]);
      done[id] = { outputs: outputsOf(run!, Object.fromEntries(given), event) };
    }
  }
  return done;
}

function outputsOf(
  shell: string,
  env: Record<string, string>,
  { ref, defaultBranch }: GitHubEvent,
): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'reviews-workflow-'));
  try {
    const file = join(folder, 'output');
    writeFileSync(file, '');
    const gh = `#!/bin/sh\n[ "$1 $2" = 'api repos/owner/reviews' ] && echo '${defaultBranch}'\n`;
    writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', shell], {
      env: {
        ...env,
        PATH: `${folder}:${process.env.PATH}`,
        GITHUB_OUTPUT: file,
        GITHUB_REPOSITORY: 'owner/reviews',
        GITHUB_REF: ref,
        GITHUB_REF_TYPE: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
      },
    });
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills in what a text has in `${{ }}`. */
function fill(text: string, contexts: Context): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    String(evaluate(expression, contexts)),
  );
}

/** Evaluates an expression, whose operators are those of JavaScript; what is not there is an empty text. */
function evaluate(expression: string, contexts: Context): unknown {
  const get = (path: string): unknown => {
    let found: unknown = contexts;
    for (const name of path.split('.'))
      found = (found as Record<string, unknown> | undefined)?.[name];
    return found ?? '';
  };
  const names = /'[^']*'|[a-z_]\w*(?:\.[\w-]+)+/gi;
  const script = expression.replace(names, (found) =>
    found.startsWith("'") ? found : `get('${found}')`,
  );
  return runInNewContext(script, { get, cancelled: () => false });
}

/** Packs a folder as actions/upload-pages-artifact does with the options of a workflow, and unpacks it. */
export function pagesArtifact(file: string, folder: string, target: string): void {
  const steps = Object.values(jobsOf(file)).flatMap((job) => job.steps);
  const step = steps.find(({ uses }) => uses?.startsWith('actions/upload-pages-artifact@'))!;
  const { path, 'include-hidden-files': hidden } = step.with!;
  const excluded = ['--exclude=.git', '--exclude=.github', ...(hidden ? [] : ['--exclude=.[^/]*'])];
  const tar = join(target, 'artifact.tar');
  const links = ['--dereference', '--hard-dereference'];
  execFileSync('tar', [...links, '--directory', join(folder, path!), '-cf', tar, ...excluded, '.']);
  execFileSync('tar', ['-xf', tar, '-C', target]);
  rmSync(tar);
}

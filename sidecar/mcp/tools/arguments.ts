import { z } from 'zod';
import type { Issue } from '../../../src/schema/error.ts';
import type { Tool } from './tool.ts';

/** No arguments: an empty object. */
export const nothing = z.strictObject({});

const NAME_MAX = 200;
const NAME = `must be text of 1 to ${NAME_MAX} characters`;

/** What people and models call something. */
export const nameArgument = z.string(NAME).min(1, NAME).max(NAME_MAX, NAME);

/** Bounds what a caller can make the answer carry. */
const UNKNOWN_MAX = 20;
const UNKNOWN_NAME_MAX = 100;

/** Every argument at fault, once, as the HTTP search lists its parameters. */
export function argumentIssues(
  { issue }: Tool,
  args: Readonly<Record<string, unknown>>,
  { issues }: z.ZodError,
): Issue[] {
  const faults = new Map<string, Issue>();
  const unknown: string[] = [];
  for (const found of issues) {
    if (found.code === 'unrecognized_keys') {
      unknown.push(...found.keys);
      continue;
    }
    const name = String(found.path[0]);
    const fault = issue?.(name, args[name]) ?? {
      path: [name],
      code: `invalid_${name}`,
      message: `${name} ${found.message}`,
    };
    if (!faults.has(name)) faults.set(name, fault);
  }
  const others = unknown.slice(0, UNKNOWN_MAX).map((key) => {
    const name = key.slice(0, UNKNOWN_NAME_MAX);
    return { path: [name], code: 'unknown_argument', message: `${name} is not an argument` };
  });
  return [...faults.values(), ...others];
}

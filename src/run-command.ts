import { parseArgs, type ParseArgsConfig } from 'node:util';
import { escapeInvisible } from './schema/invisible.ts';

/**
 * One command of the command line.
 *
 * @param print writes a line to standard output, with control characters escaped
 * @returns the exit status; nothing is 0
 * @throws {UsageError} when the arguments are wrong; any other error is a failure
 */
export type Command = (
  args: readonly string[],
  print: (line: string) => void,
) => Promise<number | void>;

/** The arguments of a command are wrong; the message says how it is used. */
export class UsageError extends Error {}

/** Thrown where somebody asks how a command is used. */
class HelpRequest extends Error {}

/**
 * Parses the arguments of a command.
 *
 * @param usage how the command is called
 * @throws {UsageError} with the reason and the usage
 * @throws {HelpRequest} with the usage, if `--help` is among the arguments
 */
export function parseOptions<T extends Omit<ParseArgsConfig, 'args'>>(
  args: readonly string[],
  config: T,
  usage: string,
): ReturnType<typeof parseArgs<T>> {
  if (args.includes('--help')) throw new HelpRequest(usage);
  try {
    return parseArgs<T>({ ...config, args: [...args] });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}

/**
 * Returns a command without options that refuses more arguments than it takes.
 *
 * @param call how it is called: `npm run reviews -- explain <review-id>`
 */
export function withArguments(call: string, load: () => Promise<Command>): () => Promise<Command> {
  const names = call.split(' -- ')[1]!.split(' ').slice(1);
  return async () => async (args, print) => {
    const { positionals } = parseOptions(args, { allowPositionals: true }, `usage: ${call}`);
    if (positionals.length > names.length) throw new UsageError(`usage: ${call}`);
    const command = await load();
    return command(positionals, print);
  };
}

/**
 * Runs the command that the first argument names and sets the exit status: 2 for wrong arguments,
 * 1 for a failure. An error is one line on standard error, never a stack; `--help` is no error.
 *
 * @param commands loads the command of each name
 */
export async function runCommand(
  commands: Readonly<Record<string, () => Promise<Command>>>,
  [name = '', ...args]: readonly string[],
): Promise<void> {
  process.stdout.on('error', unlessUnread);
  try {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) {
      const usage = `usage: one of ${Object.keys(commands).join(', ')}`;
      throw name === '--help' ? new HelpRequest(usage) : new UsageError(usage);
    }
    const command = await load();
    process.exitCode = (await command(args, (line) => write(process.stdout, line))) ?? 0;
  } catch (error) {
    if (error instanceof HelpRequest) return write(process.stdout, error.message);
    write(process.stderr, reason(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Whoever reads the first lines alone, as `head` does, does not stop the work. */
function unlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A customer's text may hold a sequence that a terminal obeys. */
function write(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${escapeInvisible(asCalled(line))}\n`);
}

/** Commands as `npm run` has them: `npm run reviews -- check`, `npm run import -- FILE`. */
const NPM_RUN = /npm run (?:reviews -- )?([a-z]+)(?: --)?|npm (start)/g;

/** Names commands as the person called the program: as a package it has no scripts. */
export function asCalled(line: string, command = process.env.REVIEWS_COMMAND): string {
  if (command === undefined) return line;
  return line.replace(
    NPM_RUN,
    (_, script?: string, start?: string) => `${command} ${script ?? start}`,
  );
}

/** Meanings of errors of the file system, whose own messages name system calls. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EROFS: 'is on a file system that cannot be written',
};

/** A host with several addresses fails with one error for each and no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ');
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  if (!Object.hasOwn(FILE_ERRORS, code)) return message;
  return `${path ?? 'the path given'} ${FILE_ERRORS[code]}`;
}

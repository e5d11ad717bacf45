/** Runs a command of the operator's; what goes wrong is said in a line, and never by a stack. */
export async function runCommand(
  command: (print: (text: string) => void) => Promise<void>,
): Promise<void> {
  try {
    await command((text) => process.stdout.write(`${text}\n`));
  } catch (error) {
    process.stderr.write(`${reason(error)}\n`);
    process.exitCode = 1;
  }
}

/** A host with several addresses fails with an error for each, and no message of its own. */
function reason(error: unknown): string {
  return error instanceof AggregateError
    ? error.errors.map((one) => (one as Error).message).join(', ')
    : (error as Error).message;
}

/** Outcome of one check of a published site. */
export interface SiteCheck {
  /** A word for the part of the site that was checked. */
  of: string;
  /** A sentence for each difference. */
  issues: string[];
  /** The sentence that holds if there is no issue. */
  verified: string;
}

/** Prints a line for each check, and then each issue. @returns the exit status, 1 if there is any */
export function reportChecks(
  checks: readonly SiteCheck[],
  print: (line: string) => void,
  noun = 'difference',
): number {
  for (const { of, issues, verified } of checks) {
    const count = `${issues.length} ${noun}${issues.length === 1 ? '' : 's'}`;
    const outcome = issues.length === 0 ? ['ok', verified] : ['NO', count];
    print([outcome[0], of.padEnd(9), outcome[1]].join('  '));
  }
  const issues = checks.flatMap((check) => check.issues);
  for (const issue of issues) print(issue);
  return issues.length === 0 ? 0 : 1;
}

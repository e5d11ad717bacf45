/** Options of tests and suites that may take longer than TEST_MS of tests/main.ts on a busy machine. */
export const SLOW = { timeout: 10 * 60_000 };

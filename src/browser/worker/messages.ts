/** Messages from the worker that reads the reviews again to the page that shows it. */
export type Message =
  | { kind: 'progress'; read: number; total: number }
  | { kind: 'result'; reviews: number; values: number; issues: string[] }
  | { kind: 'failure'; reason: string };

import type { TestEvent } from 'node:test/reporters';
import type { SpecResult } from './spec-suite.ts';

/** Writes one JSON object at the end: how many tests passed, and which failed with what error. */
export default async function* jsonReporter(source: AsyncIterable<TestEvent>) {
  const result: SpecResult = { passed: 0, failures: [] };
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details, skip } = event.data;
    if (details.type === 'suite' || skip !== undefined) continue;
    if (event.type === 'test:pass') result.passed++;
    else
      result.failures.push(
        `${name}: ${String(event.data.details.error.cause ?? event.data.details.error)}`,
      );
  }
  yield JSON.stringify(result);
}

import { abridge, layOut } from './json-text.ts';
import type { Example } from './operation.ts';
import type { Source } from './source.ts';

/** Returns a request for a path that is answered with JSON. */
export function jsonExample(
  { baseUrl }: Pick<Source, 'baseUrl'>,
  path: string,
  body: unknown,
  says: string,
  status = 200,
): Example {
  return {
    says,
    command: `curl -s '${baseUrl}${path}'`,
    answer: layOut(abridge(body)),
    response: { status, body },
  };
}

import { dataHeaders } from '../edition/headers.ts';
import { JSON_TYPE } from '../edition/paths.ts';
import { digestInsights } from '../insights/digest.ts';
import { currentPublication } from '../publication.ts';

export function GET(): Response {
  const { insights, dataset } = currentPublication();
  return new Response(`${JSON.stringify(digestInsights(insights, dataset.reviews))}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}

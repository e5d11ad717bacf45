import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';
import { digestInsights } from '../insights/digest.ts';

export function GET(): Response {
  const { insights, dataset } = currentPublication();
  return new Response(`${JSON.stringify(digestInsights(insights, dataset.reviews))}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}

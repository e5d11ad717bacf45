import { currentPublication } from 'virtual:publication';
import { serializeInsights } from '../dataset/readings.ts';
import { dataHeaders } from '../http.ts';
import { JSON_TYPE } from '../paths.ts';

export function GET(): Response {
  const { insights } = currentPublication();
  return new Response(serializeInsights(insights), { headers: dataHeaders(JSON_TYPE) });
}

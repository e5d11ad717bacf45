import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { countSince, dayNumber, sinceBody } from '../../../../dataset/since.ts';
import { dataHeaders } from '../../../../http.ts';
import { JSON_TYPE } from '../../../../paths.ts';

export function getStaticPaths() {
  return currentPublication().sinceDays.map((date) => ({ params: { date } }));
}

export function GET({ params }: APIContext<never, { date: string }>): Response {
  const { days, lines } = currentPublication();
  const pieces = sinceBody(lines, countSince(days, dayNumber(params.date)), params.date);
  return new Response(Buffer.concat(pieces), { headers: dataHeaders(JSON_TYPE) });
}

import { textHeaders } from '../http.ts';
import { llmsText } from '../formats/llms.ts';
import { currentPublication } from '../build/publication.ts';

export function GET(): Response {
  const { baseUrl, dataset } = currentPublication();
  return new Response(llmsText(dataset, baseUrl), { headers: textHeaders() });
}

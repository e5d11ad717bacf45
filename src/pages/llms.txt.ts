import { currentPublication } from 'virtual:publication';
import { textHeaders } from '../http.ts';
import { llmsText } from '../formats/text-files.ts';

export function GET(): Response {
  const { baseUrl, dataset } = currentPublication();
  return new Response(llmsText(dataset, baseUrl), { headers: textHeaders() });
}

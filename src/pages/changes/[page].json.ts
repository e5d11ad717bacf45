import { basename } from 'node:path';
import type { APIContext } from 'astro';
import { currentPublication } from 'virtual:publication';
import { dataHeaders } from '../../http.ts';
import { monthDocuments, serializeChanges } from '../../journal/documents.ts';
import { JSON_TYPE } from '../../paths.ts';
import type { MonthChanges } from '../../schema/journal.ts';

export function getStaticPaths() {
  return [...monthDocuments(currentPublication().journal)].map(([path, document]) => ({
    params: { page: basename(path, '.json') },
    props: { document },
  }));
}

export function GET({ props }: APIContext<{ document: MonthChanges }>): Response {
  return new Response(serializeChanges(props.document), { headers: dataHeaders(JSON_TYPE) });
}

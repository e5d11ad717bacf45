import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { dataHeaders } from '../../http.ts';
import { JSON_TYPE } from '../../paths.ts';
import { jsonSchemas } from '../../formats/json-schemas.ts';

export function getStaticPaths() {
  return Object.entries(jsonSchemas(currentPublication().baseUrl)).map(([name, schema]) => ({
    params: { name },
    props: { schema },
  }));
}

export function GET({ props }: APIContext<{ schema: object }>): Response {
  return new Response(`${JSON.stringify(props.schema, null, 2)}\n`, {
    headers: dataHeaders(JSON_TYPE),
  });
}

import { currentPublication } from 'virtual:publication';
import type { APIContext } from 'astro';
import { instances } from '../resources/catalogue.ts';
import { resourceHeaders, type DocumentResource, type Instance } from '../resources/resource.ts';

type Props = { resource: DocumentResource; instance: Instance };

export function getStaticPaths() {
  return instances(currentPublication()).map(({ resource, instance }) => ({
    params: { document: instance.path.slice(1) },
    props: { resource, instance },
  }));
}

export function GET({ props: { resource, instance } }: APIContext<Props>): Response {
  const publication = currentPublication();
  const headers = resourceHeaders(resource, publication);
  return new Response(Buffer.from(instance.build(publication)), { headers });
}

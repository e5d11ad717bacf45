import { DEVELOPERS_PATH, LLMS_PATH, OPENAPI_PATH, SEARCH_PAGE_PATH, TEXT_TYPE } from '../paths.ts';
import { oneLine } from '../schema/invisible.ts';
import type { Operation } from './operation.ts';
import { documentResource } from './resource.ts';
import type { Source } from './source.ts';

export const LLMS = documentResource({
  id: 'getLlmsText',
  path: LLMS_PATH,
  type: TEXT_TYPE,
  tag: 'Service',
  title: 'An overview for assistants',
  description: 'Markdown as llmstxt.org describes it.',
  build: llmsText,
});

/** Writes llms.txt (https://llmstxt.org), an overview for AI assistants. */
export function llmsText(
  { baseUrl, dataset, sidecar }: Pick<Source, 'baseUrl' | 'dataset' | 'sidecar'>,
  operations: readonly Operation[],
): string {
  const { aggregate_rating: rating, business, coverage, license } = dataset;
  const name = oneLine(business.name);
  const category = oneLine(business.category);
  const value = rating.rating_value === null ? '' : `, ${rating.rating_value} of 5 stars`;
  const links = operations
    .filter(
      ({ method, path, answers }) => method === 'get' && !path.includes('{') && !(404 in answers),
    )
    .map(({ path, title, description }) => `- [${title}](${baseUrl}${path}): ${description}`);
  const others = operations
    .filter(({ method, path }) => method === 'post' || path.includes('{'))
    .map(
      ({ method, path, description }) =>
        `- \`${method.toUpperCase()} ${baseUrl}${path}\`: ${description}`,
    );
  return `# Reviews of ${name}

> ${coverage.published} customer reviews of ${name} (${category})${value}, from ${coverage.earliest ?? 'no day'} to ${coverage.latest ?? 'no day'}, with what they praise and criticize. Public and read-only: no key, no account, send no Authorization header.

${oneLine(license.terms)}${license.id === null ? '' : ` ${license.url}`}

Quote a review with its permalink (the field \`url\`). ${coverage.known - coverage.published} of ${coverage.known} known reviews are left out; \`coverage\` in reviews.json says why. Poll with If-None-Match: an unchanged response is an empty 304.

## Data

${links.join('\n')}

## Requests

${others.join('\n')}

## Guides

- [For developers](${baseUrl}${DEVELOPERS_PATH}): every endpoint with a real response, ${sidecar ? 'MCP setup, WebSub, ' : ''}data model
- [OpenAPI 3.1](${baseUrl}${OPENAPI_PATH}): the same for programs
- [Search page](${baseUrl}${SEARCH_PAGE_PATH}): for people
`;
}

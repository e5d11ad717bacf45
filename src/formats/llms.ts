import { OPENAPI_PATH, SEARCH_PAGE_PATH } from '../paths.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import { oneLine } from '../schema/invisible.ts';
import { OPERATIONS } from './openapi/operations.ts';

/** Writes llms.txt (https://llmstxt.org), an overview for AI assistants. */
export function llmsText(dataset: ReviewsDataset, baseUrl: string): string {
  const { aggregate_rating: rating, business, coverage } = dataset;
  const name = oneLine(business.name);
  const category = oneLine(business.category);
  const value = rating.rating_value === null ? '' : `, ${rating.rating_value} of 5 stars`;
  const links = OPERATIONS.filter(
    ({ method, path }) => method === 'get' && !path.includes('{'),
  ).map(({ path, summary, description }) => `- [${summary}](${baseUrl}${path}): ${description}`);
  const others = OPERATIONS.filter(
    ({ method, path }) => method === 'post' || path.includes('{'),
  ).map(
    ({ method, path, description }) =>
      `- \`${method.toUpperCase()} ${baseUrl}${path}\`: ${description}`,
  );
  return `# Reviews of ${name}

> ${coverage.published} verified customer reviews of ${name} (${category})${value}, from ${coverage.earliest ?? 'no day'} to ${coverage.latest ?? 'no day'}, with what they praise and blame. Public and read-only: no key, no account, send no Authorization header.

Quote a review with its permalink (the field \`url\`). ${coverage.known - coverage.published} of ${coverage.known} known reviews are left out; \`coverage\` in reviews.json says why. Ask again with If-None-Match: unchanged is 304.

## Data

${links.join('\n')}

## Requests

${others.join('\n')}

## Guides

- [For developers](${baseUrl}/developers/): every endpoint with a real answer, MCP set-up, WebSub, data model
- [OpenAPI 3.1](${baseUrl}${OPENAPI_PATH}): the same for programs
- [Search page](${baseUrl}${SEARCH_PAGE_PATH}): for people
`;
}

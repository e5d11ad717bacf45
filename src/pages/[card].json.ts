import { currentPublication } from 'virtual:publication';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { PageQuotes, praisedAndCriticized } from '../dataset/highlights.ts';
import { dataHeaders } from '../http.ts';
import McpApp from '../layouts/McpApp.astro';
import { wordingOf } from '../messages/wording.ts';
import { JSON_TYPE, MCP_APP_PATH } from '../paths.ts';
import { mcpApp } from '../schema/mcp-catalog.ts';
import { themeStyles } from '../schema/theme.ts';

/** A site without a sidecar has no MCP server, and no card of it. */
export function getStaticPaths() {
  return currentPublication().sidecar ? [{ params: { card: MCP_APP_PATH.slice(1, -5) } }] : [];
}

/**
 * Renders the card that assistants show with `get_summary`, as an MCP resource: one document that loads
 * nothing. Its links are absolute, because a host gives it an address of its own.
 */
export async function GET(): Promise<Response> {
  const { baseUrl, byId, dataset, insights, language, theme } = currentPublication();
  const words = wordingOf(language);
  const { praised, criticized } = praisedAndCriticized(insights.aspects);
  const shown = new PageQuotes();
  const sides = [
    { title: words.t('card.praise'), side: 'positive' as const, aspects: praised },
    { title: words.t('card.criticism'), side: 'negative' as const, aspects: criticized },
  ].map(({ title, side, aspects }) => ({
    title,
    side,
    quotes: aspects.flatMap(({ examples }) =>
      shown
        .next(examples, side)
        .map(({ quote, review_id: id }) => ({ quote, review: byId.get(id)! })),
    ),
  }));
  const container = await AstroContainer.create();
  const html = await container.renderToString(McpApp, {
    partial: false,
    locals: { words, prefix: '' },
    props: {
      name: dataset.business.name,
      rating: dataset.aggregate_rating,
      reviews: dataset.reviews,
      temporal: insights.temporal,
      theme: themeStyles(theme),
      updated: dataset.updated_at.slice(0, 10),
      sides: sides.filter(({ quotes }) => quotes.length > 0),
    },
  });
  const text = html.replaceAll(' href="/', ` href="${baseUrl}/`);
  return new Response(`${JSON.stringify(mcpApp(text))}\n`, { headers: dataHeaders(JSON_TYPE) });
}

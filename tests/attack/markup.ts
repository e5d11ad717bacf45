import type { Page } from 'playwright';

/** Includes the links with which the developers' page installs the MCP server in an editor. */
const SAFE_LINK =
  /^(?:https?:|mailto:|tel:|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|vscode:mcp\/install\?|[#/?]|[^:]*$)/i;
/** A parser adds them where a text has none. */
const FRAME = ['html', 'head', 'body'];

/**
 * Lists the markup of pages as the parser of a browser finds it: `img`, `img src`, the start tags of
 * scripts as they are written, and links that run something.
 */
export async function markupOf(page: Page, pages: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await page.evaluate(
    ([pages, safe]) => {
      const links = new Set(['action', 'formaction', 'href', 'poster', 'src', 'srcset']);
      const markup = new Set<string>();
      const collect = (root: ParentNode): void => {
        for (const element of root.querySelectorAll('*')) {
          const name = element.localName;
          markup.add(name);
          if (name === 'script') markup.add(element.outerHTML.split('>', 1)[0]!);
          for (const { name: attribute, value } of element.attributes) {
            markup.add(`${name} ${attribute}`);
            const isLink = links.has(attribute) && !new RegExp(safe, 'i').test(value);
            if (isLink) markup.add(`${attribute}=${value}`);
          }
          if (element instanceof HTMLTemplateElement) collect(element.content);
        }
      };
      for (const html of pages) collect(new DOMParser().parseFromString(html, 'text/html'));
      return [...markup];
    },
    [pages, SAFE_LINK.source] as const,
  );
  return new Set(found).difference(new Set(FRAME));
}

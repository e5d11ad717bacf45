import { pathToFileURL } from 'node:url';

/**
 * Renders the page at a path from `locals` alone.
 *
 * @throws if rendering fails
 */
export type RenderPage = (path: string, locals: object) => Promise<Buffer>;

/**
 * Returns a function that renders pages with the code of a build. The code is loaded with the first
 * page, because loading takes longer than the rest of a start.
 *
 * @param entry the file `entry.mjs` of the server bundle, made from `src/build/server-entry.ts`
 */
export function pageRenderer(entry: string): RenderPage {
  let loaded: Promise<{ renderPage: RenderPage }> | undefined;
  return async (path, locals) => {
    loaded ??= import(pathToFileURL(entry).href).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }) as Promise<{ renderPage: RenderPage }>;
    const { renderPage } = await loaded;
    return renderPage(path, locals);
  };
}

import { createApp } from 'astro/app/entrypoint';
import type { RenderPage } from '../page-renderer.ts';

// The entry of the server bundle, `dist/server/entry.mjs`. Astro bundles it with the pages.

const app = createApp({ streaming: false });
// Astro would answer with a page of its own, and the reason would be lost.
app.renderError = async (_, { error, status }) => {
  throw error ?? new Error(`the page rendered as ${status}`);
};

async function render(path: string, locals: object): Promise<Response> {
  const response = await app.render(new Request(`http://localhost${path}`), { locals });
  if (response.status !== 200) throw new Error(`${path} rendered as ${response.status}`);
  return response;
}

export const renderPage: RenderPage = async (path, locals) =>
  Buffer.from(await (await render(path, locals)).arrayBuffer());

/** Renders as {@link renderPage}, in browsers too, which have no Buffer. */
export async function renderHtml(path: string, locals: object): Promise<string> {
  return (await render(path, locals)).text();
}

import { createApp } from 'astro/app/entrypoint';
import type { RenderPage } from '../page-renderer.ts';

// The entry of the server bundle, `dist/server/entry.mjs`. Astro bundles it with the pages.

const app = createApp({ streaming: false });

export const renderPage: RenderPage = async (path, locals) => {
  const response = await app.render(new Request(`http://localhost${path}`), { locals });
  if (response.status !== 200) throw new Error(`${path} rendered as ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { edition } from './src/integrations/edition.ts';
import { siteUrl } from './src/integrations/site-url.ts';

const site = siteUrl(process.env);

export default defineConfig({
  site,
  adapter: node({ mode: 'middleware', staticHeaders: true }),
  integrations: [
    edition({ siteUrl: site, contentDir: fileURLToPath(new URL('./content/', import.meta.url)) }),
  ],
  session: false,
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  vite: { build: { assetsInlineLimit: 0 }, ssr: { noExternal: true } },
});

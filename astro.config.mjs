import { resolve } from 'node:path';
import node from '@astrojs/node';
import { defineConfig, passthroughImageService } from 'astro/config';
import { editionIntegration } from './src/build/integration.ts';
import { readReviewMarkup, siteUrl } from './src/build/settings.ts';

// Astro encrypts what server islands carry; there are none, and a random key would make every build
// of the server another one.
process.env.ASTRO_KEY = 'bm8gc2VydmVyIGlzbGFuZHMgYXJlIHVzZWQgaGVyZS4=';

const site = siteUrl(process.env);

export default defineConfig({
  site,
  adapter: node({ mode: 'middleware', staticHeaders: true }),
  integrations: [
    editionIntegration({
      siteUrl: site,
      contentDir: resolve(process.env.CONTENT_DIR || 'content'),
      reviewMarkup: readReviewMarkup(process.env),
      print: (line) => process.stdout.write(`${line}\n`),
    }),
  ],
  session: false,
  image: { service: passthroughImageService() },
  build: { inlineStylesheets: 'never' },
  devToolbar: { enabled: false },
  vite: { build: { assetsInlineLimit: 0 } },
});

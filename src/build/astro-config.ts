import { join } from 'node:path';
import type { AstroUserConfig } from 'astro';
import { passthroughImageService } from 'astro/config';
import { basePath } from '../paths.ts';
import { ADAPTER } from './adapter.ts';
import { contentIntegration } from './content-integration.ts';
import { editionIntegration } from './integration.ts';
import type { BuildOptions } from './options.ts';

/** Returns the configuration of Astro, for a build and for `astro dev`. */
export function astroConfig(options: BuildOptions): AstroUserConfig {
  return {
    site: new URL(options.siteUrl).origin,
    adapter: ADAPTER,
    integrations: [contentIntegration(options), editionIntegration(options)],
    session: false,
    image: { service: passthroughImageService() },
    build: { assetsPrefix: basePath(options.siteUrl), inlineStylesheets: 'never' },
    devToolbar: { enabled: false },
    vite: {
      envDir: false,
      build: { assetsInlineLimit: 0 },
      resolve: {
        alias: { 'virtual:publication': join(import.meta.dirname, 'current-publication.ts') },
      },
    },
  };
}

import { join } from 'node:path';
import { getAdapter } from '@astrojs/node';
import type { AstroIntegration, AstroUserConfig } from 'astro';
import { passthroughImageService } from 'astro/config';
import { basePath } from '../paths.ts';
import { BUNDLE_TARGET } from './bundle.ts';
import { contentIntegration } from './content-integration.ts';
import { editionIntegration } from './integration.ts';
import type { BuildOptions } from './settings.ts';

/**
 * Builds for Node as `@astrojs/node` does, with an entry of our own: a module that exports
 * `renderPage`, because the sidecar renders a page without a request.
 */
const ADAPTER: AstroIntegration = {
  name: 'edition-adapter',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        ...getAdapter({ staticHeaders: false }),
        serverEntrypoint: new URL('server-entry.ts', import.meta.url),
      }),
  },
};

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
      build: { assetsInlineLimit: 0, target: BUNDLE_TARGET },
      resolve: {
        alias: { 'virtual:publication': join(import.meta.dirname, 'current-publication.ts') },
      },
    },
  };
}

import { getAdapter } from '@astrojs/node';
import type { AstroIntegration } from 'astro';

/**
 * Builds for Node as `@astrojs/node` does, with an entry of our own: a module that exports
 * `renderPage`, because the sidecar renders a page without a request.
 */
export const ADAPTER: AstroIntegration = {
  name: 'edition-adapter',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        ...getAdapter({ staticHeaders: true }),
        serverEntrypoint: new URL('server-entry.ts', import.meta.url),
      }),
  },
};

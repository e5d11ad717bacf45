import type { AstroIntegration } from 'astro';

/**
 * Makes the pages that the sidecar renders a module that exports `renderPage`, and tells the build
 * the headers of all others, which are files.
 */
export const ADAPTER: AstroIntegration = {
  name: 'edition-adapter',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        name: 'edition-adapter',
        entrypointResolution: 'auto',
        serverEntrypoint: new URL('server-entry.ts', import.meta.url),
        adapterFeatures: { buildOutput: 'server', staticHeaders: true },
        supportedAstroFeatures: {
          hybridOutput: 'stable',
          serverOutput: 'stable',
          staticOutput: 'stable',
        },
      }),
  },
};

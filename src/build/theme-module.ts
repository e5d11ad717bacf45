import type { ViteUserConfig } from 'astro';

type VitePlugin = NonNullable<ViteUserConfig['plugins']>[number];

const ID = 'virtual:theme.css';
const RESOLVED = '\0virtual:theme.css';

/**
 * Provides the style sheet of the theme, which the layout imports after its own, so that a theme
 * costs no request.
 */
export function themeModule(styles: () => string): VitePlugin {
  return {
    name: ID,
    resolveId: (requested) => (requested === ID ? RESOLVED : undefined),
    load: (requested) => (requested === RESOLVED ? styles() : undefined),
  };
}

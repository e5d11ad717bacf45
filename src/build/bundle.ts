import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'astro';
import { ASSETS_PATH } from '../paths.ts';

type VitePlugin = NonNullable<ViteUserConfig['plugins']>[number];

/**
 * Provides `virtual:publication` to the pages. Bundled, publication.ts would be a second module
 * that has no publication, so the pages ask Node for the module of this process.
 */
export function publicationModule(command: 'build' | 'dev'): VitePlugin {
  const id = 'virtual:publication';
  const resolvedId = `\0${id}`;
  const file = JSON.stringify(fileURLToPath(new URL('publication.ts', import.meta.url)));
  return {
    name: id,
    resolveId: (requested) => (requested === id ? resolvedId : undefined),
    load(requested) {
      if (requested !== resolvedId) return undefined;
      const onDemand = command === 'build' && this.environment.name === 'ssr';
      return onDemand
        ? `export function currentPublication() { throw new Error('the sidecar has none'); }`
        : `import { createRequire } from 'node:module';
           export const { currentPublication } = createRequire(${file})(${file});`;
    },
  };
}

/**
 * Provides the style sheet of the theme, which the layout imports after its own, so that a theme
 * costs no request.
 */
export function themeModule(styles: () => string): VitePlugin {
  const id = 'virtual:theme.css';
  const resolvedId = `\0${id}`;
  return {
    name: id,
    resolveId: (requested) => (requested === id ? resolvedId : undefined),
    load: (requested) => (requested === resolvedId ? styles() : undefined),
  };
}

/**
 * Keeps Astro from writing the variables of the environment into the bundles. It does so for each
 * one whose name occurs in a module of Astro's own, such as CI, so that two shells would build two
 * servers; pages take settings from the publication alone.
 */
const WITHOUT_ENVIRONMENT: VitePlugin = {
  name: 'without-environment',
  configResolved({ plugins }) {
    delete plugins.find(({ name }) => name === 'astro:vite-plugin-env')?.transform;
  },
};

/**
 * The bundles of a build. They run from any folder, so they import no package. The server bundle
 * may be of another build than the edition that it shows, so the files that its pages link to have
 * names that stay; its chunks replace each other as a unit and need no hash either. All its pages
 * import the same styles, since Astro gives styles that it knows from other pages their hashed name.
 */
export const BUNDLES: ViteUserConfig = {
  plugins: [WITHOUT_ENVIRONMENT],
  ssr: { noExternal: true },
  environments: {
    prerender: { resolve: { noExternal: true } },
    ssr: {
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: 'chunks/[name].mjs',
            assetFileNames: ({ names: [name = ''] }) =>
              name.endsWith('.css')
                ? 'styles/pages.css'
                : `${ASSETS_PATH.slice(1)}[name].[hash][extname]`,
          },
        },
      },
    },
  },
};

/** Rewrites the server bundle so that it is the same wherever it is built. */
export async function removeBuildPaths(serverDir: URL, folders: readonly URL[]): Promise<void> {
  const entries = await readdir(serverDir, { recursive: true });
  for (const name of entries.filter((name) => name.endsWith('.mjs'))) {
    const file = new URL(name, serverDir);
    let code = await readFile(file, 'utf8');
    for (const folder of folders) {
      code = code.replaceAll(folder.href, 'file:///').replaceAll(`"${fileURLToPath(folder)}`, '"/');
    }
    await writeFile(file, code);
  }
}

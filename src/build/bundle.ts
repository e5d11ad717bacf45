import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViteUserConfig } from 'astro';
import { ASSETS_PATH } from '../paths.ts';

/** The oldest browsers that every page works in; a test compares what ships with what they have. */
export const OLDEST_BROWSERS = {
  chrome: '123',
  firefox: '128',
  safari: '17.5',
  safari_ios: '17.5',
} as const;

/** The same for the bundler, which writes newer syntax and styles as these browsers know them. */
export const BUNDLE_TARGET = Object.entries(OLDEST_BROWSERS).map(
  ([browser, version]) => browser.replace('safari_', '') + version,
);

type VitePlugin = NonNullable<ViteUserConfig['plugins']>[number];

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

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
/** Modules in that folder but those that only Astro can load. */
const SHARED = /^(?!pages\/|middleware\.ts$)[^?]*\.ts$/;

/**
 * Lets the pages of a build import the modules that the build itself runs: bundling them again takes seconds,
 * and what they keep would be computed twice.
 */
const SHARED_MODULES: VitePlugin = {
  name: 'shared-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'prerender',
  async resolveId(source, importer) {
    const { id = '' } = (await this.resolve(source, importer)) ?? {};
    const isShared = id.startsWith(SOURCES) && SHARED.test(id.slice(SOURCES.length));
    return isShared ? { id: pathToFileURL(id).href, external: true } : undefined;
  },
};

/**
 * The bundles of a build. They run from any folder, so they import no package. The server bundle
 * may be of another build than the edition that it shows, so the files that its pages link to have
 * names that stay; its chunks replace each other as a unit and need no hash either. All its pages
 * import the same styles, since Astro gives styles that it knows from other pages their hashed name.
 */
export const BUNDLES: ViteUserConfig = {
  plugins: [SHARED_MODULES],
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

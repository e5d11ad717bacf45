import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { resourceAt } from '../resources/catalogue.ts';
import { BUNDLES } from './bundle.ts';
import { currentPublication } from './current-publication.ts';
import { finishEdition, replaceFolder } from './finish-edition.ts';
import type { BuildOptions } from './options.ts';
import { notNotified, pingHub } from './ping-hub.ts';
import { hubUrl } from './settings.ts';
import { readSigning, type Signing } from './signing.ts';

/**
 * Makes a build an edition: renders into a folder of its own, describes the result in edition.json,
 * and only then puts it in the place of the last one. A build that fails leaves the last edition as
 * it was.
 */
export function editionIntegration(options: BuildOptions): AstroIntegration {
  const { env, print } = options;
  const started = performance.now();
  const stated = new Map<string, { headers: Headers; pattern: string }>();
  let signing: Signing | undefined;
  let folders: { root: URL; nextDir: URL; finalDir: URL };

  return {
    name: 'edition',
    hooks: {
      'astro:config:setup': async ({ command, config, updateConfig }) => {
        if (command !== 'build') return;
        const { root, outDir: finalDir } = config;
        const nextDir = new URL(`${finalDir.href.replace(/\/$/, '')}.next/`);
        folders = { root, nextDir, finalDir };
        signing = await readSigning(env, fileURLToPath(new URL('client/', finalDir)));
        removeOnExit(nextDir);
        updateConfig({
          outDir: nextDir,
          build: { client: new URL('client/', nextDir), server: new URL('server/', nextDir) },
          vite: BUNDLES,
        });
      },

      'astro:build:generated': ({ routeToHeaders }) => {
        for (const [path, { headers, route }] of routeToHeaders) {
          stated.set(path, { headers, pattern: resourceAt(path)?.path ?? route.pattern });
        }
      },

      'astro:build:done': async ({ pages }) => {
        const { nextDir, finalDir } = folders;
        const publication = currentPublication();
        const rendered = pages.map(({ pathname }) => `/${pathname}`);
        const built = { options, publication, folders, rendered, stated, signing };
        const count = (await finishEdition(built)).toLocaleString('en');
        const isFirstBuild = !existsSync(finalDir);
        await replaceFolder(nextDir, finalDir);
        const seconds = Math.round((performance.now() - started) / 1000);
        print(`${count} files, ${seconds} s: edition ${publication.dataset.edition}`);
        if (publication.hub !== null && !options.noPing) await announce(options, isFirstBuild);
      },
    },
  };
}

async function announce(
  { env, siteUrl, print }: BuildOptions,
  isFirstBuild: boolean,
): Promise<void> {
  try {
    await pingHub(hubUrl(env, siteUrl), siteUrl);
  } catch (error) {
    print(notNotified(error as Error, isFirstBuild));
  }
}

/** Removes what a failed build leaves behind when the process ends; a success leaves nothing. */
function removeOnExit(folder: URL): void {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

import { existsSync, rmSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { themeStyles } from '../schema/theme.ts';
import { BUNDLES, themeModule } from './bundle.ts';
import { currentPublication, setPublication } from './current-publication.ts';
import { finishEdition, replaceFolder } from './finish-edition.ts';
import { loadPublication } from './load-publication.ts';
import type { BuildOptions } from './options.ts';
import { notNotified, pingHub } from './ping-hub.ts';
import type { Publication } from './publication.ts';
import { checkFolder, hubUrl } from './settings.ts';
import { readSigning, type Signing } from './signing.ts';

/**
 * Makes a build an edition: checks content/ before anything is touched, renders into a folder of
 * its own, describes the result in edition.json, and only then puts it in the place of the last
 * one. A build that fails leaves the last edition as it was.
 */
export function editionIntegration(options: BuildOptions): AstroIntegration {
  const { contentDir, env, print } = options;
  const started = performance.now();
  const stated = new Map<string, { headers: Headers; pattern: string }>();
  let signing: Signing | undefined;
  let root: URL;
  let nextDir: URL;
  let finalDir: URL;

  const load = async (): Promise<void> => {
    setPublication(await loadPublication(options, fileURLToPath(root)));
  };

  return {
    name: 'edition',
    hooks: {
      'astro:config:setup': async ({ command, config, updateConfig }) => {
        if (command !== 'build' && command !== 'dev') return;
        root = config.root;
        checkFolder(fileURLToPath(root));
        await load();
        print(summaryLine(currentPublication()));
        const theme = themeModule(() => themeStyles(currentPublication().theme));
        updateConfig({ vite: { plugins: [theme] } });
        if (command !== 'build') return;
        finalDir = config.outDir;
        signing = await readSigning(env, fileURLToPath(new URL('client/', finalDir)));
        nextDir = new URL(`${finalDir.href.replace(/\/$/, '')}.next/`);
        removeOnExit(nextDir);
        updateConfig({
          outDir: nextDir,
          build: { client: new URL('client/', nextDir), server: new URL('server/', nextDir) },
          vite: BUNDLES,
        });
      },

      'astro:server:setup': ({ server, logger }) => {
        server.watcher.add(contentDir);
        server.watcher.on('all', async (_event, path) => {
          if (!path.startsWith(contentDir + sep)) return;
          try {
            await load();
            server.ws.send({ type: 'full-reload' });
          } catch (error) {
            logger.error((error as Error).message);
          }
        });
      },

      'astro:build:generated': ({ routeToHeaders }) => {
        for (const [path, { headers, route }] of routeToHeaders) {
          stated.set(path, { headers, pattern: route.pattern });
        }
      },

      'astro:build:done': async ({ pages }) => {
        const rendered = pages.map(({ pathname }) => `/${pathname}`);
        const publication = currentPublication();
        const folders = { nextDir, finalDir, root };
        const count = await finishEdition({
          options,
          publication,
          folders,
          rendered,
          stated,
          signing,
        });
        const isFirstBuild = !existsSync(finalDir);
        await replaceFolder(nextDir, finalDir);
        const seconds = Math.round((performance.now() - started) / 1000);
        print(
          `${count.toLocaleString('en')} files, ${seconds} s: edition ${publication.dataset.edition}`,
        );
        await announce(options, isFirstBuild);
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

function summaryLine({ dataset }: Publication): string {
  const { known, published, excluded } = dataset.coverage;
  const left = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return `${known} reviews known, ${published} published${left && `, left out: ${left}`}`;
}

/** Removes what a failed build leaves behind when the process ends; a success leaves nothing. */
function removeOnExit(folder: URL): void {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

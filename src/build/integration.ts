import { existsSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { pageRenderer } from '../page-renderer.ts';
import { UsageError } from '../run-command.ts';
import { themeStyles } from '../schema/theme.ts';
import { addFiles } from './add-files.ts';
import { BUNDLES, publicationModule, removeBuildPaths, themeModule } from './bundle.ts';
import { HEADERS_FILE, headersFile, type RouteHeaders } from './headers-file.ts';
import { checkHonesty, readPages } from './honesty.ts';
import { loadPublication, type LoadOptions } from './load-publication.ts';
import { notNotified, pingHub } from './ping-hub.ts';
import { setPublication, type Publication } from './publication.ts';
import { checkFolder, hubUrl } from './settings.ts';
import { readSigning, signedLine, writeSignature, type Signing } from './signing.ts';
import { writeEdition } from './write-edition.ts';

/**
 * Makes a build an edition: checks content/ before anything is touched, renders into a folder of
 * its own, describes the result in edition.json, and only then puts it in the place of the last
 * one. A build that fails leaves the last edition as it was.
 */
export function editionIntegration(options: LoadOptions): AstroIntegration {
  const { siteUrl, contentDir, print } = options;
  const started = performance.now();
  const stated = new Map<string, Headers>();
  const routes = new Map<string, RouteHeaders>();
  let publication: Publication;
  let signing: Signing | undefined;
  let root: URL;
  let finalDir: URL;

  const load = async (): Promise<void> => {
    publication = await loadPublication(options, fileURLToPath(root), warn);
    setPublication(publication);
  };

  return {
    name: 'edition',
    hooks: {
      'astro:config:setup': async ({ command, config, updateConfig }) => {
        if (command !== 'build' && command !== 'dev') return;
        root = config.root;
        checkFolder(fileURLToPath(root));
        await load();
        print(summaryLine(publication));
        const theme = themeModule(() => themeStyles(publication.theme));
        updateConfig({ vite: { plugins: [publicationModule(command), theme] } });
        if (command !== 'build') return;
        finalDir = config.outDir;
        signing = await readSigning(process.env, fileURLToPath(new URL('client/', finalDir)));
        const nextDir = new URL(`${finalDir.href.replace(/\/$/, '')}.next/`);
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
          stated.set(path, headers);
          routes.set(route.pattern, { pattern: route.pattern, headers });
        }
      },

      'astro:build:done': async ({ dir, pages }) => {
        const folder = fileURLToPath(dir);
        const nextDir = new URL('..', dir);
        const serverDir = new URL('server/', nextDir);
        await removeBuildPaths(serverDir, [nextDir, finalDir, root]);
        const render = pageRenderer(fileURLToPath(new URL('entry.mjs', serverDir)));
        const rendered = pages.map(({ pathname }) => `/${pathname}`);
        const added = await addFiles(folder, publication, rendered, render);
        const all = [...routes.values(), ...added.routes];
        await writeFile(new URL(HEADERS_FILE, dir), headersFile(all));
        const htmlPages = await readPages(folder);
        warn(checkHonesty(htmlPages, publication.dataset.reviews));
        print(`${htmlPages.length} pages rendered, compressing`);
        const headers = new Map([...stated, ...added.stated]);
        const { resources } = await writeEdition(folder, publication, headers);
        if (signing) print(signedLine(await writeSignature(folder, signing, Date.now())));
        const isFirstBuild = !existsSync(finalDir);
        await replaceFolder(nextDir, finalDir);
        const seconds = Math.round((performance.now() - started) / 1000);
        const count = resources.length.toLocaleString('en');
        print(`${count} files, ${seconds} s: edition ${publication.dataset.edition}`);
        await announce(isFirstBuild);
      },
    },
  };

  /** With --strict, as in the publish workflow, a warning stops the build. */
  function warn(issues: readonly string[]): void {
    if (issues.length > 0 && process.argv.includes('--strict'))
      throw new UsageError(issues.join('\n'));
    for (const issue of issues) print(`warning: ${issue}`);
  }

  async function announce(isFirstBuild: boolean): Promise<void> {
    try {
      await pingHub(hubUrl(process.env, siteUrl), siteUrl);
    } catch (error) {
      print(notNotified(error as Error, isFirstBuild));
    }
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

async function replaceFolder(next: URL, final: URL): Promise<void> {
  const previous = new URL(`${final.href.replace(/\/$/, '')}.previous/`);
  await rm(previous, { recursive: true, force: true });
  await rename(final, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(next, final);
  await rm(previous, { recursive: true, force: true });
}

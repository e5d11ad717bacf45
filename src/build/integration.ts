import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { policyOfAll } from '../http.ts';
import { pageRenderer } from '../page-renderer.ts';
import { basePath } from '../paths.ts';
import { addFiles } from './add-files.ts';
import { BuildParts } from './build-parts.ts';
import { BUNDLES, removeBuildPaths } from './bundle.ts';
import { CodeInside } from './code-inside.ts';
import { currentPublication } from './current-publication.ts';
import { contentUsage } from '../schema/license.ts';
import {
  HEADERS_FILE,
  headersFile,
  HTACCESS_FILE,
  htaccessFile,
  NO_JEKYLL_FILE,
} from './headers-file.ts';
import { notNotified, pingHub } from './ping-hub.ts';
import type { Publication } from './publication.ts';
import { writeSearch } from './search-program.ts';
import { hubUrl, type BuildOptions } from './settings.ts';
import { readSigning, writeSignature, type Signing } from './signing.ts';
import { slimFonts } from './slim-fonts.ts';
import { documentHeaders, writeEdition } from './write-edition.ts';

/**
 * Makes a build an edition: renders into a folder of its own, describes the result in edition.json,
 * and only then puts it in the place of the last one. A build that fails leaves the last edition as
 * it was.
 */
export function editionIntegration(options: BuildOptions): AstroIntegration {
  const { env, print } = options;
  const parts = new BuildParts();
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
        // A failed build leaves nothing behind.
        process.once('exit', () => rmSync(nextDir, { recursive: true, force: true }));
        updateConfig({
          outDir: nextDir,
          build: { client: new URL('client/', nextDir), server: new URL('server/', nextDir) },
          vite: BUNDLES as object, // comparing the types takes seconds of npm run check
        });
      },

      'astro:build:start': () => parts.end('reading and analyzing'),

      'astro:build:done': async ({ pages }) => {
        parts.end('pages');
        const { root, nextDir, finalDir } = folders;
        const publication = currentPublication();
        await removeBuildPaths(new URL('server/', nextDir), [nextDir, finalDir, root]);
        const rendered = pages.map(({ pathname }) => `/${pathname}`);
        const count = await finishEdition(nextDir, publication, rendered, options, parts);
        const client = fileURLToPath(new URL('client/', nextDir));
        if (signing) await writeSignature(client, signing, Date.now(), print);
        const isFirstBuild = !existsSync(finalDir);
        replaceFolder(nextDir, finalDir);
        const { edition } = publication.dataset;
        print(`${count.toLocaleString('en')} files, ${parts.describe()}: edition ${edition}`);
        if (publication.hub !== null && !options.noPing) await announce(options, isFirstBuild);
      },
    },
  };
}

/**
 * Adds what Astro does not render and describes everything in edition.json.
 *
 * @param rendered paths of the pages
 * @returns the number of resources
 */
async function finishEdition(
  folder: URL,
  publication: Publication,
  rendered: readonly string[],
  { env, siteUrl, print }: BuildOptions,
  parts: BuildParts,
): Promise<number> {
  const client = fileURLToPath(new URL('client/', folder));
  const server = fileURLToPath(new URL('server/', folder));
  const render = pageRenderer(join(server, 'entry.mjs'));
  const code = new CodeInside(client, siteUrl);
  if (!publication.sidecar) await writeSearch(client, server, publication, render, code);
  const homes = new Set(['/', ...(publication.site.languages ?? []).map((tag) => `/${tag}/`)]);
  for (const home of rendered.filter((path) => homes.has(path))) {
    const file = `${home.slice(1)}index.html`;
    await code.write(file, readFileSync(join(client, file), 'utf8'));
  }
  await slimFonts(client);
  const reviews = await addFiles(client, publication, rendered, render, env);
  const [documents, base] = [documentHeaders(publication), basePath(siteUrl)];
  const usage = contentUsage(publication.dataset.license);
  const shared = {
    ...(usage !== undefined && { 'content-usage': usage }),
    'content-security-policy': policyOfAll(code.sources),
  };
  writeFileSync(join(client, HEADERS_FILE), headersFile(rendered, documents, base, shared));
  writeFileSync(join(client, HTACCESS_FILE), htaccessFile(rendered, documents, base, shared));
  writeFileSync(join(client, NO_JEKYLL_FILE), '');
  parts.end('documents, reviews and pictures');
  print(`${rendered.length + reviews} pages rendered, compressing`);
  const { resources } = writeEdition(client, publication, code);
  parts.end('compressing');
  return resources.length;
}

/** Puts a folder in the place of another one. */
function replaceFolder(next: URL, final: URL): void {
  const previous = new URL(`${final.href.replace(/\/$/, '')}.previous/`);
  rmSync(previous, { recursive: true, force: true });
  if (existsSync(final)) renameSync(final, previous);
  renameSync(next, final);
  rmSync(previous, { recursive: true, force: true });
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

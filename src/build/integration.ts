import { existsSync, globSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { readContent } from '../content/read-content.ts';
import { dataHeaders } from '../http.ts';
import {
  EDITION_KEY_PATH,
  FAQ_PATH,
  JSON_TYPE,
  METHOD_CHECK_PATH,
  reviewDocumentPath,
  reviewPath,
  SEARCH_PAGE_PATH,
} from '../paths.ts';
import { pageRenderer } from '../page-renderer.ts';
import { sitemaps } from '../formats/text-files.ts';
import { describeGaps, findGaps } from '../insights/suggest-words.ts';
import { verifyInsights } from '../insights/verify.ts';
import { UsageError } from '../run-command.ts';
import { themeStyles } from '../schema/theme.ts';
import { buildPublication, setPublication, type Publication } from './publication.ts';
import { BUNDLES, publicationModule, removeBuildPaths } from './bundle.ts';
import { checkHonesty, type HtmlPage } from './honesty.ts';
import { editionTime } from './edition-time.ts';
import { HEADERS_FILE, headersFile, type RouteHeaders } from './headers-file.ts';
import { notNotified, pingHub } from './ping-hub.ts';
import { writeReviews } from './review-pages.ts';
import { checkFolder, hubUrl } from './settings.ts';
import {
  readPublicKeys,
  readSigning,
  signedLine,
  writeKeys,
  writeSignature,
  type Signing,
} from './signing.ts';
import { themeModule } from './theme-module.ts';
import { writeCards } from './write-cards.ts';
import { writeEdition } from './write-edition.ts';
import { writeExports } from './write-exports.ts';

const DOCUMENT_HEADERS = new Headers(dataHeaders(JSON_TYPE));

/** Number of newest reviews whose words are compared with the vocabulary. */
const SAMPLED = 2_000;

const ASK_FOR_LICENSE =
  'The data has no license: with data_license in business.json, e.g. "CC-BY-4.0", others may use it';

/**
 * Makes a build an edition: checks content/ before anything is touched, renders into a folder of
 * its own, describes the result in edition.json, and only then puts it in the place of the last
 * one. A build that fails leaves the last edition as it was.
 */
export function editionIntegration(options: {
  siteUrl: string;
  contentDir: string;
  reviewMarkup: boolean;
  /** Writes a line for the person who builds. */
  print: (line: string) => void;
}): AstroIntegration {
  const { siteUrl, contentDir, reviewMarkup, print } = options;
  const started = performance.now();
  const stated = new Map<string, Headers>();
  const routes = new Map<string, RouteHeaders>();
  let publication: Publication;
  let signing: Signing | undefined;
  let root: URL;
  let finalDir: URL;

  const load = async (): Promise<void> => {
    const content = await readContent(contentDir, {
      report: print,
      today: new Date().toISOString().slice(0, 10),
      warn: (warning) => print(`warning: ${warning}`),
    });
    const lastModified = await editionTime(fileURLToPath(root), contentDir, process.env);
    publication = buildPublication(content, siteUrl, { lastModified, reviewMarkup });
    const issues = verifyInsights(publication.dataset, publication.insights);
    if (issues.length > 0) throw new Error(`insights do not add up:\n${issues.join('\n')}`);
    warn(misleading(publication));
    if (publication.dataset.license.url === null) print(ASK_FOR_LICENSE);
    const newest = content.reviews.filter(({ verified }) => verified).slice(-SAMPLED);
    const gaps = findGaps(newest, content.vocabulary, content.business.name);
    if (gaps.elsewhere > 0) print(`${describeGaps(gaps)}: npm run suggest`);
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
        await removeBuildPaths(new URL('server/', nextDir), [nextDir, finalDir, root]);
        const render = pageRenderer(fileURLToPath(new URL('server/entry.mjs', nextDir)));
        const written = await writeReviews(folder, publication, render);
        for (const id of written) stated.set(reviewDocumentPath(id), DOCUMENT_HEADERS);
        routes.set('review', { pattern: reviewDocumentPath('[id]'), headers: DOCUMENT_HEADERS });
        const paths = pagePaths(pages, publication.site.menu);
        const reviewPaths = publication.dataset.reviews.map(({ id }) => reviewPath(id));
        for (const [path, xml] of sitemaps(siteUrl, [...paths, ...reviewPaths])) {
          await writeFile(new URL(path.slice(1), dir), xml);
        }
        await writeCards(folder, publication.cards.values());
        for (const [path, headers] of await writeExports(folder, publication)) {
          stated.set(path, headers);
          routes.set(path, { pattern: path, headers });
        }
        const publicKeys = await readPublicKeys(process.env);
        if (publicKeys.length > 0) {
          await writeKeys(folder, publicKeys);
          stated.set(EDITION_KEY_PATH, new Headers(dataHeaders(JSON_TYPE)));
        }
        await writeFile(new URL(HEADERS_FILE, dir), headersFile([...routes.values()]));
        const critical = publication.dataset.reviews.some(({ rating }) => rating <= 2);
        warn(checkHonesty(await readPages(folder), critical));
        print(`${pages.length + written.length} pages rendered, compressing`);
        const { resources } = await writeEdition(folder, publication, stated);
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

  /** With --strict, as in the publish workflow, what is warned of stops the build. */
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

/** Returns what misleads readers: annotations for other words, an incomplete journal, false claims. */
function misleading({ insights, staleAnnotations: stale, unrecorded }: Publication): string[] {
  const claims = insights.faq.flatMap(({ id, claims }) =>
    claims
      .filter(({ holds }) => !holds)
      .map(
        ({ aspect, side, min_share, share }) =>
          `faq/${id}.md: claims ${min_share}% ${side} for ${aspect}, counted ${share ?? 0}%`,
      ),
  );
  return [
    ...(stale.length > 0
      ? [`${stale.length} stale annotations, made for other words: ${stale.join(', ')}`]
      : []),
    ...(unrecorded === ''
      ? []
      : [`the journal lacks changes of the reviews (${unrecorded}): npm run record`]),
    ...claims,
  ];
}

/** Reads the pages of a folder, by their addresses. */
async function readPages(folder: string): Promise<HtmlPage[]> {
  const files = globSync('**/*.html', { cwd: folder });
  return Promise.all(
    files.sort().map(async (file) => ({
      path: `/${file
        .split(sep)
        .join('/')
        .replace(/index\.html$/, '')}`,
      html: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

/** Returns pages to find: not the one of a wrong address, nor the one that only computes. */
function pagePaths(pages: readonly { pathname: string }[], menu: readonly string[]): string[] {
  const paths = pages.map(({ pathname }) => `/${pathname}`);
  const withoutQuestions = menu.includes(FAQ_PATH) ? [] : [FAQ_PATH];
  const left = new Set(['/404/', METHOD_CHECK_PATH, ...withoutQuestions]);
  return [...paths, SEARCH_PAGE_PATH].filter((path) => !left.has(path)).sort();
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

import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { ViteDevServer } from 'vite';
import { readContent } from '../content/read-content.ts';
import { misquotes } from '../insights/misquotes.ts';
import { wordingOf } from '../messages/wording.ts';
import { SVG_TYPE, TRANSLATED_PAGES } from '../paths.ts';
import { UsageError } from '../run-command.ts';
import { themeStyles } from '../schema/theme.ts';
import { coverageText, leavesOutWords } from '../view/reading-coverage.ts';
import { themeModule } from './bundle.ts';
import { currentPublication, setPublication } from './current-publication.ts';
import { drawCover } from './draw-cover.ts';
import { editionTime } from './edition-time.ts';
import { buildPublication, type Publication } from './publication.ts';
import type { BuildOptions } from './settings.ts';

const ASK_FOR_LICENSE =
  'The data has no license: with data_license in business.json, e.g. "CC-BY-4.0", others may use it';

const NO_SIDECAR_THERE =
  'business.json: sidecar: GitHub Pages serves files alone, so searches, /mcp and the hub would be ' +
  'missing there: "sidecar": false makes a site that needs none';

/** Documents under `astro dev`; a build writes them with less work, in src/build/add-files.ts. */
const DOCUMENTS = {
  pattern: '/[...document]',
  entrypoint: new URL('document-route.ts', import.meta.url),
};

/** Tells if GitHub Pages will serve the edition, as the workflows and their action say. */
function isForPages(siteUrl: string, { DEPLOY, GITHUB_PAGES }: NodeJS.ProcessEnv): boolean {
  const isThere = new URL(siteUrl).hostname.endsWith('.github.io');
  return isThere || DEPLOY === 'pages' || GITHUB_PAGES === 'true';
}

/**
 * Gives the pages what they show: checks and reads the dataset before anything is touched, and under
 * `astro dev` whenever one of its files changes.
 */
export function contentIntegration(options: BuildOptions): AstroIntegration {
  const { contentDir, print } = options;
  let root: string;
  const load = async (): Promise<void> => setPublication(await loadPublication(options, root));

  return {
    name: 'content',
    hooks: {
      'astro:config:setup': async ({ command, config, updateConfig, injectRoute }) => {
        if (command !== 'build' && command !== 'dev') return;
        root = fileURLToPath(config.root);
        // Vite cuts off the path of a file there.
        if (/[#?]/.test(root)) {
          throw new UsageError(
            `${root}: the path must not contain # or ?: move or rename the folder`,
          );
        }
        await load();
        print(summaryLine(currentPublication()));
        const theme = themeModule(() => themeStyles(currentPublication().theme));
        updateConfig({ vite: { plugins: [theme] } });
        if (command === 'dev') injectRoute(DOCUMENTS);
        for (const route of translatedRoutes(currentPublication().site.languages ?? []))
          injectRoute(route);
      },

      'astro:server:setup': ({ server, logger }) => {
        server.middlewares.use(({ url = '' }, response, next) => {
          const picture = currentPublication().pictures.get(url);
          if (!picture) return void next();
          if (url.endsWith('.svg')) response.setHeader('content-type', SVG_TYPE);
          response.end(picture);
        });
        server.watcher.add(contentDir);
        server.watcher.on('all', (_event, path) => {
          if (!path.startsWith(contentDir + sep)) return;
          load().then(
            () => reload(server),
            (error: Error) => logger.error(error.message),
          );
        });
      },
    },
  };
}

/** Shows new content. Astro forgets the paths of pages only when content of its own changes. */
function reload({ environments, ws }: ViteDevServer): void {
  for (const { hot } of Object.values(environments)) hot.send('astro:content-changed', {});
  ws.send({ type: 'full-reload' });
}

/** Returns the pages of further languages, with the code of those in the main one. */
function translatedRoutes(languages: readonly string[]) {
  return languages.flatMap((language) =>
    TRANSLATED_PAGES.map((page) => ({
      pattern: `/${language}/${page.replace(/index$/, '')}`,
      entrypoint: new URL(`../pages/${page}.astro`, import.meta.url),
      prerender: page !== 'search/index',
    })),
  );
}

/**
 * Reads and checks content/ and computes what is published.
 *
 * @param root the folder of the program
 * @throws {UsageError} at anything that misleads readers, if the build is strict
 */
async function loadPublication(
  { siteUrl, contentDir, strict, env, print }: BuildOptions,
  root: string,
): Promise<Publication> {
  const content = await readContent(contentDir, {
    today: new Date().toISOString().slice(0, 10),
    warn: (warning) => print(`warning: ${warning}`),
  });
  const lastModified = await editionTime(root, contentDir, env);
  const cover = content.cover && (await drawCover(content.cover));
  const publication = buildPublication(content, siteUrl, {
    lastModified,
    hubUrl: env.HUB_URL,
    cover,
  });
  const { dataset, insights } = publication;
  const warnings = [...publication.warnings];
  if (publication.sidecar && isForPages(siteUrl, env)) warnings.push(NO_SIDECAR_THERE);
  const misquoted = misquotes(dataset.reviews, insights.per_review);
  if (misquoted.length > 0) throw new Error(`insights misquote reviews:\n${misquoted.join('\n')}`);
  if (strict && warnings.length > 0) throw new UsageError(warnings.join('\n'));
  for (const warning of warnings) print(`warning: ${warning}`);
  if (dataset.license.url === null) print(ASK_FOR_LICENSE);
  const { coverage } = insights;
  if (leavesOutWords(coverage)) print(coverageText(coverage, wordingOf()));
  return publication;
}

function summaryLine({ dataset }: Publication): string {
  const { known, published, excluded } = dataset.coverage;
  const left = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return `${known} reviews known, ${published} published${left && `, left out: ${left}`}`;
}

import { rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basePath } from '../paths.ts';
import { pageRenderer } from '../page-renderer.ts';
import { addFiles } from './add-files.ts';
import { removeBuildPaths } from './bundle.ts';
import { writeSearch } from './search-program.ts';
import { exceededLimits } from './host-limits.ts';
import { HEADERS_FILE, headersFile } from './headers-file.ts';
import type { BuildOptions } from './options.ts';
import type { Publication } from './publication.ts';
import { writeSignature, type Signing } from './signing.ts';
import { writeEdition } from './write-edition.ts';

/** The output of Astro. */
interface Rendered {
  options: BuildOptions;
  publication: Publication;
  /** The folder of the build, the one that it replaces, and that of the program. */
  folders: { nextDir: URL; finalDir: URL; root: URL };
  /** Paths of the pages. */
  rendered: readonly string[];
  /** The headers of each endpoint and page, by path, and the pattern of its route. */
  stated: ReadonlyMap<string, { headers: Headers; pattern: string }>;
  signing: Signing | undefined;
}

/**
 * Adds what Astro does not render, describes everything in edition.json, and signs it.
 *
 * @returns the number of resources
 */
export async function finishEdition(built: Rendered): Promise<number> {
  const { options, publication, folders, rendered, stated, signing } = built;
  const { nextDir, finalDir, root } = folders;
  const client = new URL('client/', nextDir);
  const server = new URL('server/', nextDir);
  await removeBuildPaths(server, [nextDir, finalDir, root]);
  const render = pageRenderer(fileURLToPath(new URL('entry.mjs', server)));
  const folder = fileURLToPath(client);
  if (!publication.sidecar) await writeSearch(folder, fileURLToPath(server), publication, render);
  const added = await addFiles(folder, publication, rendered, render, options.env);
  const routes = new Map([...stated.values()].map((route) => [route.pattern, route]));
  await writeFile(
    new URL(HEADERS_FILE, client),
    headersFile([...routes.values(), ...added.routes], basePath(options.siteUrl)),
  );
  options.print(`${rendered.length + added.pages} pages rendered, compressing`);
  const headers = new Map([...stated].map(([path, { headers }]) => [path, headers]));
  for (const [path, own] of added.stated) headers.set(path, own);
  const { resources } = await writeEdition(folder, publication, headers);
  if (!publication.sidecar)
    for (const line of exceededLimits(resources)) options.print(`warning: ${line}`);
  if (signing) await writeSignature(folder, signing, Date.now(), options.print);
  return resources.length;
}

/** Puts a folder in the place of another one. */
export async function replaceFolder(next: URL, final: URL): Promise<void> {
  const previous = new URL(`${final.href.replace(/\/$/, '')}.previous/`);
  await rm(previous, { recursive: true, force: true });
  await rename(final, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(next, final);
  await rm(previous, { recursive: true, force: true });
}

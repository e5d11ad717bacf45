import { join } from 'node:path';
import type { RenderPage } from '../page-renderer.ts';
import {
  FAQ_PATH,
  METHOD_CHECK_PATH,
  reviewPath,
  SEARCH_PAGE_PATH,
  SHARE_IMAGE_PATH,
} from '../paths.ts';
import { instances } from '../resources/catalogue.ts';
import { SQLITE } from '../resources/reviews.ts';
import { SITEMAP, sitemapXml } from '../resources/sitemap.ts';
import { icon, touchIcon } from '../view/icons.ts';
import { wordingOf } from '../messages/wording.ts';
import { SHARE_IMAGE, shareImage } from '../view/share-image.ts';
import { drawImage } from './draw-image.ts';
import { keptBytes } from './kept-bytes.ts';
import type { Publication } from './publication.ts';
import { writeReviews } from './review-pages.ts';
import { readPublicKeys, writeKeys } from './signing.ts';
import { putFile } from './put-file.ts';
import { writeSqlite } from './write-sqlite.ts';

/**
 * Adds what Astro does not render to a built folder: documents, reviews, sitemaps, pictures, the
 * database and public keys.
 *
 * @param rendered paths of the pages in the folder
 * @param render renders with the code of this build
 * @returns the number of reviews that are files
 */
export async function addFiles(
  folder: string,
  publication: Publication,
  rendered: readonly string[],
  render: RenderPage,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { baseUrl, brand, dataset, pictures, site } = publication;
  const written = await writeReviews(folder, publication, render);
  for (const { instance } of instances(publication)) {
    putFile(join(folder, instance.path), instance.build(publication));
  }
  const reviewPaths = dataset.reviews.map(({ id }) => reviewPath(id));
  const sitemap = sitemapXml(baseUrl, [...listed(rendered, site.menu), ...reviewPaths]);
  putFile(join(folder, SITEMAP.path), sitemap);
  for (const [path, svg, width] of [
    ['/favicon.ico', icon(brand), 32],
    ['/apple-touch-icon.png', touchIcon(brand), 180],
    [
      SHARE_IMAGE_PATH,
      shareImage(brand, dataset.aggregate_rating, wordingOf(publication.language)),
      SHARE_IMAGE.width,
    ],
  ] as const) {
    const picture = await keptBytes(path, [svg, String(width)], () => drawImage(svg, width));
    putFile(join(folder, path), picture);
  }
  putFile(join(folder, 'favicon.svg'), icon(brand));
  for (const [path, bytes] of pictures) putFile(join(folder, path), bytes);
  writeSqlite(join(folder, SQLITE.path), publication);
  const publicKeys = await readPublicKeys(env);
  if (publicKeys.length > 0) await writeKeys(folder, publicKeys);
  return written;
}

/** Returns the pages for the sitemap: without the 404 page and the page that only computes. */
function listed(rendered: readonly string[], menu: readonly string[]): string[] {
  const withoutQuestions = menu.includes(FAQ_PATH) ? [] : [FAQ_PATH];
  const left = new Set(['/404/', METHOD_CHECK_PATH, ...withoutQuestions]);
  return [...rendered, SEARCH_PAGE_PATH].filter((path) => !left.has(path)).sort();
}

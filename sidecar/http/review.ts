import type { H3Event } from 'h3';
import { reviewId } from '../../src/dataset/document.ts';
import { reviewView } from '../../src/dataset/review-document.ts';
import { dataHeaders, pageHeaders } from '../../src/http.ts';
import { JSON_TYPE, reviewDocumentPath, reviewPath } from '../../src/paths.ts';
import { errorOf } from '../../src/schema/error.ts';
import type { GoneBody, WithdrawnReview } from '../../src/schema/review-document.ts';
import type { Edition } from '../edition/edition.ts';
import type { FoundReview } from '../edition/review-records.ts';
import type { RenderPage } from '../../src/page-renderer.ts';
import { answerByBytes } from './computed.ts';
import { errorFor, errorPage, errorResponse, noPage } from './responses.ts';
import type { Compute } from './turns.ts';

/** A path of a review, with its ULID: that of its document, or of its page with or without the slash. */
const REVIEW = new RegExp(`^${reviewPath('([0-9A-HJKMNP-TV-Z]{26})').slice(0, -1)}(/?|\\.json)$`);

const HEADERS = {
  document: Object.entries(dataHeaders(JSON_TYPE)),
  page: Object.entries(pageHeaders()),
};

type Kind = 'page' | 'document';

/** Returns the review that a path leads to, and which of its resources. */
export function parseReviewPath(path: string): { id: string; kind: Kind } | undefined {
  const [, id, end] = REVIEW.exec(path) ?? [];
  return id === undefined ? undefined : { id, kind: end === '.json' ? 'document' : 'page' };
}

/** Serves a resource of a review that is not a file: with the bytes that the file would have. */
export async function serveReview(
  event: H3Event,
  edition: Edition,
  { id, kind }: { id: string; kind: Kind },
  render: RenderPage | undefined,
  compute: Compute,
): Promise<Response> {
  const found = await edition.findReview(id);
  if (!found) return errorFor(event, edition, 404);
  if (!('document' in found)) return gone(kind, found);
  if (kind === 'page' && !render) return noPage(reviewDocumentPath(id));
  const body = await compute(() => bodyOf(edition, found, kind, render));
  const headers = HEADERS[kind];
  return answerByBytes(event, headers, body, edition.lastModified);
}

/** Renders the page of the newest review, whose document is a file. */
export async function renderNewestReview(edition: Edition, render: RenderPage): Promise<void> {
  const { files, ids } = edition;
  const [id] = ids.newest(1);
  const file = id === undefined ? undefined : files.get(reviewDocumentPath(id));
  if (!file) return;
  const document = (await files.bytes(file.identity)).toString();
  await bodyOf(edition, { position: 0, document }, 'page', render);
}

async function bodyOf(
  edition: Edition,
  { position, document }: FoundReview,
  kind: Kind,
  render: RenderPage | undefined,
): Promise<Buffer> {
  if (kind === 'document') return Buffer.from(document);
  const { insights, lines, site } = edition;
  const path = reviewPath(reviewId(lines, position));
  return render!(path, { review: reviewView(lines, position, document, insights), site });
}

function gone(kind: Kind, withdrawn: WithdrawnReview): Response {
  const body: GoneBody = { ...errorOf('gone'), withdrawn };
  return kind === 'page' ? errorPage(410, body.message, {}) : errorResponse(410, body);
}

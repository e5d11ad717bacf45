import type { H3Event } from 'h3';
import { dataHeaders } from '../../src/http.ts';
import { JSON_TYPE, OEMBED_PATH } from '../../src/paths.ts';
import { errorOf } from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import { answerByBytes } from './computed.ts';
import { serveFile, type ChargeBytes } from './files.ts';
import { errorFor, errorResponse, type Answer } from './responses.ts';

/** Serves the oEmbed document: as it is, or with a frame of the size that was asked for (oEmbed 1.0, section 2.2). */
export function serveSiteEmbed(event: H3Event, edition: Edition, chargeBytes: ChargeBytes): Answer {
  const { searchParams: query } = event.url;
  const { base_url: baseUrl } = edition.manifest;
  const page = query.get('url');
  const isOwn = !page || page === baseUrl || page.startsWith(`${baseUrl}/`);
  if (!isOwn || !edition.files.has(OEMBED_PATH)) return errorFor(event, edition, 404);
  const format = query.get('format') || 'json';
  if (format !== 'json') return errorResponse(501, errorOf('not_implemented'));
  const bounds = ['width', 'height'].flatMap((side) => {
    const size = Number(query.get(`max${side}`));
    return size >= 1 ? [[side, Math.floor(size)] as const] : [];
  });
  if (bounds.length === 0) return serveFile(event, edition, OEMBED_PATH, chargeBytes)!;
  return serveWithin(event, edition, bounds);
}

async function serveWithin(
  event: H3Event,
  { files, lastModified }: Edition,
  bounds: readonly (readonly [side: string, size: number])[],
): Promise<Response> {
  const bytes = await files.bytes(files.get(OEMBED_PATH)!.identity);
  const embed = JSON.parse(bytes.toString()) as Record<string, string | number>;
  for (const [side, size] of bounds) {
    if (size >= Number(embed[side])) continue;
    embed.html = String(embed.html).replace(`${side}="${embed[side]}"`, `${side}="${size}"`);
    embed[side] = size;
  }
  const body = Buffer.from(`${JSON.stringify(embed)}\n`);
  const headers = Object.entries(dataHeaders(JSON_TYPE));
  return answerByBytes(event, headers, body, lastModified);
}

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { child, children, parseDocument } from './parse-xml.ts';
import { serve } from './serve.ts';

interface Stored {
  bytes: Buffer;
  headers: IncomingMessage['headers'];
  modified: Date;
}

/** Length of a page of a listing; small, so that a listing has several pages. */
const PAGE_LENGTH = 50;
/** Maximum number of objects that a request may delete. */
const MAX_DELETED = 1000;

/**
 * S3-compatible storage with one bucket in memory: PutObject, ListObjectsV2 and DeleteObjects, as
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ describes them.
 */
export async function startStorage(context: Parameters<typeof serve>[0]) {
  const objects = new Map<string, Stored>();
  /** Method and key or operation of each request, in order. */
  const requests: string[] = [];
  const origin = await serve(context, (request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://storage');
    const [, , ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const operation = url.searchParams.has('list-type') ? 'list' : key;
    const named = `${request.method} ${url.searchParams.has('delete') ? 'delete' : operation}`;
    const body = await buffer(request);
    requests.push(named);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=test/')) {
      response.writeHead(403).end(error('AccessDenied'));
    } else if (request.method === 'PUT') {
      const { headers } = request;
      objects.set(key, { bytes: unchunked(headers, body), headers, modified: new Date() });
      response.writeHead(200, { etag: `"${md5(body, 'hex')}"` }).end();
    } else if (named === 'GET list') {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(page(objects, url));
    } else if (named === 'POST delete') {
      const keys = keysToDelete(body, request.headers);
      for (const key of keys ?? []) objects.delete(key);
      response.writeHead(keys ? 200 : 400).end(keys ? '<DeleteResult/>' : error('MalformedXML'));
    } else {
      response.writeHead(501).end(error('NotImplemented'));
    }
  }

  /** The environment of a client. */
  const env = {
    AWS_ENDPOINT_URL_S3: origin,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_MAX_ATTEMPTS: '1',
  };
  const put = (key: string, text: string, modified = new Date()): void => {
    objects.set(key, { bytes: Buffer.from(text), headers: {}, modified });
  };
  return { objects, requests, env, put };
}

function page(objects: ReadonlyMap<string, Stored>, { searchParams }: URL): string {
  const prefix = searchParams.get('prefix') ?? '';
  const after = decodeURIComponent(searchParams.get('continuation-token') ?? '');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after);
  const shown = keys.sort().slice(0, PAGE_LENGTH);
  const encoded = searchParams.get('encoding-type') === 'url';
  const contents = shown.map((key) => {
    const { modified, bytes } = objects.get(key)!;
    const name = encoded ? encodeURIComponent(key) : key;
    return `<Contents><Key>${name}</Key><LastModified>${modified.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  const more = keys.length > shown.length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>',
    `<IsTruncated>${more}</IsTruncated>`,
    more
      ? `<NextContinuationToken>${encodeURIComponent(shown.at(-1)!)}</NextContinuationToken>`
      : '',
    encoded ? '<EncodingType>url</EncodingType>' : '',
    ...contents,
    '</ListBucketResult>',
  ].join('');
}

/** Returns the keys that a request names; undefined if S3 would refuse it. */
function keysToDelete(body: Buffer, headers: IncomingMessage['headers']): string[] | undefined {
  const objects = children(parseDocument(body.toString()), 'Object');
  const keys = objects.map((object) => child(object, 'Key').text);
  const sums = Object.keys(headers).some((name) => name.startsWith('x-amz-checksum-'));
  const isWhole = sums || headers['content-md5'] === md5(body, 'base64');
  return keys.length > 0 && keys.length <= MAX_DELETED && isWhole ? keys : undefined;
}

/** Returns the bytes of a body in chunks with a trailer (aws-chunked). */
function unchunked(headers: IncomingMessage['headers'], body: Buffer): Buffer {
  if (!headers['content-encoding']?.includes('aws-chunked')) return body;
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, end).toString(), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function md5(bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash('md5').update(bytes).digest(encoding);
}

function error(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
}

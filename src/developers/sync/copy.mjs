// Keeps an exact copy of all reviews of a site, through edits and deletions, with plain GETs.
// SITE=https://reviews.example COPY=copy.json node copy.mjs: run it as often as you like.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

const { SITE, COPY = 'copy.json' } = process.env;
const MEMBERS = `author author_avatar_url best criticism_at date id language owner_reply rating
  salt score source source_url text title updated_at value verified`.split(/\s+/);

/** A list of names selects members and sorts them: canonical JSON (RFC 8785). */
const hashOf = (review = {}) =>
  createHash('sha256').update(JSON.stringify(review, MEMBERS)).digest('hex');

async function get(path, headers = {}) {
  const response = await fetch(SITE + path, { headers });
  if (!response.ok && response.status !== 304) throw new Error(`${path}: ${response.status}`);
  return response;
}

async function readAll() {
  const { journal, reviews } = await (await get('/reviews.json')).json();
  return { head: journal, reviews: Object.fromEntries(reviews.map((one) => [one.id, one])) };
}

/** Returns the changes after the copy's, oldest first; undefined if one is missing or rewritten. */
async function changesAfter({ seq, hash }, page) {
  const changes = [];
  for (let part = page; page.head.seq > seq; part = await (await get(part.next)).json()) {
    const older = part.changes.filter((one) => one.seq > seq && !(changes[0]?.seq <= one.seq));
    changes.unshift(...older.toReversed());
    if (changes[0]?.seq === seq + 1 || part.next === undefined) break;
  }
  const { previous } = changes[0] ?? { previous: page.head.hash };
  return previous === hash && changes.length === page.head.seq - seq ? changes : undefined;
}

async function apply(changes, reviews) {
  const newest = new Map(changes.map((change) => [change.id, change]));
  const present = [...newest.values()].filter(({ after }) => after !== null);
  for (const id of newest.keys()) delete reviews[id];
  if (present.length > 0) {
    const [day] = present.map(({ date }) => date).sort();
    const listing = await (await get(`/api/reviews/since/${day}`)).json();
    for (const one of listing.reviews) if (newest.get(one.id)?.after) reviews[one.id] = one;
  }
  // A cache may answer with an older listing: then the copy stays as it is until the next run.
  const isExact = present.every(({ id, after }) => hashOf(reviews[id]) === after);
  if (!isExact) throw new Error('the listing is not as new as the changes: try again in a minute');
}

const copy = await readFile(COPY, 'utf8').then(JSON.parse, () => ({ head: null }));
const response = await get('/changes.json', copy.etag ? { 'If-None-Match': copy.etag } : {});
if (response.status === 304) process.exit();
const page = await response.json();
const changes = page.complete && copy.head ? await changesAfter(copy.head, page) : undefined;
if (changes) await apply(changes, copy.reviews);
const next = changes ? { ...copy, head: page.head } : await readAll();
const etag = page.head.hash === next.head?.hash ? response.headers.get('etag') : undefined;
await writeFile(`${COPY}.new`, JSON.stringify({ ...next, etag }));
await rename(`${COPY}.new`, COPY);

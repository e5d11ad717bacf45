import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { exchange } from '../support/http.ts';
import { answerOf, type Door } from '../support/mcp.ts';
import { Random } from '../support/random.ts';
import { serveSample } from '../support/targets.ts';

// Nothing here comes from the program but the server: what it should answer is written from the contract,
// sections 4.1, 4.5, 4.6, 4.8 and 8, and from its public documents.

interface Review {
  id: string;
  date: string;
  rating: number;
  text: string | null;
  mentions: { technicians: string[]; services: string[] };
}
/** The members of answers that are compared. */
interface Answer {
  matched: number;
  reviews: Review[];
  groups: { key: string[]; n: number }[];
}
type Question = Record<string, string>;

const QUESTIONS = 400;

/** The comparison that the service documents: NFC, lower case, one kind of apostrophe. */
const plain = (text: string) => text.normalize('NFC').toLowerCase().split('\u2019').join("'");

function isMatch(review: Review, asked: Question): boolean {
  const { rating, min_rating: least, since, until, query } = asked;
  const { mentions_technician: person, mentions_service: service } = asked;
  if (rating !== undefined && review.rating !== Number(rating)) return false;
  if (least !== undefined && review.rating < Number(least)) return false;
  if (since !== undefined && review.date < since) return false;
  if (until !== undefined && review.date > until) return false;
  if (query !== undefined && !(review.text !== null && plain(review.text).includes(plain(query))))
    return false;
  if (person !== undefined && !review.mentions.technicians.includes(person)) return false;
  return service === undefined || review.mentions.services.includes(service);
}

function newestFirst(a: Review, b: Review): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

async function started(context: TestContext) {
  const url = await serveSample(context);
  const get = async (path: string) => (await (await fetch(new URL(path, url))).json()) as Answer;
  const { reviews } = await get('/reviews.json');
  const door: Door = { fetch: (path, init) => exchange(url, path, init) };
  return { get, door, reviews: reviews.toSorted(newestFirst) };
}

/** Returns a question with each parameter now and then; most find something. */
function questionFrom(random: Random, reviews: readonly Review[]): Question {
  const asked: Question = {};
  const review = () => random.pick(reviews);
  if (random.below(4) === 0) asked.rating = String(1 + random.below(5));
  if (random.below(4) === 0) asked.min_rating = String(1 + random.below(9) / 2);
  if (random.below(4) === 0) asked.since = review().date;
  if (random.below(4) === 0) asked.until = review().date;
  if (random.below(2) === 0) {
    const text = review().text ?? 'a';
    const at = random.below(text.length);
    const piece = text.slice(at, at + 1 + random.below(8)).toWellFormed();
    asked.query = random.pick([piece, piece.toUpperCase(), piece.normalize('NFD')]);
  }
  const person = review().mentions.technicians[0];
  if (random.below(6) === 0 && person !== undefined) asked.mentions_technician = person;
  const service = review().mentions.services[0];
  if (random.below(6) === 0 && service !== undefined) asked.mentions_service = service;
  if (random.below(2) === 0) asked.limit = String(1 + random.below(100));
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
}

test(`${QUESTIONS} searches find what the contract says, by GET and by the tool`, async (context) => {
  const { get, door, reviews } = await started(context);
  const random = new Random(54);
  let found = 0;
  for (let number = 0; number < QUESTIONS; number++) {
    const asked = questionFrom(random, reviews);
    const all = reviews.filter((review) => isMatch(review, asked)).map(({ id }) => id);
    const expected = { matched: all.length, ids: all.slice(0, Number(asked.limit ?? 20)) };
    const body = await get(`/api/reviews/search?${new URLSearchParams(asked)}`);
    const idsOf = (each: Answer) => each.reviews.map(({ id }) => id);
    const shown = JSON.stringify(asked);
    assert.deepEqual({ matched: body.matched, ids: idsOf(body) }, expected, shown);
    for (const review of body.reviews) {
      assert.deepEqual(
        review,
        reviews.find(({ id }) => id === review.id),
        shown,
      );
    }
    if (all.length > 0) found++;
    if (number % 8 !== 0) continue;
    const numbers = new Set(['rating', 'min_rating', 'limit']);
    const args = Object.entries(asked).map(([name, value]) => [
      name,
      numbers.has(name) ? Number(value) : value,
    ]);
    const answer = await answerOf(door, 'search_reviews', Object.fromEntries(args));
    assert.deepEqual({ matched: answer.matched, ids: idsOf(answer) }, expected, shown);
  }
  assert.ok(found > QUESTIONS / 2, `only ${found} found anything`);
});

test('listings have the reviews on and after a day, and counts those of each group', async (context) => {
  const { get, reviews } = await started(context);
  const random = new Random(58);
  for (let number = 0; number < 60; number++) {
    const { date } = random.pick(reviews);
    const own = reviews.filter((review) => review.date >= date);
    const listed = await get(`/api/reviews/since/${date}`);
    assert.deepEqual(listed.reviews, own, date);
  }
  const groups: Record<string, (review: Review) => string[]> = {
    rating: ({ rating }) => [String(rating)],
    month: ({ date }) => [date.slice(0, 7)],
    service: ({ mentions }) => mentions.services,
    technician: ({ mentions }) => mentions.technicians,
  };
  for (const [first, valuesOf] of Object.entries(groups)) {
    for (const [second, othersOf] of Object.entries(groups)) {
      if (first === second) continue;
      const asked = questionFrom(random, reviews);
      delete asked.limit;
      const counts = new Map<string, number>();
      for (const review of reviews.filter((each) => isMatch(each, asked))) {
        for (const value of valuesOf(review)) {
          for (const other of othersOf(review)) {
            const key = JSON.stringify([value, other]);
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
        }
      }
      const query = new URLSearchParams({ ...asked, group_by: `${first},${second}` });
      const body = await get(`/api/reviews/count?${query}`);
      const answered = body.groups.map(({ key, n }) => [JSON.stringify(key), n] as const);
      assert.deepEqual(new Map(answered.toSorted()), new Map([...counts].toSorted()), `${query}`);
    }
  }
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from '../support/import.ts';

const STARS = [5, 1, 4, 5, 2, 3, 5, 4];
const DAYS = STARS.map((_, index) => `2024-0${index + 1}-15`);
const AUTHORS = ['Ada', 'Bo', 'Cy', 'Dee', 'Eli', 'Fay', 'Gil', 'Hal'];
const TEXTS = AUTHORS.map((name) => `What ${name} wrote, word for word.`);

type Columns = Record<string, readonly unknown[]>;

function csvOf(columns: Columns): string {
  const rows = Object.values(columns)[0]!.map((_, row) =>
    Object.values(columns).map((values) => values[row]),
  );
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  return [Object.keys(columns), ...rows].map((row) => row.map(cell).join()).join('\n');
}

const GOOD = { rating: STARS, date: DAYS, author: AUTHORS, text: TEXTS };
const TWO_ROWS = { name: AUTHORS.slice(0, 2), date: DAYS.slice(0, 2) };
const all = (value: unknown) => STARS.map(() => value);
const options = { source: 'google', accept: () => Promise.resolve(true) };

const REFUSED: [columns: Columns, reason: RegExp][] = [
  [{ ...GOOD, rating: all(5) }, /all have one rating: rating may be of the place/],
  [{ ...GOOD, rating: all(4.6) }, /Say which is the rating/],
  [{ ...GOOD, stars: STARS.toReversed() }, /The rating may be rating or stars/],
  [{ ...GOOD, date: all('2 months ago') }, /Say which is the date/],
  [{ ...GOOD, date: all(''), 'reply date': DAYS, reply: TEXTS }, /Say which is the date/],
  [{ ...GOOD, 'response at': DAYS, response: TEXTS }, /each date is that of the reply/],
  // Names of another language: the values hint at the columns.
  [{ Nap: DAYS, Pont: STARS, Szöveg: TEXTS }, /--map 'rating=Pont,date=Nap,text=Szöveg'/],
  // The same stars of two rows prove nothing where another column may have them.
  [{ ...TWO_ROWS, rating: [5, 5], sterne_text: [1, 4] }, /Say which is the rating/],
];
for (const [at, [columns, reason]] of REFUSED.entries()) {
  test(`refuses to guess from table ${at}: ${reason.source}`, async (dataset) => {
    await assert.rejects(dataset.runText('a.csv', csvOf(columns), options), reason);
    assert.deepEqual(await dataset.records(), []);
  });
}

test('says all that is missing at once', async (dataset) => {
  const places = STARS.map((_, row) => ['Graz', 'Wien'][row % 2]);
  const states = STARS.map((_, row) => ['done', 'open'][row % 2]);
  const csv = csvOf({ ...GOOD, branch: places, status: states });
  const missing = /(?=.*--place)(?=.*--shown)(?=.*--source)/s;
  await assert.rejects(dataset.runText('a.csv', csv), missing);
});

test('takes what a person says in spite of the checks', async (dataset) => {
  const map = { rating: ['rating'], date: ['date'] };
  const csv = csvOf({ ...GOOD, rating: all(5) });
  const { counts } = await dataset.runText('a.csv', csv, { source: 'google', map });
  assert.equal(counts.added, 8);
});

const PLACE = { name: all('Test Cafe'), rating: all(4.6) };
const SCRAPED = { created_date: all('2025-01-01'), scraped_date: DAYS.toReversed() };
const OTHER_TEXTS = TEXTS.toReversed();
const CHOSEN: Columns[] = [
  // Names of the review before those of the place
  { ...PLACE, review_rating: STARS, review_date: DAYS, author_name: AUTHORS, review_text: TEXTS },
  // The day of the review before that of the scraping
  { ...SCRAPED, stars: STARS, published_at: DAYS, user: AUTHORS, comment: TEXTS },
  // The own words before their translation
  { stars: STARS, date: DAYS, user: AUTHORS, text_translated: OTHER_TEXTS, original_text: TEXTS },
  // The responses of a survey, which are of its customers
  { 'Respondent ID': DAYS, stars: STARS, date: DAYS, user: AUTHORS, 'Response text': TEXTS },
  // A title that is not of the place
  { title: all('Test Cafe'), ...GOOD },
];
for (const columns of CHOSEN) {
  test(`guesses from the columns ${Object.keys(columns).join(', ')}`, async (dataset) => {
    await dataset.runText('a.csv', csvOf(columns), options);
    assert.deepEqual(
      await dataset.values('rating', 'date', 'author', 'title', 'text'),
      STARS.map((stars, row) => [stars, DAYS[row], AUTHORS[row], undefined, TEXTS[row]]),
    );
  });
}

test('shows what a guess would publish before it asks', async (dataset) => {
  let shown: readonly string[] = [];
  const reply = STARS.map((_, row) => (row === 0 ? 'Hi.' : ''));
  const csv = csvOf({ ...GOOD, rating: [8, 2, 10, 8, 8, 8, 8, 12], table: all('7'), reply });
  const accept = async (preview: readonly string[]) => {
    shown = preview;
    return false;
  };
  await assert.rejects(
    dataset.runText('a.csv', csv, { source: 'google', scale: 10, accept }),
    /a guess needs --yes\ncolumns: [^]*\nIf this is right, say so: --map '.*' --scale 10$/,
  );
  assert.deepEqual(shown, [
    'a.csv is in no known format. These columns look right:',
    '  columns: rating → rating, date → date, author → author, text → text, reply → reply',
    '  not read: table ("7")',
    '  ratings are out of 10',
    'The first review, the best and the worst:',
    '  4 of 5, 2024-01-15, Ada on google',
    '    What Ada wrote, word for word.',
    '    Reply, without a date: Hi.',
    '  5 of 5, 2024-03-15, Cy on google',
    '    What Cy wrote, word for word.',
    '  1 of 5, 2024-02-15, Bo on google',
    '    What Bo wrote, word for word.',
    '7 to add, 0 without text, 1 with a reply, 0 without an author',
    '  1 skipped: its rating … is above 5: say --scale 10 or --scale 100',
  ]);
  // A scale that nothing states is asked about.
  const rated = csv.replace('"12"', '"9"');
  const asked = /are from 2 to 10: .*--scale '10' or --scale '5'/;
  await assert.rejects(dataset.runText('a.csv', rated, options), asked);
  const stated = { ...options, source: 'inn', scale: 10, verification: 'Guests only.' };
  await dataset.runText('a.csv', rated, stated);
  assert.equal((await dataset.records())[0]!.rating, 4);
});

const RATING_NAMES = 'rating,Stars,review_rating,Bewertung,score,Sterne,x1,Wertung'.split(',');
const DECOYS: Columns = {
  rating: all(4.6),
  stars: all(5),
  score: all(88),
  reviews: all(37),
  total_score: all(4.7),
  'review score': all(5),
  name: all('Test Cafe'),
  user: all('[object Object]'),
  review: all('{"rating":5}'),
  likes: [0, 0, 3, 0, 0, 1, 0, 0],
};

test('never takes wrong stars from columns that were shuffled, renamed and mixed', async (dataset) => {
  const before = await dataset.files();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...RATING_NAMES),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 12 }),
      fc.subarray(Object.keys(DECOYS)),
      fc.boolean(),
      fc.infiniteStream(fc.nat()),
      async (name, stars, decoys, isJson, order) => {
        const others = decoys.filter((decoy) => decoy.toLowerCase() !== name.toLowerCase());
        const columns: Columns = {
          ...Object.fromEntries(others.map((decoy) => [decoy, DECOYS[decoy]!])),
          review_date: stars.map((_, row) => new Date(Date.UTC(2024, 0, 1 + row)).toISOString()),
          review_id: stars.map((_, row) => `r${row}`),
          [name]: stars,
        };
        const names = Object.keys(columns)
          .map((name) => [order.next().value!, name] as const)
          .sort(([a], [b]) => a - b)
          .map(([, name]) => name);
        const valueOf = (name: string, row: number) => columns[name]![row % columns[name]!.length];
        const rows = stars.map((_, row) =>
          Object.fromEntries(names.map((name) => [name, valueOf(name, row)])),
        );
        const table = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
        const result = await dataset
          .runText(isJson ? 'a.json' : 'a.csv', isJson ? JSON.stringify(rows) : csvOf(table), {
            ...options,
            dryRun: true,
            accept: (preview) => {
              for (const line of preview) {
                const [, rating, day] = /^ {2}(\d) of 5, 2024-01-(\d\d),/.exec(line) ?? [];
                if (rating) assert.equal(Number(rating), stars[Number(day) - 1]);
              }
              taken++;
              return Promise.resolve(false);
            },
          })
          .catch((error: Error) => error);
        assert.ok(result instanceof Error && result.name !== 'AssertionError', String(result));
      },
    ),
    { numRuns: 100 },
  );
  assert.ok(taken > 20, `${taken} guesses`);
  assert.deepEqual(await dataset.files(), before);
});

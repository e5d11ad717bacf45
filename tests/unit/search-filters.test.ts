import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAnswer } from '../../src/search/result.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { SORTS, type SearchFilters } from '../../src/schema/search.ts';
import type { ReviewMentions } from '../../src/schema/review.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const GRACE = { technicians: ['grace-okafor'], services: [] };
const DRAIN = { technicians: ['tom-hale'], services: ['drain-cleaning'] };

const written = (number: number, date: string, fields: object, mentions?: ReviewMentions) =>
  review({ id: ulidOf(number), date, ...fields }, mentions);
const REPLY = { text: 'Thanks.', date: '2026-01-02' };
/** Newest first, named by what tells them apart. */
const REVIEWS = [
  written(5, '2026-03-05', { text: null }, DRAIN),
  written(4, '2026-03-04', { rating: 4, title: 'Never', text: 'Grace: "on time" – 100%.' }, GRACE),
  written(3, '2026-03-04', { rating: 1, title: 'No bargain', text: 'Never\nagain.' }, DRAIN),
  written(2, '2026-03-01', { rating: 3, text: "I'm on time, dear price.", source: 'yelp' }),
  written(1, '2025-12-31', { text: 'ON TIME', language: 'es-MX', owner_reply: REPLY }, GRACE),
];

const NAMES = {
  technicians: [
    { id: 'grace-okafor', names: ['Grace Okafor', 'Grace'] },
    { id: 'grace-hill', names: ['Grace Hill', 'Grace'] },
    { id: 'tom-hale', names: ['Tom Hale', 'Tomás'] },
  ],
  services: [{ id: 'drain-cleaning', names: ['Drain cleaning'] }],
};
const index = new SearchIndex(linesOf(REVIEWS), NAMES);

const idsAt = (positions: readonly number[]) => positions.map((position) => REVIEWS[position]!.id);

const CASES: [behavior: string, filters: Partial<SearchFilters>, numbers: number[]][] = [
  ['a substring in any case, never a review without text', { query: 'on time' }, [4, 2, 1]],
  ['a substring across a line break', { query: 'r\nA' }, [3]],
  ['the opposite apostrophe', { query: 'I’m' }, [2]],
  ['a language with its variants', { language: 'es' }, [1]],
  ['a language by its English name', { language: 'Spanish' }, [1]],
  ['a language by its own name', { language: 'Español' }, [1]],
  ['a platform by its domain', { source: 'Yelp.com' }, [2]],
  ['everybody but a person', { mentions_technician: '-Grace Okafor' }, [5, 3, 2]],
  ['one of two people', { mentions_technician: 'tom hale,grace okafor' }, [5, 4, 3, 1]],
  ['one name without one of its ids', { mentions_technician: 'Grace,-grace-okafor' }, []],
  ['words without others', { query: 'time -never', match: 'words' }, [2, 1]],
  ['everything without a string', { query: '-"on time"', match: 'words' }, [5, 3]],
  ['everything without strings', { query: '-"r pr" -"0%." -"o.*e"', match: 'words' }, [5, 3, 1]],
];

for (const [behavior, filters, numbers] of CASES) {
  test(`finds ${behavior}`, () => {
    const { matched, positions } = index.search({ ...filters, limit: 100 });
    assert.equal(matched, numbers.length);
    assert.deepEqual(idsAt(positions), numbers.map(ulidOf));
  });
}

test('a kept column is a filter by its values, and a group', () => {
  const from = (country: string) => review({ attributes: { Country: country, Room: 'Double' } });
  const reviews = [from('Peru'), from('Chile'), from('Peru'), review({})];
  const index = new SearchIndex(linesOf(reviews), {});
  const find = (attribute: string) => index.search({ attribute, limit: 10 }).positions;
  assert.deepEqual([find('peru'), find('Country: Chile')], [[0, 2], [1]]);
  assert.deepEqual(find('-Peru'), [1, 3]);
  const { unresolved } = index.search({ attribute: 'Perv', limit: 1 });
  assert.equal(unresolved?.[0]?.suggestions[0]?.id, 'Country: Peru');
  const { groups } = index.count({ group_by: ['attribute'], examples: 0 });
  const counts = groups.map(({ group: { key, n } }) => `${n} ${String(key)}`);
  assert.deepEqual(counts, ['3 Room: Double', '2 Country: Peru', '1 Country: Chile']);
});

test('a brief answer has the words and what a citation needs', () => {
  const filters = { detail: 'brief', sort: 'oldest', limit: 1 } as const;
  const found = index.search(filters);
  const answer = JSON.parse(Buffer.from(searchAnswer(index.lines, filters, found, [])).toString());
  const { id, url, author, rating, date, title, text, mentions } = REVIEWS[4]!;
  const words = { title, text, owner_reply: { text: 'Thanks.' } };
  assert.deepEqual(answer.reviews, [{ id, url, author, rating, date, ...words, mentions }]);
  assert.deepEqual(answer.filters, {});
});

test('no page follows one that ends with the last review', () => {
  const { next } = index.search({ limit: 3 });
  const last = index.search({ cursor: next!, limit: REVIEWS.length - 3 });
  assert.equal(last.positions.length, REVIEWS.length - 3);
  assert.equal(last.next, undefined);
});

test('a cursor holds its place while reviews arrive and go, also between two of one day', () => {
  for (const sort of SORTS) {
    for (let limit = 1; limit < REVIEWS.length; limit++) {
      const { positions, next } = index.search({ sort, limit });
      const gone = positions.at(-1)!;
      const later = [
        review({ id: ulidOf(9), date: '2026-04-01', rating: 5 }),
        review({ id: ulidOf(8), date: '2026-04-01', rating: 1 }),
        ...REVIEWS.filter((_, position) => position !== gone),
      ];
      const found = new SearchIndex(linesOf(later), NAMES).search({ cursor: next!, limit: 100 });
      const ids = found.positions.map((position) => later[position]!.id);
      const rest = idsAt(index.search({ sort, limit: 100 }).positions.slice(limit));
      const old = ids.filter((id) => id !== ulidOf(8) && id !== ulidOf(9));
      assert.deepEqual(old, rest, `${sort}, ${limit}`);
    }
  }
});

test('says how a name was understood, and when nothing has it', () => {
  const { resolved, unresolved } = index.search({
    mentions_service: 'cleaning of pipes',
    mentions_technician: 'tom hal',
    limit: 1,
  });
  assert.deepEqual(resolved, { mentions_technician: ['tom-hale'] });
  const suggestions = [{ id: 'drain-cleaning', label: 'Drain cleaning' }];
  const unknown = { parameter: 'mentions_service', value: 'cleaning of pipes', suggestions };
  assert.deepEqual(unresolved, [unknown]);
  const known = index.search({ mentions_service: 'drain-cleaning', limit: 1 });
  assert.deepEqual([known.resolved, known.unresolved], [undefined, undefined]);
});

test('suggests something for three unknown names of a request, however many it has', () => {
  const names = Array.from({ length: 10 }, (_, at) => `Tomaz${'abcdefghij'[at]}`);
  const { unresolved } = index.search({ mentions_technician: names.join(), limit: 1 });
  const suggested = unresolved!.map(({ suggestions }) => suggestions.length > 0);
  assert.equal(suggested.indexOf(false), 3);
  assert.ok(!suggested.slice(3).includes(true));
});

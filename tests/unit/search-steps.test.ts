import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { countAnswer } from '../../src/search/result.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { parseWords } from '../../src/search/words.ts';
import { searchView } from '../../src/search/search-view.ts';
import { linesOf, review, ulidOf } from '../support/reviews.ts';

const REVIEWS = 20_000;
const NAMES = 100;
/** Characters of a text, and of all texts. */
const LENGTH = 300;
const ALL = REVIEWS * LENGTH;
/** Bounds of a step: characters to look through, besides those of 32 texts, and texts to cut. */
const MOST_READ = 2 ** 20 + 32 * LENGTH;
const MOST_CUT = 20;

/** An index whose reviews all have the grams of many queries, and people and services in turn. */
const index = new SearchIndex(
  linesOf(
    Array.from({ length: REVIEWS }, (_, at) =>
      review(
        {
          id: ulidOf(REVIEWS - at),
          title: 'the tap',
          text: 'the tap, there. '.repeat(30).slice(0, LENGTH),
        },
        { technicians: [`t${at % NAMES}`], services: [`s${Math.floor(at / NAMES) % NAMES}`] },
      ),
    ),
  ),
  {},
);

/** Does all steps and returns what each of them did. */
function trace(context: TestContext, steps: Iterator<void>): { read: number; cut: number }[] {
  const done: { read: number; cut: number }[] = [];
  let step = { read: 0, cut: 0 };
  const { includes } = String.prototype;
  const { segment } = Intl.Segmenter.prototype;
  context.mock.method(String.prototype, 'includes', function (this: string, found: string) {
    step.read += this.length;
    return includes.call(this, found);
  });
  context.mock.method(
    Intl.Segmenter.prototype,
    'segment',
    function (this: Intl.Segmenter, text: string) {
      step.cut++;
      return segment.call(this, text);
    },
  );
  for (let ended = false; !ended;) {
    step = { read: 0, cut: 0 };
    ended = steps.next().done === true;
    done.push(step);
  }
  context.mock.restoreAll();
  return done;
}

const WORDS = 'heret tapthe the tap there tap, ther heth apth reth eret etap ,the';
const DEAREST = {
  search: () => index.prepare({ query: 'tap, there. the tap', in: ['text', 'title'] }),
  count: () =>
    countAnswer(
      index,
      { query: 'tap, there', group_by: ['technician', 'service'], examples: 2 },
      [],
    ),
  page: () =>
    searchView(
      new URLSearchParams({ query: 'therethe tapthere heretap there.the', rating: '5' }),
      index,
    ),
  rank: () => index.rank(parseWords(WORDS, new Set()), 20),
};

for (const [name, begin] of Object.entries(DEAREST)) {
  test(`no step of the dearest ${name} looks through more than its share of the texts`, (context) => {
    const steps = trace(context, begin());
    const read = steps.reduce((sum, step) => sum + step.read, 0);
    const most = Math.max(...steps.map((step) => step.read));
    assert.ok(most <= MOST_READ, `${most} characters in a step, ${read} in ${steps.length}`);
    if (name !== 'rank') assert.ok(read >= ALL, `${read} characters`);
    assert.ok(Math.max(...steps.map(({ cut }) => cut)) <= MOST_CUT);
  });
}

test('no step of a count by two groups counts all of them', () => {
  const tallies = NAMES * NAMES;
  const words = Math.ceil(REVIEWS / 32);
  const steps = [...countAnswer(index, { group_by: ['technician', 'service'], examples: 0 }, [])];
  assert.ok(steps.length >= Math.floor((tallies * words) / 2 ** 20), `${steps.length} steps`);
});

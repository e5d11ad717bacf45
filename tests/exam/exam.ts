import type { CountFilters } from '../../src/schema/count.ts';
import type { Review } from '../../src/schema/review.ts';
import type { ReviewFilters, SearchFilters } from '../../src/schema/search.ts';
import { naiveCount, type NaiveGroup } from '../support/naive-count.ts';
import { naiveMatches, type Published } from '../support/naive-search.ts';

/** Calls a tool and returns its structured answer. */
// oxlint-disable-next-line typescript/no-explicit-any -- each plan knows what it asked for
export type CallTool = (name: string, args: object) => Promise<any>;

/** A question about the reviews, a plan of tool calls that answers it, and the truth. */
export interface Question {
  text: string;
  plan: (call: CallTool) => Promise<unknown>;
  /** Recounts the answer from the published files. */
  truth: (published: Published) => unknown;
  budget: { calls: number; tokens: number };
}

/** The counts that a conclusion is drawn from. */
export interface Counts {
  total: number;
  groups: NaiveGroup[];
}

const COUNT_BUDGET = { calls: 1, tokens: 2_500 };
const READ_BUDGET = { calls: 1, tokens: 6_000 };

/** A question that one count answers. */
export function byCounting(
  text: string,
  args: Partial<CountFilters>,
  conclude: (counts: Counts) => unknown,
  aliases: Partial<ReviewFilters> = {},
): Question {
  return {
    text,
    budget: COUNT_BUDGET,
    plan: async (call) => {
      const { total, groups } = await call('count_reviews', { ...args, ...aliases });
      return conclude({
        total,
        groups: groups.map(({ key, ...numbers }: NaiveGroup & { key: string | string[] }) => ({
          ...numbers,
          values: [key].flat(),
        })),
      });
    },
    truth: (published) => conclude(naiveCount(published, { examples: 0, ...args })),
  };
}

/** A question that reading all matches answers: their ids and words, newest first. */
export function byReading(
  text: string,
  args: ReviewFilters,
  aliases: Partial<ReviewFilters> = {},
): Question {
  const words = ({ id, text }: Pick<Review, 'id' | 'text'>) => [id, text];
  return {
    text,
    budget: READ_BUDGET,
    plan: async (call) => {
      const filters: Partial<SearchFilters> = { ...args, ...aliases, detail: 'brief', limit: 20 };
      const { matched, reviews } = await call('search_reviews', filters);
      return { matched, newest: reviews.map(words) };
    },
    truth: (published) => {
      const matches = naiveMatches(published, args);
      return { matched: matches.length, newest: matches.slice(0, 20).map(words) };
    },
  };
}

/** A question that needs quotes: every quote must be a piece of a review that matches. */
export function byQuoting(text: string, args: Partial<CountFilters>): Question {
  return {
    text,
    budget: COUNT_BUDGET,
    plan: async (call) => {
      const { groups } = await call('count_reviews', { ...args, examples: 2 });
      // oxlint-disable-next-line typescript/no-explicit-any -- as above
      return groups.flatMap(({ examples }: any) => examples);
    },
    truth: (published) => ({
      everyQuote: ({ review_id, quote }: { review_id: string; quote: string }) =>
        naiveMatches(published, args).some(
          (review) => review.id === review_id && review.text?.includes(quote) === true,
        ),
    }),
  };
}

/** Returns the values of the group that is best by a measure; ties go to the larger group. */
export function best(measure: (group: NaiveGroup) => number) {
  return ({ groups }: Counts): string[] | undefined =>
    groups.toSorted(
      (a, b) =>
        measure(b) - measure(a) || b.n - a.n || (a.values.join() < b.values.join() ? -1 : 1),
    )[0]?.values;
}

/** Returns a number of each group by its values, in the order of the values. */
export function each(measure: (group: NaiveGroup) => number) {
  return ({ groups }: Counts): [string, number][] =>
    groups
      .map((group): [string, number] => [group.values.join(' '), measure(group)])
      .sort(([a], [b]) => (a < b ? -1 : 1));
}

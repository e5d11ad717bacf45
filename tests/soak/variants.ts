import type { Manifest } from '../../src/edition/manifest.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import { elements, textOf } from '../support/html.ts';
import { naiveSearch } from '../support/naive-search.ts';
import { documentOf } from '../support/reviews.ts';

/** Number of editions that take turns. */
const VARIANTS = 4;
const MARK = / \(edition (\d)\)$/;
const MARKS = / \(edition (\d)\)/g;

/**
 * Editions whose reviews each name their edition, so that a response mixed from two, or different
 * from its own edition, is detected.
 */
export class Variants {
  readonly #documents: readonly string[];
  readonly #reviews: readonly (readonly Review[])[];
  readonly #names: Manifest['names'];
  /** Cached correct answers, by query. */
  readonly #right = new Map<string, readonly string[]>();

  constructor(sample: ReviewsDataset, names: Manifest['names']) {
    const variants = Array.from({ length: VARIANTS }, (_, variant) => marked(sample, variant));
    this.#documents = variants.map(documentOf);
    this.#reviews = variants.map(({ reviews }) => reviews);
    this.#names = names;
  }

  /** Returns reviews.json of a version of the edition. */
  document(version: number): string {
    return this.#documents[version % VARIANTS]!;
  }

  isDocument(text: string): boolean {
    return this.#documents.includes(text);
  }

  isSearchAnswer(filters: SearchFilters, answer: { matched: number; reviews: Review[] }): boolean {
    const { matched, reviews } = answer;
    const search = (all: readonly Review[]) =>
      naiveSearch({ reviews: all, names: this.#names }, filters);
    const right = this.#rightAnswers(`search ${JSON.stringify(filters)}`, (all) => {
      const { matched, reviews } = search(all);
      return { matched, reviews };
    });
    return isOneOf(right, reviews, { matched, reviews });
  }

  /** Compares what the page counts and shows with the edition that its reviews name. */
  isSearchPage(filters: SearchFilters, html: string): boolean {
    const shown = elements(html, 'article').map(({ inner }) => textOf(inner));
    const marks = shown.map((text) => [...text.matchAll(MARKS)].map(([, mark]) => mark).join());
    const edition = marks[0] === undefined ? 0 : Number(marks[0]);
    const { matched, reviews } = naiveSearch(
      { reviews: this.#reviews[edition] ?? [], names: this.#names },
      { match: 'words', ...filters },
    );
    const authors = reviews.every(({ author }, at) => shown[at]?.includes(author));
    const title = elements(html, 'h2').find(({ attributes }) => attributes.id === 'results-title');
    return (
      Number.parseInt(textOf(title?.inner ?? '').replaceAll(',', ''), 10) === matched &&
      shown.length === reviews.length &&
      marks.every((mark) => mark === String(edition)) &&
      authors
    );
  }

  isListingSince(date: string, { reviews }: { reviews: Review[] }): boolean {
    const right = this.#rightAnswers(`since ${date}`, (all) => ({
      reviews: all.filter((review) => review.date >= date),
    }));
    return isOneOf(right, reviews, { reviews });
  }

  #rightAnswers(question: string, answer: (all: readonly Review[]) => object): readonly string[] {
    const known = this.#right.get(question);
    if (known) return known;
    const right = this.#reviews.map((all) => JSON.stringify(answer(all)));
    this.#right.set(question, right);
    return right;
  }
}

/**
 * Compares with the answer of the edition that the first review names; without reviews, with any.
 */
function isOneOf(right: readonly string[], reviews: readonly Review[], answer: object): boolean {
  const [first] = reviews;
  const text = JSON.stringify(answer);
  if (!first) return right.includes(text);
  return right[Number(MARK.exec(first.text ?? '')?.[1])] === text;
}

function marked(sample: ReviewsDataset, variant: number): ReviewsDataset {
  const reviews = sample.reviews.map((review) => ({
    ...review,
    text: `${review.text ?? ''} (edition ${variant})`,
  }));
  return { ...sample, edition: String(variant).repeat(16), reviews };
}

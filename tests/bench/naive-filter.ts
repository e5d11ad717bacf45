import { fold } from '../../src/search/fold.ts';
import type { EditionNames } from '../../src/search/filter-names.ts';
import { NameIndex } from '../../src/search/names.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchFilters } from '../../src/schema/search.ts';

/** The same search in the simplest way: it looks at every review. */
export class NaiveFilter {
  readonly #reviews: readonly Review[];
  readonly #technicians: NameIndex;
  readonly #services: NameIndex;

  constructor(reviews: readonly Review[], names: EditionNames) {
    this.#reviews = reviews;
    this.#technicians = new NameIndex(names.technicians ?? []);
    this.#services = new NameIndex(names.services ?? []);
  }

  search(filters: SearchFilters): Review[] {
    const { rating, min_rating, since, until, mentions_technician, mentions_service } = filters;
    const query = fold(filters.query!);
    const technicians = mentions_technician && this.#technicians.resolve(mentions_technician);
    const services = mentions_service && this.#services.resolve(mentions_service);
    return this.#reviews.filter(
      (review) =>
        (rating === undefined || review.rating === rating) &&
        (min_rating === undefined || review.rating >= min_rating) &&
        (since === undefined || review.date >= since) &&
        (until === undefined || review.date <= until) &&
        (!technicians || review.mentions.technicians.some((id) => technicians.includes(id))) &&
        (!services || review.mentions.services.some((id) => services.includes(id))) &&
        review.text !== null &&
        fold(review.text).includes(query),
    );
  }
}

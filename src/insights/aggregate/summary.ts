import type { AggregateRating, Coverage } from '../../schema/dataset.ts';
import type { InsightsDataset } from '../../schema/insights.ts';

/** Values that a summary may name, e.g. `aspects.punctuality.positive_pct`. */
type SummaryValues = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Thrown for a placeholder that has no value. */
export class UnknownPlaceholderError extends Error {
  override readonly name = 'UnknownPlaceholderError';
  /** Offset into the summary. */
  readonly offset: number;

  constructor(placeholder: string, offset: number) {
    super(`{{${placeholder}}} names nothing that has a value`);
    this.offset = offset;
  }
}

/**
 * Replaces the placeholders of a text with counted values, so that it cannot go stale.
 *
 * @throws {UnknownPlaceholderError}
 */
export function fillSummary(summary: string, values: SummaryValues): string {
  return summary.replace(PLACEHOLDER, (_, inside: string, offset: number) => {
    const path = inside.trim();
    let value: unknown = values;
    for (const key of path.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined;
    }
    if (typeof value !== 'number' && typeof value !== 'string') {
      throw new UnknownPlaceholderError(path, offset);
    }
    return String(value);
  });
}

/** Returns the values that a summary can name. Lists become objects by id. */
export function summaryValues(
  counted: Pick<InsightsDataset, 'aspects' | 'entities' | 'topics' | 'temporal'>,
  aggregateRating: AggregateRating,
  coverage: Coverage,
) {
  const byId = (items: readonly { id: string }[]) =>
    Object.fromEntries(items.map((item) => [item.id, item]));
  const { technicians, services, problems, service_areas } = counted.entities;
  return {
    aggregate_rating: aggregateRating,
    coverage,
    temporal: counted.temporal,
    aspects: byId(counted.aspects),
    topics: byId(counted.topics),
    technicians: byId(technicians),
    services: byId(services),
    problems: byId(problems),
    service_areas: byId(service_areas),
  };
}

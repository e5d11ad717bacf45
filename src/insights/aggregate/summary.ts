/** Values that a summary may name, e.g. `aspects.punctuality.positive_pct`. */
export type SummaryValues = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** A placeholder that names nothing that has a value. */
export class UnknownPlaceholderError extends Error {
  override readonly name = 'UnknownPlaceholderError';
  /** Where it stands in the summary. */
  readonly offset: number;

  constructor(placeholder: string, offset: number) {
    super(`{{${placeholder}}} names nothing that has a value`);
    this.offset = offset;
  }
}

/**
 * Puts counted values into an authored text, so that it cannot go stale.
 *
 * @throws {UnknownPlaceholderError}
 */
export function fillSummary(summary: string, values: SummaryValues): string {
  return summary.replace(PLACEHOLDER, (_, path: string, offset: number) => {
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

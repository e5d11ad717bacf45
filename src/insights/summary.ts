/** Values that a summary may name, e.g. `aspects.punctuality.positive_pct`. */
export type SummaryValues = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** A placeholder that names nothing that has a value. */
export class UnknownPlaceholderError extends Error {
  override readonly name = 'UnknownPlaceholderError';
  readonly placeholder: string;

  constructor(placeholder: string) {
    super(`{{${placeholder}}} names nothing that has a value`);
    this.placeholder = placeholder;
  }
}

/**
 * Puts counted values into an authored text, so that it cannot go stale.
 *
 * @throws {UnknownPlaceholderError}
 */
export function fillSummary(summary: string, values: SummaryValues): string {
  return summary.replace(PLACEHOLDER, (_, path: string) => {
    let value: unknown = values;
    for (const key of path.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined;
    }
    if (typeof value !== 'number' && typeof value !== 'string') {
      throw new UnknownPlaceholderError(path);
    }
    return String(value);
  });
}

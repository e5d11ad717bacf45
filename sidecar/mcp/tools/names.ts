import type { Matches } from '../../../src/search/search-index.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from '../../../src/search/filter-names.ts';
import type { Edition } from '../../edition/edition.ts';
import type { ToolError } from './tool.ts';

/** Finds the one entry with this name; the error says that there is none, or several. */
export function resolve<T extends { id: string; label: string }>(
  kind: NamedKind,
  name: string,
  entries: readonly T[],
  { search }: Edition,
): { entry: T } | { error: ToolError } {
  const names = search.names.kinds[kind];
  const ids = names.resolve(name);
  const found = entries.filter(({ id }) => ids.includes(id));
  if (found.length === 1) return { entry: found[0]! };
  const known_ids = entries.map(({ id }) => id);
  if (found.length === 0) {
    return { error: unknownName(kind, names.suggest(name), known_ids) };
  }
  const error: ToolError = {
    error: `ambiguous_${kind}`,
    message: 'Several have this name; ask again with one of the ids in suggestions.',
    suggestions: found.map(({ id, label }) => ({ id, label })),
    known_ids,
  };
  return { error };
}

/**
 * Returns the error of filters whose name is unknown: to a model, an answer without reviews would
 * mean that no review matches.
 */
export function unknownFilter(
  unresolved: Matches['unresolved'] | undefined,
  { search }: Edition,
): ToolError | undefined {
  const first = unresolved?.[0];
  if (!first) return undefined;
  const kind = NAME_FILTERS[first.parameter as NameFilter];
  const known = search.names.kinds[kind].entries.map(({ id }) => id);
  const issues = unresolved!.map(({ parameter }) => ({
    path: [parameter],
    code: `unknown_${NAME_FILTERS[parameter as NameFilter]}`,
    message: `${parameter} must be a known id or name`,
  }));
  return { ...unknownName(kind, first.suggestions, known), issues };
}

function unknownName(
  kind: NamedKind,
  suggestions: NonNullable<ToolError['suggestions']>,
  known_ids: string[],
): ToolError {
  return {
    error: `unknown_${kind}`,
    message: `No ${kind} has this id or name; known_ids lists every ${kind}.`,
    suggestions,
    known_ids,
  };
}

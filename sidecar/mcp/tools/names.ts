import { editDistance } from '../../../src/dataset/edit-distance.ts';
import { fold } from '../../../src/search/tokens.ts';
import type { ToolError } from './tool.ts';

/** An entity with all its names besides the id. */
export interface Named {
  id: string;
  label: string;
  names: readonly string[];
}

/** More would distract a model from the question. */
const SUGGESTIONS = 3;

/**
 * Finds the one entry with this name, ignoring case; the error says that there is none, or several.
 *
 * @param kind for the error, e.g. `technician`
 */
export function resolve<T extends Named>(
  kind: string,
  name: string,
  entries: readonly T[],
): { entry: T } | { error: ToolError } {
  const wanted = fold(name.trim());
  const found = entries.filter((entry) => namesOf(entry).includes(wanted));
  if (found.length === 1) return { entry: found[0]! };
  const error: ToolError =
    found.length > 1
      ? {
          error: `ambiguous_${kind}`,
          message: 'Several have this name; ask again with one of the ids in suggestions.',
          suggestions: found.map(({ id, label }) => ({ id, label })),
        }
      : {
          error: `unknown_${kind}`,
          message: `No ${kind} has this id or name; known_ids lists every ${kind}.`,
          suggestions: nearest(wanted, entries),
        };
  return { error: { ...error, known_ids: entries.map(({ id }) => id) } };
}

/** Returns the entries with the most similar names; none if nothing is similar. */
function nearest(wanted: string, entries: readonly Named[]): { id: string; label: string }[] {
  return entries
    .map((entry) => ({
      entry,
      distance: Math.min(...namesOf(entry).map((name) => dissimilarity(wanted, name))),
    }))
    .filter(({ distance }) => distance <= MAX_DISSIMILARITY)
    .sort((a, b) => a.distance - b.distance || (a.entry.id < b.entry.id ? -1 : 1))
    .slice(0, SUGGESTIONS)
    .map(({ entry: { id, label } }) => ({ id, label }));
}

function namesOf({ id, label, names }: Named): string[] {
  return [id, label, ...names].map(fold);
}

const MAX_DISSIMILARITY = 0.4;
/** For a name that contains the other one: less similar than one with a single typing error. */
const CONTAINED = 0.25;

/** Words that begin with so many equal letters have the same stem. */
const STEM = 4;

/**
 * Returns 0 if equal, 1 if nothing is similar: edits per letter, unless a part or a stem is equal.
 */
function dissimilarity(a: string, b: string): number {
  const edits = editDistance(a, b) / Math.max(a.length, b.length, 1);
  const shorter = a.length < b.length ? a : b;
  const contained = shorter.length > 2 && (a.includes(b) || b.includes(a));
  const stems = new Set(stemsOf(b));
  const shared = stemsOf(a).some((stem) => stems.has(stem));
  return Math.min(edits, contained || shared ? CONTAINED : 1);
}

function stemsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word.length >= STEM).map((word) => word.slice(0, STEM));
}

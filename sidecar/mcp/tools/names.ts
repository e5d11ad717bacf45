import { editDistance } from '../../../src/dataset/edit-distance.ts';
import { fold } from '../../../src/search/tokens.ts';
import type { Complaint } from './tool.ts';

/** Something that can be asked for, with every name that stands for it besides the id. */
export interface Named {
  id: string;
  label: string;
  names: readonly string[];
}

/** As many as a model reads without losing sight of the question. */
const SUGGESTIONS = 3;

/**
 * The one entry that a name stands for, case-insensitive, or the complaint that there is none, or
 * more than one.
 *
 * @param kind for the complaint, e.g. `technician`
 */
export function resolve<T extends Named>(
  kind: string,
  name: string,
  entries: readonly T[],
): { entry: T } | { complaint: Complaint } {
  const wanted = fold(name.trim());
  const found = entries.filter((entry) => namesOf(entry).includes(wanted));
  if (found.length === 1) return { entry: found[0]! };
  const complaint: Complaint =
    found.length > 1
      ? {
          error: `ambiguous_${kind}`,
          message: `Several have this name; ask again with one of the ids in suggestions.`,
          suggestions: found.map(({ id, label }) => ({ id, label })),
        }
      : {
          error: `unknown_${kind}`,
          message: `No ${kind} has this id or name; known_ids lists every ${kind}.`,
          suggestions: nearest(wanted, entries),
        };
  return { complaint: { ...complaint, known_ids: entries.map(({ id }) => id) } };
}

/** The entries whose names are most like this one; none where nothing is alike. */
function nearest(wanted: string, entries: readonly Named[]): { id: string; label: string }[] {
  return entries
    .map((entry) => ({
      entry,
      distance: Math.min(...namesOf(entry).map((name) => unlikeness(wanted, name))),
    }))
    .filter(({ distance }) => distance <= MOST_UNLIKE)
    .sort((a, b) => a.distance - b.distance || (a.entry.id < b.entry.id ? -1 : 1))
    .slice(0, SUGGESTIONS)
    .map(({ entry: { id, label } }) => ({ id, label }));
}

function namesOf({ id, label, names }: Named): string[] {
  return [id, label, ...names].map(fold);
}

const MOST_UNLIKE = 0.4;
/** One that contains the other is alike, but less than one with a single slip. */
const CONTAINED = 0.25;

/** So many letters at the beginning make two words of one stem. */
const STEM = 4;

/** 0 for equal, 1 for nothing in common: edits by length, or a word of which both have the stem. */
function unlikeness(a: string, b: string): number {
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

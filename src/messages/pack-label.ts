import labels from './pack-labels.json' with { type: 'json' };

const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = labels;

/** Returns a label or question of the trade packs in a language; any other one as it is. */
export function packLabel(english: string, language: string): string {
  return LABELS[language.split('-')[0]!]?.[english] ?? english;
}

const grouped = new Intl.NumberFormat('en-US');

/** `1204` → `1,204`. */
export function figure(value: number): string {
  return grouped.format(value);
}

/** `counted(1, 'review')` → `1 review`; `counted(1204, 'review')` → `1,204 reviews`. */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** A part of a whole as a share of a hundred; of nothing it is none. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

/** A share of a hundred, whole; what is not quite nothing, or not quite all, stays so. */
export function percent(share: number): string {
  if (share > 0 && share < 1) return 'under 1%';
  if (share > 99 && share < 100) return 'over 99%';
  return `${Math.round(share)}%`;
}

/** The slug of a platform as its name: `better-homes` → `Better Homes`. */
export function sourceName(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => {
    return (dash === '' ? '' : ' ') + letter.toUpperCase();
  });
}

/** `plumbing contractor` → `Plumbing contractor`. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An E.164 number as people read it; those of North America in their usual groups, unbroken. */
export function phoneNumber(e164: string): string {
  return e164.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1\u00a0$1\u2011$2\u2011$3');
}

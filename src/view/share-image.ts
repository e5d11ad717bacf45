import { COLORS, rowOfStars, svgText } from '../resources/badge.ts';
import type { AggregateRating } from '../schema/dataset.ts';
import { oneLine } from '../schema/invisible.ts';
import type { Wording } from '../messages/wording.ts';

/** Name and looks that all pictures of a business share. */
export interface Brand {
  name: string;
  /** Color of its links, e.g. `#0a5a55`. */
  accent: string;
  /** The logo of the business as a `data:` address. */
  logo?: string | undefined;
}

/** Size that link previews ask for (Open Graph, `summary_large_image`). */
export const SHARE_IMAGE = { width: 1200, height: 630 } as const;

const PAPER = '#faf8f3';
const { ink: INK, quiet: QUIET, full: FULL, empty: EMPTY } = COLORS.light;

/** Letters in the picture's font: those of Western European languages. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+$/;
const LEFT = 80;
const WIDTH = 1040;
const NAME_MAX = 60;
/** Width of a letter of the font on average, in its size; generous. */
const LETTER = 0.55;

/**
 * Draws the picture of the site: the name, the average with its stars, and how many reviews gave how
 * many stars. A name that the font cannot draw is left out.
 */
export function shareImage(brand: Brand, rating: AggregateRating, { t, decimal }: Wording): string {
  const { distribution, rating_value: average, review_count: count } = rating;
  const heading = drawable(brand.name);
  const bars = ([5, 4, 3, 2, 1] as const).map((value, at) => {
    const width = (distribution[`${value}`] / Math.max(count, 1)) * 360;
    const y = 290 + 52 * at;
    return `${svgText(680, y + 24, 30, QUIET, String(value))}${bar(720, y, 360, EMPTY)}${bar(720, y, width, FULL)}`;
  });
  const { accent, logo } = brand;
  const { width, height } = SHARE_IMAGE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${PAPER}"/>
<rect width="${width}" height="14" fill="${accent}"/>
${logo === undefined ? '' : `<image x="1024" y="56" width="96" height="96" href="${logo}"/>`}
${svgText(LEFT, 104, 30, accent, heading === '' ? '' : drawable(t('picture.heading')))}
${title(heading || drawable(t('picture.unnamed')))}
${svgText(LEFT, 420, 150, INK, average === null ? '–' : decimal(average))}
<g transform="translate(${LEFT} 450) scale(3)">${rowOfStars(0, 0, EMPTY, FULL, average ?? 0)}</g>
${svgText(LEFT, 560, 30, QUIET, drawable(t('picture.count', { count })))}
${bars.join('\n')}
</svg>
`;
}

/** Draws a line as large as its length allows. */
function title(words: string): string {
  const size = Math.min(64, WIDTH / (LETTER * words.length));
  return svgText(LEFT, 180, Number(size.toFixed(1)), INK, words);
}

/** Returns words on one line, shortened; empty if the font lacks one of their letters. */
function drawable(words: string): string {
  const line = oneLine(words);
  if (!DRAWABLE.test(line)) return '';
  return line.length > NAME_MAX ? `${line.slice(0, NAME_MAX - 1)}…` : line;
}

function bar(x: number, y: number, width: number, color: string): string {
  return `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="28" rx="4" fill="${color}"/>`;
}

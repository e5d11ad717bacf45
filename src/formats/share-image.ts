import type { AggregateRating } from '../schema/dataset.ts';
import { oneLine } from '../schema/invisible.ts';
import { escapeHtml } from './feed.ts';

/** Size that link previews ask for (Open Graph, `summary_large_image`). */
export const SHARE_IMAGE = { width: 1200, height: 630 } as const;

/** The path of a star, 20 units wide. */
export const STAR = 'm9.5.6 2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.1-5.9 3.1 1.2-6.5L0 7.5l6.6-.9z';

// The light colors of src/layouts/base.css; a picture has no dark form.
const PAPER = '#faf8f3';
const INK = '#1a2425';
const QUIET = '#556062';
const FULL = '#bd7c0c';
const EMPTY = '#dcd5c5';

/** Letters that the picture's font has: those of Western European languages. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+$/;
const NAME_MAX = 60;
const NAME_WIDTH = 1040;
/** Width of a letter of the font on average, in its size; generous. */
const LETTER = 0.55;

/**
 * Draws the picture of link previews as SVG: the name, the average with its stars, and how many
 * reviews gave how many stars. A name that the font cannot draw is left out.
 */
export function shareImage(name: string, rating: AggregateRating): string {
  const { distribution, rating_value: average, review_count: count } = rating;
  const heading = headingOf(oneLine(name));
  const size = Math.min(64, NAME_WIDTH / (LETTER * heading.length));
  const stars = row(EMPTY) + clipped(row(FULL), average ?? 0);
  const bars = ([5, 4, 3, 2, 1] as const).map((value, at) => {
    const width = (distribution[`${value}`] / Math.max(count, 1)) * 360;
    const y = 290 + 52 * at;
    return `${label(680, y + 24, 30, QUIET, String(value))}${bar(720, y, 360, EMPTY)}${bar(720, y, width, FULL)}`;
  });
  const { width, height } = SHARE_IMAGE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><path id="star" d="${STAR}"/></defs>
<rect width="${width}" height="${height}" fill="${PAPER}"/>
${label(80, 104, 30, QUIET, heading === '' ? '' : 'Reviews of')}
${label(80, 180, size, INK, heading === '' ? 'Customer reviews' : heading)}
${label(80, 420, 150, INK, average === null ? '–' : average.toFixed(2))}
<g transform="translate(80 450) scale(3)">${stars}</g>
${label(80, 560, 30, QUIET, count === 0 ? 'No reviews yet' : `of 5, from ${counted(count)}`)}
${bars.join('\n')}
</svg>
`;
}

function headingOf(name: string): string {
  if (!DRAWABLE.test(name)) return '';
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
}

function counted(count: number): string {
  return `${count.toLocaleString('en-US')} verified ${count === 1 ? 'review' : 'reviews'}`;
}

function row(color: string): string {
  return [0, 1, 2, 3, 4].map((at) => `<use href="#star" x="${22 * at}" fill="${color}"/>`).join('');
}

/** Cuts five stars off after as many as the rating has; the gaps between them count nothing. */
function clipped(stars: string, rating: number): string {
  const full = Math.floor(rating);
  const width = (22 * full + 19 * (rating - full)).toFixed(2);
  return `<clipPath id="rating"><rect width="${width}" height="22"/></clipPath><g clip-path="url(#rating)">${stars}</g>`;
}

function bar(x: number, y: number, width: number, color: string): string {
  return `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="28" rx="14" fill="${color}"/>`;
}

function label(x: number, y: number, size: number, color: string, text: string): string {
  return `<text x="${x}" y="${y}" font-size="${size.toFixed(1)}" fill="${color}">${escapeHtml(text)}</text>`;
}

import { escapeHtml } from '../formats/feed.ts';
import type { AggregateRating } from '../schema/dataset.ts';
import { beginningOf, oneLine } from '../schema/invisible.ts';
import type { Review } from '../schema/review.ts';
import { counted, dayName, figure, sourceName } from './wording.ts';

// The pictures of link previews, as SVG. Each has a name above, and words below.

/** Name and looks that all pictures of a business share. */
export interface Brand {
  name: string;
  /** Color of its links, e.g. `#0a5a55`. */
  accent: string;
  /** Its logo as a `data:` address. */
  logo?: string | undefined;
}

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
const SIDES = { positive: '#3b8066', neutral: '#cbc4b4', negative: '#b9583a' } as const;

/** Letters in the picture's font: those of Western European languages. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+$/;
const LEFT = 80;
const WIDTH = 1040;
const NAME_MAX = 60;
/** Width of a letter of the font on average, in its size; generous. */
const LETTER = 0.55;
const TEXT = { size: 52, line: 68, lines: 3 } as const;
const TEXT_COLUMNS = Math.floor(WIDTH / (TEXT.size * 0.5));

/**
 * Draws the picture of the site: the name, the average with its stars, and how many reviews gave how
 * many stars. A name that the font cannot draw is left out.
 */
export function shareImage(brand: Brand, rating: AggregateRating): string {
  const { distribution, rating_value: average, review_count: count } = rating;
  const heading = drawable(brand.name);
  const bars = ([5, 4, 3, 2, 1] as const).map((value, at) => {
    const width = (distribution[`${value}`] / Math.max(count, 1)) * 360;
    const y = 290 + 52 * at;
    return `${label(680, y + 24, 30, QUIET, String(value))}${bar(720, y, 360, EMPTY)}${bar(720, y, width, FULL)}`;
  });
  return picture(
    brand,
    label(LEFT, 104, 30, brand.accent, heading === '' ? '' : 'Reviews of'),
    title(heading || 'Customer reviews'),
    large(average?.toFixed(2) ?? '–'),
    stars(450, average ?? 0),
    caption(count === 0 ? 'No reviews yet' : `of 5, from ${counted(count, 'verified review')}`),
    ...bars,
  );
}

/**
 * Draws the average of some of the reviews.
 *
 * @param of what they have in common, e.g. a month
 * @param from how many they are, in words
 */
export function ratingImage(brand: Brand, of: string, average: number, from: string): string {
  return picture(
    brand,
    above(brand),
    title(drawable(of) || 'Customer reviews'),
    large(average.toFixed(2)),
    stars(450, average),
    caption(`of 5, from ${from}`),
  );
}

/** Draws which share of the opinions on something is positive. */
export function opinionImage(
  brand: Brand,
  of: string,
  counts: Record<keyof typeof SIDES, number>,
): string {
  const { positive, neutral, negative } = counts;
  const sum = positive + neutral + negative;
  let x = LEFT;
  const shares = Object.entries({ positive, neutral, negative }).map(([side, count]) => {
    const width = (WIDTH * count) / sum;
    x += width;
    const [left, color] = [(x - width).toFixed(1), SIDES[side as keyof typeof SIDES]];
    return `<rect x="${left}" y="470" width="${width.toFixed(1)}" height="32" fill="${color}"/>`;
  });
  return picture(
    brand,
    above(brand),
    title(drawable(of) || 'Customer reviews'),
    large(`${figure(positive)} of ${figure(sum)}`),
    ...shares,
    caption(`opinions are positive, ${figure(negative)} critical`),
  );
}

/** Draws a review: its stars, how it begins, its author and day. Emoji are left out. */
export function reviewImage(brand: Brand, review: Review): string {
  const { author, date, rating, source, text, title } = review;
  const words = drawable(
    (text ?? title ?? '').replaceAll(/\p{Extended_Pictographic}/gu, ''),
    Infinity,
  );
  const lines = wrapped(beginningOf(words, TEXT_COLUMNS * TEXT.lines));
  const by = drawable(author);
  return picture(
    brand,
    above(brand),
    stars(150, rating),
    ...lines.map((line, at) => label(LEFT, 300 + TEXT.line * at, TEXT.size, INK, line)),
    caption(`${by === '' ? '' : `${by}, `}${dayName(date)}, on ${sourceName(source)}`),
  );
}

function picture({ accent, logo }: Brand, ...parts: string[]): string {
  const { width, height } = SHARE_IMAGE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><path id="star" d="${STAR}"/></defs>
<rect width="${width}" height="${height}" fill="${PAPER}"/>
<rect width="${width}" height="14" fill="${accent}"/>
${logo === undefined ? '' : `<image x="1024" y="56" width="96" height="96" href="${logo}"/>`}
${parts.join('\n')}
</svg>
`;
}

function above({ name, accent }: Brand): string {
  const shown = drawable(name);
  return label(LEFT, 104, 30, accent, shown === '' ? 'Customer reviews' : `Reviews of ${shown}`);
}

function title(text: string): string {
  return label(LEFT, 180, fitting(text, 64), INK, text);
}

function large(text: string): string {
  return label(LEFT, 420, fitting(text, 150), INK, text);
}

/** Returns the size in which a line is as wide as the picture, at most the one given. */
function fitting(text: string, most: number): number {
  return Math.min(most, WIDTH / (LETTER * text.length));
}

function caption(text: string): string {
  return label(LEFT, 560, 30, QUIET, text);
}

/** Returns text on one line, shortened; empty if the font lacks one of its letters. */
function drawable(text: string, most = NAME_MAX): string {
  const line = oneLine(text);
  if (!DRAWABLE.test(line)) return '';
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Breaks a text into lines; the last one ends with an ellipsis if there is more. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ').map((word) => word.slice(0, TEXT_COLUMNS))) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= TEXT_COLUMNS)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const shown = lines.slice(0, TEXT.lines);
  if (lines.length > shown.length) shown.push(`${shown.pop()!.replace(/…$/, '')}…`);
  return shown;
}

/** Draws five stars and fills as many as the rating has. */
function stars(y: number, rating: number): string {
  const row = [0, 1, 2, 3, 4].map((at) => {
    const part = Math.min(Math.max(rating - at, 0), 1);
    const fill = part === 0 ? EMPTY : part === 1 ? FULL : 'url(#part)';
    return `${fill === 'url(#part)' ? gradient(part) : ''}<use href="#star" x="${22 * at}" fill="${fill}"/>`;
  });
  return `<g transform="translate(${LEFT} ${y}) scale(3)">${row.join('')}</g>`;
}

/** A clip path would do the same in three times the time: it draws on a layer of its own. */
function gradient(part: number): string {
  const stops = [FULL, EMPTY].map(
    (color) => `<stop offset="${part.toFixed(2)}" stop-color="${color}"/>`,
  );
  return `<linearGradient id="part">${stops.join('')}</linearGradient>`;
}

function bar(x: number, y: number, width: number, color: string): string {
  return `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="28" rx="4" fill="${color}"/>`;
}

function label(x: number, y: number, size: number, color: string, text: string): string {
  return `<text x="${x}" y="${y}" font-size="${size.toFixed(1)}" fill="${color}">${escapeHtml(text)}</text>`;
}

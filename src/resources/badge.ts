import { SVG_TYPE } from '../paths.ts';
import { wordingOf } from '../messages/wording.ts';
import type { Source } from './source.ts';
import { escapeHtml } from './feed.ts';
import { documentResource } from './resource.ts';

const WIDTH = 360;
const HEIGHT = 84;
/** The colors of pictures, as src/layouts/tokens.css has them. */
export const COLORS = {
  light: { card: '#ffffff', ink: '#1a2425', quiet: '#556062', full: '#bd7c0c', empty: '#dcd5c5' },
  dark: { card: '#182021', ink: '#e9ece9', quiet: '#a3afae', full: '#e8b04a', empty: '#3b4747' },
} as const;

const shared = {
  tag: 'Embed',
  title: 'The rating as a picture',
  description: 'Average, distribution, the number of reviews and of those left out, for any width.',
  type: SVG_TYPE,
} as const;

export const BADGE = documentResource({
  ...shared,
  id: 'getBadge',
  path: '/badge.svg',
  build: (source) => badge(source, 'light'),
});

export const DARK_BADGE = documentResource({
  ...shared,
  id: 'getDarkBadge',
  path: '/badge-dark.svg',
  title: 'The rating as a picture, for dark pages',
  build: (source) => badge(source, 'dark'),
});

/** Draws the badge without styles or scripts, so that it looks the same under any policy. */
function badge(
  { dataset, language }: Pick<Source, 'dataset' | 'language'>,
  scheme: keyof typeof COLORS,
): string {
  const { aggregate_rating: rating, business, coverage } = dataset;
  const { t, decimal, figure } = wordingOf(language);
  const { distribution, rating_value: average, review_count: count } = rating;
  const { card, ink, quiet, full, empty } = COLORS[scheme];
  const value = average === null ? '–' : decimal(average);
  const total = t(coverage.known === coverage.published ? 'badge.all' : 'count.reviews', { count });
  const left = coverage.known - coverage.published;
  const stars = [5, 4, 3, 2, 1] as const;
  const counts = stars
    .map((star) => t('badge.with', { count: distribution[`${star}`], stars: figure(star) }))
    .join(t('page.comma'));
  const words = t('badge.words', { average: value, total, name: business.name, counts, left });
  const bars = stars.map((star, at) => {
    const y = 15 + 12 * at;
    const width = (110 * distribution[`${star}`]) / Math.max(count, 1);
    return (
      svgText(232, y + 7, 10, quiet, String(star)) +
      `<rect x="240" y="${y}" width="110" height="7" rx="2" fill="${empty}"/>` +
      `<rect x="240" y="${y}" width="${width.toFixed(1)}" height="7" rx="2" fill="${full}"/>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="words" font-family="system-ui, sans-serif">
<title id="words">${escapeHtml(words)}</title>
<rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" fill="${card}" stroke="${empty}"/>
${svgText(16, 54, 38, ink, value)}
${rowOfStars(110, 14, empty, full, average ?? 0)}
${svgText(110, 52, 13, ink, total)}
${svgText(110, 69, 12, quiet, t('badge.left_out', { left }))}
${bars.join('\n')}
</svg>
`;
}

export function svgText(x: number, y: number, size: number, color: string, words: string): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}">${escapeHtml(words)}</text>`;
}

/** Draws five stars in gray, and over them as many in color as the average has. */
export function rowOfStars(
  x: number,
  y: number,
  empty: string,
  full: string,
  average: number,
): string {
  const star = 'm10 1 2.8 5.9 6.4.8-4.7 4.4 1.2 6.4L10 15.4l-5.7 3.1 1.2-6.4L.8 7.7l6.4-.8z';
  const row = [0, 1, 2, 3, 4].map((at) => `<path transform="translate(${22 * at})" d="${star}"/>`);
  const width = ((110 * average) / 5).toFixed(1);
  return (
    `<g transform="translate(${x} ${y})"><clipPath id="part"><rect width="${width}" height="20"/></clipPath>` +
    `<g fill="${empty}">${row.join('')}</g><g fill="${full}" clip-path="url(#part)">${row.join('')}</g></g>`
  );
}

import { z } from 'zod';
import { leastContrast, nearestReadable } from './contrast.ts';

/** The backgrounds of the pages (--paper, --card and --well of src/layouts/tokens.css). */
export const SURFACES = {
  light: ['#faf8f3', '#ffffff', '#f1ede4'],
  dark: ['#111718', '#182021', '#1e2728'],
} as const;

/** Contrast that text needs (WCAG 2.2, success criterion 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** Contrast of the dark accent if only the light one is given; as much as the program's own has. */
const DERIVED_CONTRAST = 8;

const accent = (scheme: keyof typeof SURFACES) =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color like #0a5a55', abort: true })
    .toLowerCase()
    .refine((color) => leastContrast(color, SURFACES[scheme]).ratio >= TEXT_CONTRAST, {
      error: ({ input }) => {
        const { ratio, surface } = leastContrast(input as string, SURFACES[scheme]);
        const nearest = nearestReadable(input as string, SURFACES[scheme], TEXT_CONTRAST);
        return (
          `has a contrast of ${ratio.toFixed(2)} on ${surface} in the ${scheme} scheme, ` +
          `and text needs ${TEXT_CONTRAST}: the nearest that passes is ${nearest}`
        );
      },
    });

/** `theme` of `business.json`. */
export const theme = z
  .strictObject({
    accent: accent('light')
      .optional()
      .describe('Color of links and buttons, e.g. #0a5a55; dark enough to be read as text.'),
    accent_dark: accent('dark')
      .optional()
      .describe('The same on dark pages; without it, a light tone of the accent.'),
    font: z
      .enum(['serif', 'sans'])
      .default('serif')
      .describe('Headings and quotes with or without serifs.'),
  })
  .meta({ title: 'Theme', description: 'How the pages look.' });
export type Theme = z.infer<typeof theme>;

/** Returns the style sheet of a theme, to load after those of the pages; empty without differences. */
export function themeStyles({ accent, accent_dark, font }: Theme): string {
  const dark = accent_dark ?? (accent && nearestReadable(accent, SURFACES.dark, DERIVED_CONTRAST));
  const properties = [
    ...(dark ? [`--link: light-dark(${accent ?? DEFAULT_ACCENT}, ${dark});`] : []),
    ...(font === 'sans' ? ['--serif: var(--sans);'] : []),
  ];
  return properties.length === 0 ? '' : `:root {\n  ${properties.join('\n  ')}\n}\n`;
}

/** --link of src/layouts/tokens.css, light. */
export const DEFAULT_ACCENT = '#0a5a55';

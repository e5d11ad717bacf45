import type { Brand } from './share-image.ts';

const STAR = 'm16 4.5 3.5 7.2 7.9 1.1-5.7 5.5 1.4 7.9-7.1-3.7-7.1 3.7 1.4-7.9-5.7-5.5 7.9-1.1z';

/** Returns the icon of the site as SVG: the logo or, without one, a star on the accent. */
export function icon({ accent, logo }: Pick<Brand, 'accent' | 'logo'>): string {
  const drawing =
    logo === undefined
      ? `<rect width="32" height="32" rx="7" fill="${accent}"/><path fill="#f2c14e" d="${STAR}"/>`
      : `<image width="32" height="32" href="${logo}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing}</svg>\n`;
}

/** Returns the icon for home screens, which round its corners and show transparency as black. */
export function touchIcon({ accent, logo }: Pick<Brand, 'accent' | 'logo'>): string {
  const drawing =
    logo === undefined
      ? `<rect width="32" height="32" fill="${accent}"/><path fill="#f2c14e" d="${STAR}"/>`
      : `<rect width="32" height="32" fill="#fff"/><image x="3" y="3" width="26" height="26" href="${logo}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing}</svg>\n`;
}

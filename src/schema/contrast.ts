/** A color as `#rrggbb`, in lower case. */
type HexColor = string;

/** Returns the contrast of two colors, 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: HexColor, other: HexColor): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** Returns the background on which a color has the least contrast, and that contrast. */
export function leastContrast(color: HexColor, surfaces: readonly HexColor[]) {
  return surfaces
    .map((surface) => ({ surface, ratio: contrast(color, surface) }))
    .reduce((least, each) => (each.ratio < least.ratio ? each : least));
}

/**
 * Mixes a color with black or white, as little as needed to be read on every surface.
 *
 * @returns the color itself if it can be read already
 */
export function nearestReadable(
  color: HexColor,
  surfaces: readonly HexColor[],
  ratio: number,
): HexColor {
  const end = luminance(surfaces[0]!) > 0.5 ? 0 : 255;
  for (let share = 0; share < STEPS; share++) {
    const mixed = channels(color).map((value) =>
      Math.round(value + (end - value) * (share / STEPS)),
    );
    const candidate = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    if (leastContrast(candidate, surfaces).ratio >= ratio) return candidate;
  }
  return end === 0 ? '#000000' : '#ffffff';
}

const STEPS = 256;

function channels(color: HexColor): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Relative luminance (WCAG 2.2), 0 to 1. */
function luminance(color: HexColor): number {
  const [red, green, blue] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

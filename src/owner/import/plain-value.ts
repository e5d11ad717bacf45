/** No rating or date is longer, and some of their patterns read a text more than once. */
export const LONGEST_VALUE = 100;
const ASCII = 0xfee0;
/** Text that is as it is returned, as most is. */
const PLAIN = /^[!-~]*(?: [!-~]+)*$/;

/**
 * Returns a text or a number as trimmed text with the digits, spaces and punctuation of ASCII: `６` and
 * `٦` are 6, a no-break space is a space, and characters that only direct text are left out. Empty for
 * objects.
 */
export function plainValue(value: unknown): string {
  if (typeof value === 'object') return '';
  const text = String(value ?? '');
  if (PLAIN.test(text)) return text;
  return text
    .replaceAll(/[！-～]/g, (wide) => String.fromCodePoint(wide.codePointAt(0)! - ASCII))
    .replaceAll(/[^\0-\x7f]/gu, (letter) => DIGITS.get(letter) ?? letter)
    .replaceAll(/[\p{Cf}\uFE0F]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('٫', '.')
    .replaceAll('٪', '%')
    .replaceAll('،', ',')
    .trim();
}

/** The digits of all scripts. */
const DIGITS = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    const digits = [...format.format(9876543210)].toReversed();
    const isPositional = digits.length === 10 && digits.every((digit) => /\p{Nd}/u.test(digit));
    return isPositional ? digits.map((digit, value) => [digit, String(value)] as const) : [];
  }),
);

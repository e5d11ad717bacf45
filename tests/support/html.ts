/** Returns the elements of a name in HTML that Astro wrote, each with attributes and content. */
export function elements(
  html: string,
  name: string,
): { attributes: Record<string, string>; inner: string }[] {
  const pattern = new RegExp(`<${name}((?: [^>]*)?)>(?:(.*?)</${name}>)?`, 'gs');
  return [...html.matchAll(pattern)].map(([, attributes = '', inner = '']) => ({
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [
        key!,
        decode(value),
      ]),
    ),
    inner,
  }));
}

/** Returns the text that a reader sees. */
export function textOf(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ''));
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function decode(text: string): string {
  return text.replace(/&(?:#(x?[\da-f]+)|([a-z]+));/g, (whole, code?: string, name = '') =>
    code ? String.fromCodePoint(Number(code.replace('x', '0x'))) : (NAMED[name] ?? whole),
  );
}

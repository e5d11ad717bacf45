/**
 * A callback with parameters added to its own query, which stays as it is, byte for byte (WebSub,
 * section 5.3).
 */
export function withParameters(
  callback: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!callback.includes('?')) return `${callback}?${added}`;
  return /[?&]$/.test(callback) ? callback + added : `${callback}&${added}`;
}

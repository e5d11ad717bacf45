/**
 * Returns the form in which texts and queries are compared: NFC, lower case, and the curly apostrophe
 * that phones type as the plain one. Nothing else changes, so a substring stays a substring.
 */
export function fold(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase().replaceAll('\u2019', "'");
}

/**
 * The form in which texts and queries are compared: NFC, lower case. Nothing else is touched, so a
 * substring stays a substring.
 */
export function fold(text: string): string {
  return text.toWellFormed().normalize('NFC').toLowerCase();
}

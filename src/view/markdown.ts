import { micromark } from 'micromark';

/**
 * Converts authored Markdown to HTML. HTML in it is shown as text, and only safe protocols become
 * links.
 */
export function markdownToHtml(markdown: string): string {
  return micromark(markdown);
}

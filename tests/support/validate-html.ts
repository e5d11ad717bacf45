import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // The renderer's choices where HTML allows several.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    // A business may have a long name.
    'long-title': 'off',
    // Files of this site need no integrity hash.
    'require-sri': ['error', { target: 'crossorigin' }],
    // A ULID may begin with a digit (HTML, section 3.2.6).
    'valid-id': ['error', { relaxed: true }],
  },
});

/** Returns the errors in a page, one per line. */
export async function htmlErrors(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}

import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // How the renderer writes what HTML leaves open.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    // A business may have a long name.
    'long-title': 'off',
    // What comes from this site is bound by its own policy.
    'require-sri': ['error', { target: 'crossorigin' }],
    // A ULID may begin with a digit (HTML, section 3.2.6).
    'valid-id': ['error', { relaxed: true }],
  },
});

/** What is wrong with a page, a line a fault. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
  );
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { llmsText } from '../../src/formats/text-files.ts';
import { dataset, review } from '../support/reviews.ts';

const FORGED = 'Fenwick\r\n\n# Forged\u2028## Forged\n- [Forged](https://evil.example)';

test('a name with line breaks makes no line of its own', () => {
  const plain = dataset([review()]);
  const hostile = { ...plain, business: { ...plain.business, name: FORGED, category: FORGED } };
  const [expected, text] = [plain, hostile].map((each) => llmsText(each, 'https://a.example'));
  assert.equal(text!.split(/[\n\r\u2028\u2029]/).length, expected!.split('\n').length);
  assert.ok(!/^\W*\[?Forged/m.test(text!), text);
  assert.match(text!, /^# Reviews of Fenwick # Forged ## Forged - \[Forged\]/);
});

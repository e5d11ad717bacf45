import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHtml, isHtmlColumn } from '../../src/owner/import/html.ts';
import { separateAdditions } from '../../src/owner/import/platform-additions.ts';
import { ownWords } from '../../src/owner/import/platform-text.ts';

const own = 'Todo bien.\n\nVolveré.';
/** Texts with a translation, and the words of the customer; none where it is the translation alone. */
const TRANSLATIONS: [given: string, text: string][] = [
  [`(Translated by Google) All well.\n\nI will be back.\n\n(Original)\n${own}`, own],
  [`${own}\n\n(Translated by Google)\nAll well.`, own],
  [`(Traduit par Google) Tout va bien.\n\n(Avis d'origine)\n${own}`, own],
  ['(Translated by Google) All well. (Original) Todo bien', 'Todo bien'],
  ['Nie wieder. (Translated by Google) Never again.', 'Nie wieder.'],
  ['(Original) Gut. (Translated by Google) Good.', 'Gut.'],
  ['(Google による翻訳) Good\n\n(原文)\nとても良い', 'とても良い'],
  ['（由 Google 提供翻译）Good（原文）很好', '很好'],
  ['(Перевод Google) Good (Оригинал) Хорошо', 'Хорошо'],
  ['(Google tarafından çevrildi) Good (Orijinal) İyi', 'İyi'],
  ['(Xy Google) Good\n\n(Zq)\nWords of an unknown language', 'Words of an unknown language'],
  ['(Translated by Google) The (old) one (Original) Das (original) Eine', 'Das (original) Eine'],
  ['(Translated by Google) All well.', ''],
  ['Translated by Booking.com: All well.', ''],
  ['Traduit par Google : Tout va bien', ''],
  ['Review translated by Tripadvisor. All well', ''],
  ['[Translated from German] All well', ''],
  ['(Machine translation) All well', ''],
  ['All well (Translated by DeepL)', ''],
  ['(Übersetzt aus dem Englischen) Gut (Original) Good', 'Good'],
  ['(Translated by Google) All well.\n\n(Original)\n', ''],
];
const UNCLEAR = [
  '(Google sent me here) Great',
  '(Xy Google) Good',
  'Great (Translated by Google)',
  '(Translated by Google) A (Original) B (Original) C',
];
const UNTRANSLATED = [
  'An (Original) thought.',
  'Translated by my daughter: all well',
  '(Translated from German by my son) All well',
  'The menu was translated by a machine. Funny',
  'Found them (via Google Maps) yesterday',
  'Great (translated with Google Translate)',
  'Great (I translated this with Google), thanks',
];
for (const [given, text, remark] of [
  ...TRANSLATIONS.map(([given, text]) => {
    return [given, text, text === '' ? 'translationsAlone' : 'translations'] as const;
  }),
  ...UNCLEAR.map((text) => [text, text, 'unclearTranslations'] as const),
  ...UNTRANSLATED.map((text) => [text, text, undefined] as const),
]) {
  test(`finds the words of the customer in ${JSON.stringify(given)}`, () => {
    const found = ownWords(given);
    assert.deepEqual([found.text.trim(), found.remark], [text, remark]);
  });
}

type Additions = Partial<ReturnType<typeof separateAdditions>>;

const ADDITIONS: [given: string, text: string, more: Additions][] = [
  ['Chambres 5/5 | Emplacement 5/5 | Service 4/5', '', { subRatings: 3 }],
  ['Trop cher. Rooms: 2/5 Service: 3/5', 'Trop cher.', { subRatings: 2 }],
  ['Gut\nEssen: 5/5\nService: 4/5\nAmbiente: 5/5', 'Gut', { subRatings: 3 }],
  ['部屋: 5/5\nサービス: 4/5', '', { subRatings: 2 }],
  ['Food: 4/5 Service: 4/5\nThe soup was hot', 'The soup was hot', { subRatings: 2 }],
  ['Kind people. Rooms 5,0 Location 4,0', 'Kind people.', { subRatings: 2 }],
  ['Lovely.\n\nMeal type\nDinner\nFood\n5\nService\n4', 'Lovely.', { subRatings: 2 }],
  ['Lovely\nFood\n5\nService\n4', 'Lovely', { subRatings: 2 }],
  ['It was … read more', 'It was …', { isCut: true }],
  ['It was nice...more', 'It was nice...', { isCut: true }],
  ['It was [...]', 'It was …', { isCut: true }],
  ['Nice place... More', 'Nice place...', { isCut: true }],
  ['Schön… Mehr', 'Schön…', { isCut: true }],
  ['Bon…Lire la suite', 'Bon…', { isCut: true }],
  ['Great!\n\nResponse from the owner 3 weeks ago\nThank you', 'Great!', { reply: 'Thank you' }],
  ['Na ja.\nAntwort vom Inhaber: Danke', 'Na ja.', { reply: 'Danke' }],
];
const WORDS = [
  'Food 5/5, service 5/5',
  'I gave Food: 5/5 Service: 4/5 and would again',
  'Great. Service: 5/5',
  'I want… more',
  'Rooms 5,0',
  'Top\nBread\n5\nagain and again, as I said to everybody who would listen',
  'We paid more',
  'Response from the owner was rude\nreally',
];
for (const [given, text, more] of [
  ...ADDITIONS,
  ...WORDS.map((words): (typeof ADDITIONS)[number] => [words, words, {}]),
]) {
  test(`separates ${JSON.stringify(given)}`, () => {
    const found = separateAdditions(given);
    const none = { subRatings: 0, isCut: false, reply: undefined };
    assert.deepEqual({ ...found, text: found.text.trim() }, { ...none, text, ...more });
  });
}

const PAGES: [html: string, text: string][] = [
  ['<p>Soft &amp; warm<br>I&#39;d buy again</p>', "Soft & warm\nI'd buy again\n"],
  ['Nice &#8220;rye&#8221;&nbsp;&hellip; &lt;b&gt;', 'Nice “rye”\u00a0… <b>'],
  ['I <love> it <3 AT&T &copy 5', 'I <love> it <3 AT&T &copy 5'],
  ['a<script>alert("<p>")</script >b<!-- c -->d<style>e', 'abd'],
];
for (const [html, text] of PAGES) {
  test(`reads ${html}`, () => {
    assert.equal(fromHtml(html), text);
  });
}

const COLUMNS: [values: string[], isHtml: boolean][] = [
  [['<p>Soft &amp; warm</p>'], true],
  [['<!-- wp:paragraph --><p>Good</p>', '[gallery ids=1] Nice', 'Bad'], true],
  [['Good [sic]', 'Bad [not good at all]'], false],
  [['It&#39;s good', 'Fish &amp; chips', 'Good', 'Bad', 'Fine'], true],
  [['<p>Fish & chips</p>', '<p>Good</p>', 'Bad'], true],
  [[...'abcdefghi', 'I typed &amp; once'], false],
  [['I <3 it', 'Fish & chips', '&amp;', 'It&#39;s', 'Good'], false],
  [[], false],
];
for (const [values, isHtml] of COLUMNS) {
  test(`takes ${JSON.stringify(values)} for ${isHtml ? 'pages' : 'plain text'}`, () => {
    assert.equal(isHtmlColumn(values), isHtml);
  });
}

const PARTS =
  '(Google|(Google)| (|Rooms: 5/5 |. A|<|<a |<!--|[a |[a=| |Food\n5\n|<script>|&#|\n'.split('|');
test('reads a megabyte of each hostile text in no time', () => {
  for (const part of PARTS) {
    const text = `a${part.repeat(1e6 / part.length)}a`;
    const begin = performance.now();
    for (const read of [ownWords, separateAdditions, fromHtml]) read(text);
    isHtmlColumn([text]);
    assert.ok(performance.now() - begin < 1500, part);
  }
});

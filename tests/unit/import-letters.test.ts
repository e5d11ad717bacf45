import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAs } from '../../src/owner/import/guess-encoding.ts';
import { cleanRows } from '../../src/owner/import/clean-rows.ts';
import { decodeText, mojibakeRepair } from '../../src/owner/import/letters.ts';

/** Writes a text in an encoding of one byte for each letter. */
function encoded(text: string, encoding: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const byLetter = new Map(bytes.map((byte) => [lettersOf([byte], encoding), byte]));
  return Buffer.from(Array.from(text, (letter) => byLetter.get(letter)!));
}

function lettersOf(bytes: number[], encoding: string): string | undefined {
  try {
    return decodeAs(encoding, Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const TEXTS: [language: string, text: string, encodings: string[]][] = [
  ['English', 'The café was lovely – we’ll be back\nNice bread', ['windows-1252', 'macintosh']],
  ['German', 'Jürgen Groß: sehr schön, gerne wieder', ['windows-1252', 'macintosh', 'cp850']],
  ['French', 'Très bon pain, personnel agréable', ['windows-1252', 'macintosh', 'cp850']],
  ['Spanish', 'Muy buena atención, volveré mañana', ['windows-1252', 'macintosh', 'cp850']],
  ['Italian', 'La qualità è ottima, più di così no', ['windows-1252', 'macintosh', 'cp850']],
  ['Portuguese', 'Péssima experiência, não recomendo', ['windows-1252', 'macintosh', 'cp850']],
  ['Danish', 'Dårlig oplevelse, vi gik tidligt på lørdag', ['windows-1252', 'macintosh', 'cp850']],
  ['Czech', 'Skvělé pečivo, příjemná obsluha', ['windows-1250', 'iso-8859-2']],
  ['Polish', 'Świetne miejsce, długo czekaliśmy', ['windows-1250', 'iso-8859-2']],
  ['Hungarian', 'Rossz minőség, sajnos hideg volt a kávé', ['windows-1250', 'iso-8859-2']],
  ['Turkish', 'Şehrin en iyi fırını, teşekkürler', ['windows-1254']],
  ['Greek', 'Πολύ καλό ψωμί και ευγενικό προσωπικό', ['windows-1253']],
  ['Russian', 'Очень вкусный хлеб и приятный персонал', ['windows-1251', 'koi8-r', 'ibm866']],
  ['Hebrew', 'לחם טעים מאוד ושירות אדיב, לצערי חיכינו הרבה זמן', ['windows-1255']],
  [
    'several languages',
    'Schöne Räume\nTrès bon pain\nMuy buena atención',
    ['windows-1252', 'macintosh'],
  ],
];
for (const [language, text, encodings] of TEXTS) {
  for (const encoding of encodings) {
    test(`reads ${language} in ${encoding}, and says so`, () => {
      const decoded = decodeText('a.csv', encoded(text, encoding), undefined);
      assert.equal(decoded.text, text);
      assert.match(decoded.note!, /is not UTF-8 and was read as .*say --encoding/);
    });
  }
}

test('reads Shift_JIS', () => {
  const bytes = Buffer.from('935888f582b382f182aa906590d882c582b582bd', 'hex');
  assert.equal(decodeText('a.csv', bytes, undefined).text, '店員さんが親切でした');
});

const UNCLEAR: [name: string, hex: string][] = [
  ['Czech of DOS', '536b76d86c822070659f69766f2c2070fda16a656d6ea0206f62736c756861'],
  [
    'Turkish of DOS',
    '806f6b2067817a656c20656b6d656b2c2067816c65722079817a6c8120706572736f6e656c2c2074659f656b6b81726c6572',
  ],
];
for (const [name, hex] of UNCLEAR) {
  test(`refuses ${name}, with the way out`, () => {
    const bytes = Buffer.from(hex, 'hex');
    assert.throws(
      () => decodeText('a.csv', bytes, undefined),
      /^Error: a\.csv: .* say --encoding NAME, such as /,
    );
  });
}

test('reads the encoding that is stated, or names some', () => {
  const bytes = encoded('Größe', 'cp850');
  assert.deepEqual(decodeText('a.csv', bytes, 'CP850'), { text: 'Größe' });
  assert.throws(() => decodeText('a.csv', bytes, 'dos'), /dos is no encoding .* windows-1252, /);
  assert.throws(() => decodeText('a.csv', bytes, 'utf-8'), /a\.csv: cannot be read as utf-8/);
});

test('finds the encoding of ten megabytes in no time', () => {
  for (const part of ['Grüße aus Köln, sehr schön\n', '{"a":"Grüße"},', 'ü', 'ü ', 'ü\n']) {
    const bytes = Buffer.from(part.repeat(1e7 / part.length), 'latin1');
    const begin = performance.now();
    try {
      decodeText('a.csv', bytes, undefined);
    } catch (error) {
      assert.match(String(error), /--encoding/);
    }
    assert.ok(performance.now() - begin < 5000, part);
  }
});

const MOJIBAKE: [broken: string, text: string][] = [
  ['Das Brot ist kÃ¶stlich \u00e2\u0080\u0093 fÃ¼r alles', 'Das Brot ist köstlich – für alles'],
  ['JÃ¼rgen GroÃ\u009f', 'Jürgen Groß'],
  ['Donâ€™t \u00e2\u009d\u00a4\u00ef\u00b8\u008f', 'Don’t ❤️'],
  ['ÐžÑ‡ÐµÐ½ÑŒ', 'Очень'],
];
for (const [broken, text] of MOJIBAKE) {
  test(`repairs ${broken}`, () => {
    assert.equal(mojibakeRepair([broken])!(broken), text);
  });
}

test('repairs no letters that are right', () => {
  const values = ['köstlich', 'MAÇÃ', 'Ã©', 'Größe', 'schön', 'früh'];
  assert.equal(mojibakeRepair(values), undefined);
  assert.equal(mojibakeRepair(['plain']), undefined);
});

test('repairs the letters of rows, however deep, and counts them', () => {
  const rows = [
    { number: 1, row: { name: 'JÃ¼rgen', reply: { texts: ['schÃ¶n', 5, null] } } },
    { number: 2, row: { name: 'Ann' } },
  ];
  const { rows: repaired, notes } = cleanRows(rows);
  assert.deepEqual(notes, [
    'texts whose broken letters, UTF-8 that was read as Latin-1, were repaired: 2',
  ]);
  assert.deepEqual(repaired[0]!.row, { name: 'Jürgen', reply: { texts: ['schön', 5, null] } });
});

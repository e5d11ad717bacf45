import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanRows } from '../../src/owner/import/clean-rows.ts';
import { decodeText, mojibakeRepair } from '../../src/owner/import/letters.ts';

/** Writes a text in an encoding of one byte for each letter. */
function encoded(text: string, encoding: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const decoder = new TextDecoder(encoding);
  const byLetter = new Map(bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from(Array.from(text, (letter) => byLetter.get(letter)!));
}

const WESTERN: [language: string, text: string][] = [
  ['English', 'It was lovely – we’ll be back\nNice bread'],
  ['German', 'Jürgen Groß: sehr schön, gerne wieder'],
  ['French', 'Très bon pain, personnel agréable'],
  ['Spanish', 'Muy buena atención, volveré mañana'],
  ['Italian', 'La qualità è ottima, più di così no'],
  ['Portuguese', 'Péssima experiência, não recomendo'],
  ['Danish', 'Dårlig oplevelse, vi gik tidligt på lørdag'],
  ['several languages', 'Schöne Räume\nTrès bon pain\nMuy buena atención'],
];
for (const [language, text] of WESTERN) {
  test(`reads ${language} in windows-1252, and says so`, () => {
    const decoded = decodeText('a.csv', encoded(text, 'windows-1252'), undefined);
    assert.equal(decoded.text, text);
    assert.match(decoded.note!, /is not UTF-8 and was read as windows-1252; .*say --encoding/);
  });
}

const OTHERS: [language: string, text: string, encodings: string[]][] = [
  ['Czech', 'Skvělé pečivo, příjemná obsluha', ['windows-1250', 'iso-8859-2']],
  ['Croatian', 'Odlična hrana, vratit ćemo se', ['windows-1250', 'iso-8859-2']],
  ['Hungarian', 'Rossz minőség, sajnos hideg volt a kávé', ['windows-1250', 'iso-8859-2']],
  ['Turkish', 'Şehrin en iyi fırını, teşekkürler', ['windows-1254']],
  ['Greek', 'Πολύ καλό ψωμί και ευγενικό προσωπικό', ['windows-1253']],
  ['Russian', 'Очень вкусный хлеб', ['windows-1251', 'koi8-r', 'ibm866']],
  ['German', 'Sehr schön, groß und süß', ['macintosh']],
  ['Spanish', 'El niño se lo pasó genial', ['macintosh']],
  ['a dash', 'Fine — really', ['macintosh']],
];
for (const [language, text, encodings] of OTHERS) {
  for (const encoding of encodings) {
    test(`refuses ${language} in ${encoding} until it is stated`, () => {
      const bytes = encoded(text, encoding);
      const way = /^Error: a\.csv: is not UTF-8, .* or say --encoding NAME, such as /;
      assert.throws(() => decodeText('a.csv', bytes, undefined), way);
      assert.deepEqual(decodeText('a.csv', bytes, encoding), { text });
    });
  }
}

test('refuses letters of DOS, which are signs in windows-1252', () => {
  for (const text of ['Sch\x94ne R\x84ume', 'per\x95 un po caro', 'Sar\x85 la prossima volta']) {
    assert.throws(() => decodeText('a.csv', Buffer.from(text, 'latin1'), undefined), /--encoding/);
  }
});

test('names encodings where the stated one is none', () => {
  const bytes = encoded('Größe', 'windows-1252');
  assert.throws(() => decodeText('a.csv', bytes, 'dos'), /dos is no encoding .* windows-1250 /);
  assert.throws(() => decodeText('a.csv', bytes, 'utf-8'), /a\.csv: cannot be read as utf-8/);
});

test('looks at the letters of ten megabytes in no time', () => {
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

test('repairs the letters of rows, in lists too, and counts them', () => {
  const rows = [
    { number: 1, row: { name: 'JÃ¼rgen', parts: ['schÃ¶n', 'gut'], likes: [5, null] } },
    { number: 2, row: { name: 'Ann' } },
  ];
  const { rows: repaired, notes } = cleanRows(rows);
  assert.match(notes.join(), /broken letters, UTF-8 that was read as Latin-1, were repaired: 2$/);
  const expected = { name: 'Jürgen', parts: 'schön\ngut', likes: [5, null] };
  assert.deepEqual(repaired[0]!.row, expected);
});

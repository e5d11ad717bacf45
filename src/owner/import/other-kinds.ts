const AS_TABLE = 'open it and save or export it as .xlsx or CSV';
const UNPACKED = 'unpack it and import the file in it';

/** The first bytes of files that are no table for this program, and the way out. */
const OTHER_KINDS: [start: string, words: string][] = [
  ['\xd0\xcf\x11\xe0', 'is an old or encrypted Excel file: save it as .xlsx or CSV'],
  ['%PDF', 'is a PDF, not a table: ask the platform for a CSV, Excel or JSON export'],
  ['\x1f\x8b', `is a gzip archive: ${UNPACKED}`],
  ['Rar!', `is a RAR archive: ${UNPACKED}`],
  ['7z\xbc\xaf', `is a 7z archive: ${UNPACKED}`],
  ['BZh', `is a bzip2 archive: ${UNPACKED}`],
  ['\xfd7zX', `is an xz archive: ${UNPACKED}`],
  ['PK\x05\x06', 'is an archive without files: pack or export it again'],
  ['SQLi', 'is a database: export its table of reviews as CSV'],
  ['PAR1', `is a Parquet file: ${AS_TABLE}`],
  ['\xff\xfe\0\0', 'is UTF-32: save it as UTF-8'],
  ['\0\0\xfe\xff', 'is UTF-32: save it as UTF-8'],
];

/** Entries that tell what an archive is. */
const OTHER_DOCUMENTS: [entry: RegExp, words: string][] = [
  [/^content\.xml$/, `is an OpenDocument file: ${AS_TABLE}`],
  [/\.iwa$/, `is a Numbers or Pages document: ${AS_TABLE}`],
  [/^xl\/workbook\.bin$/, `is a binary workbook: ${AS_TABLE}`],
  [/^word\/document\.xml$/, 'is a Word document: copy its table into a spreadsheet and save that'],
];

/** Throws for kinds of files that hold no reviews, or not as a table; says the way out. */
export function refuseOtherKinds(name: string, bytes: Buffer): void {
  const start = bytes.subarray(0, 4).toString('latin1');
  const known = OTHER_KINDS.find(([kind]) => start.startsWith(kind));
  if (known) throw new Error(`${name}: ${known[1]}`);
}

/** Tells whether a text is a page, which may have a table. */
export function isPage(text: string): boolean {
  const start = text.slice(0, 10_000);
  return /^\s*</.test(start) && /<(?:!doctype html|html|head|body|table)\b/i.test(start);
}

/** Throws for text that is no table, says what it is and the way out. */
export function refuseOtherTexts(name: string, text: string): void {
  const start = text.slice(0, 10_000);
  if (isPage(text) && text.split(/<tr\b/i, 3).length < 3) {
    throw new Error(`${name}: is a web page without a table: ${AS_TABLE}, or ask for JSON`);
  }
  if (/^\s*(?:\/[/*].*\s+)?(?:\w+ )*[\w$.]+\s*[=(]\s*[[{]/.test(start)) {
    throw new Error(`${name}: is a script: save the JSON in it as a file`);
  }
  if (/^(?:INSERT INTO|CREATE TABLE|COPY \S+ \()/im.test(start)) {
    throw new Error(`${name}: is a dump of a database in SQL: export its table of reviews as CSV`);
  }
}

/** Throws for the reviews that somebody wrote on Google Maps: they are about places of others. */
export function refuseMaps(name: string, bytes: Buffer): void {
  if (!isOfMaps(bytes)) return;
  throw new Error(
    `${name}: has reviews that one person wrote on Google Maps, about many places: those of a business ` +
      'are in the Takeout of "Google Business Profile", of the account that manages it',
  );
}

/** Throws for documents that are packed as an archive. */
export function refuseDocuments(name: string, entries: readonly string[]): void {
  const known = OTHER_DOCUMENTS.find(([kind]) => entries.some((entry) => kind.test(entry)));
  if (known) throw new Error(`${name}: ${known[1]}`);
}

/** Returns true for the reviews that somebody wrote on Google Maps, about places of others. */
export function isOfMaps(bytes: Buffer): boolean {
  return bytes.includes('"FeatureCollection"') && bytes.includes('five_star_rating_published');
}

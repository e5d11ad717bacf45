import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { InsightsDataset } from '../../src/schema/insights.ts';
import { forEachTarget } from '../support/targets.ts';

// The reviews as lines, for spreadsheets and as a database; tests/integration/sqlite-export.test.ts
// opens the database.

const EXPORTS = {
  '/reviews.ndjson': 'application/x-ndjson',
  '/reviews.csv': 'text/csv; charset=utf-8',
  '/reviews.sqlite': 'application/vnd.sqlite3',
};

forEachTarget((target) => {
  const text = async (path: string) => {
    const response = await target.fetch(path);
    // Without TextDecoder, which drops the byte order mark.
    return Buffer.from(await response.arrayBuffer()).toString();
  };

  test('each export has its type, and all but the database, which is read in parts, are compressed', async () => {
    for (const [path, type] of Object.entries(EXPORTS)) {
      const { headers } = await target.fetch(path, { headers: { 'accept-encoding': 'br' } });
      assert.equal(headers.get('content-type'), type);
      const encoding = path.endsWith('.sqlite') ? null : 'br';
      assert.equal(headers.get('content-encoding'), encoding);
    }
  });

  test('the spreadsheet and the database are saved under their names', async () => {
    for (const name of ['reviews.csv', 'reviews.sqlite']) {
      const { headers } = await target.fetch(`/${name}`);
      assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
    }
  });

  test('reviews.ndjson has the records of reviews.json, byte by byte', async () => {
    const document = await text('/reviews.json');
    const lines = (await text('/reviews.ndjson')).split('\n');
    assert.equal(lines.pop(), '');
    const { reviews } = await target.dataset();
    const records = lines.map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(records, reviews);
    for (const line of lines) assert.ok(document.includes(`\n${line}`));
  });

  test('reviews.csv has one row for each review, with its labels', async () => {
    const csv = await text('/reviews.csv');
    assert.ok(csv.startsWith('\ufeffid,date,rating,title,text,author,'), 'a byte order mark first');
    assert.ok(csv.endsWith('\r\n'));
    const rows = parse(csv, { bom: true, columns: true, recordDelimiter: '\r\n' }) as Record<
      string,
      string
    >[];
    const { reviews } = await target.dataset();
    const { per_review: labels } = await target.json<InsightsDataset>('/insights.json');
    assert.equal(rows.length, reviews.length);
    for (const [index, review] of reviews.entries()) {
      const row = rows[index]!;
      const { sentiment, aspects, technicians } = labels[review.id]!;
      assert.deepEqual([row.id, row.date], [review.id, review.date]);
      assert.equal(row.rating, String(review.rating));
      assert.equal(row.text!.replace(/^'/, ''), (review.text ?? '').replace(/^'/, ''));
      assert.equal(row.reply_date, review.owner_reply?.date ?? '');
      assert.equal(row.url, review.url);
      assert.equal(row.sentiment, sentiment);
      assert.equal(row.technicians, technicians.join(';'));
      assert.equal(row.aspects, aspects.map((one) => `${one.id}:${one.sentiment}`).join(';'));
    }
  });
});

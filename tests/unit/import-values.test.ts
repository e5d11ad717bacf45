import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areTurned, dateIssue } from '../../src/owner/import/date-order.ts';
import { orderOf, parseTime } from '../../src/owner/import/dates.ts';
import { parseRating } from '../../src/owner/import/ratings.ts';
import { formatMap, parseMap } from '../../src/owner/import/field-map.ts';
import { detectLanguage } from '../../src/owner/import/language.ts';
import { personalDataIn } from '../../src/owner/import/personal-data.ts';

const DATES: [text: unknown, day: string | undefined, instant?: string][] = [
  ['2024-04-03', '2024-04-03'],
  ['2024-04-03T19:24:11.000Z', '2024-04-03', '2024-04-03T19:24:11Z'],
  ['2024-04-03T23:30:00-05:00', '2024-04-04', '2024-04-04T04:30:00Z'],
  ['2024-01-19 08:12:44', '2024-01-19', '2024-01-19T08:12:44Z'],
  ['2024-01-19 08:12 UTC', '2024-01-19', '2024-01-19T08:12:00Z'],
  ['2024/01/19', '2024-01-19'],
  [1703030400000, '2023-12-20', '2023-12-20T00:00:00Z'],
  ['Wednesday', undefined],
  ['27/02/2024', '2024-02-27'],
  ['02/27/2024 10:00', '2024-02-27'],
  ['03.04.2024', '2024-04-03'],
  ['03/04/2024', undefined],
  ['2024-02-30', undefined],
  ['2 months ago', undefined],
  ['2024-5-3', '2024-05-03'],
  ['1er août 2024', '2024-08-01'],
  ['Wed, Apr 3, 2024 at 10:00', '2024-04-03'],
  ['27/02/24', undefined],
  ['27.02.24', '2024-02-27'],
  ['jui 3, 2024', undefined],
  ['', undefined],
  [null, undefined],
  ['2024.05.06', '2024-05-06'],
  ['20240506', '2024-05-06'],
  [45418, '2024-05-06'],
  ['45418.75', '2024-05-06', '2024-05-06T18:00:00Z'],
  [1714989600000000, '2024-05-06', '2024-05-06T10:00:00Z'],
  ['/Date(1714989600000)/', '2024-05-06', '2024-05-06T10:00:00Z'],
  ['٢٠٢٤-٠٥-٠٦', '2024-05-06'],
  ['２０２４／０５／０６', '2024-05-06'],
  ['6. Mai\u00a0\u200e2024', '2024-05-06'],
  ['Mo, 06.05.2024', '2024-05-06'],
  ['06-May-24', '2024-05-06'],
  ['den 6 maj 2024', '2024-05-06'],
  ['6th of May 2024', '2024-05-06'],
  ['mar. 7 mai 2024', '2024-05-07'],
  ['6 мая 2024 г., 14:30', '2024-05-06'],
  ['6 de maio de 2024 às 14:30', '2024-05-06'],
  ['Reviewed in the United States on May 6, 2024', '2024-05-06'],
  ['2024-05-06 2:30:00 PM', '2024-05-06', '2024-05-06T14:30:00Z'],
  ['2024-05-06 12:30 a.m.', '2024-05-06', '2024-05-06T00:30:00Z'],
  ['2024-05-06 23:30:00 PST', '2024-05-07', '2024-05-07T07:30:00Z'],
  ['2024-05-06 23:30 MESZ', '2024-05-06'],
  ['2024-05-06T14:30:00+00', '2024-05-06', '2024-05-06T14:30:00Z'],
  ['Mon May 06 23:30:00 +0000 2024', '2024-05-06', '2024-05-06T23:30:00Z'],
  ['Mon May 06 2024 23:30:00 GMT+0200 (Some Summer Time)', '2024-05-06', '2024-05-06T21:30:00Z'],
  ['Mon May 06 2024 00:00:00 GMT+0200 (CEST)', '2024-05-06'],
  ['24.5.13.월', '2024-05-13'],
  ['2024年5月6日(月)', '2024-05-06'],
  ['Mon 06/05/2024', '2024-05-06'],
  ['Tue 06/05/2024', undefined],
  ['Tue May 07 2024', '2024-05-07'],
  ['Mon May 07 2024', undefined],
  ['6. Jän. 2024', '2024-01-06'],
  ['3. Feber 2024', '2024-02-03'],
  ['20. Mrz 2024', '2024-03-20'],
  ['Date of experience: May 6, 2024', undefined],
  ['6–8 May 2024', undefined],
  ['May 6, 2024 – May 8, 2024', undefined],
  ['2024-05-06 25:00', undefined],
  ['6 listopada 2024', undefined],
  ['May 6', undefined],
  ['May-24', undefined],
  ['2024', undefined],
  ['2024-W19', undefined],
  ['令和6年5月6日', undefined],
  ['2567-05-06', undefined],
  ['1403/02/17', undefined],
  ['0001-01-01T00:00:00', undefined],
  ['1970-01-01', undefined],
  [0, undefined],
  [1714, undefined],
  [99999, undefined],
];
for (const [text, day, instant] of DATES) {
  test(`reads ${JSON.stringify(text)} as ${day ?? 'no date'}`, () => {
    assert.deepEqual(parseTime(text), day === undefined ? undefined : { day, instant });
  });
}

for (const text of ['May 2024', 'Mai 2024', 'mayo de 2024', '2024-05', '05/2024', '2024年5月']) {
  test(`takes ${text} for its first day, and says so`, () => {
    assert.deepEqual(parseTime(text), { day: '2024-05-01', instant: undefined, isMonth: true });
  });
}

const LOCALES =
  'en de fr es pt it nl pl cs sk da sv nb fi ru uk bg el tr hu ro hr sl sr et lv lt ca is ar he hi vi id ko ja zh';
test('reads the dates that programs write in many languages, and none wrongly', () => {
  let unread = 0;
  for (const locale of LOCALES.split(' ')) {
    for (const dateStyle of ['full', 'long', 'medium'] as const) {
      const style = { dateStyle, timeZone: 'UTC' } as const;
      const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, style);
      for (let month = 0; month < 12; month++) {
        const date = new Date(Date.UTC(2024, month, month + 6));
        const time = parseTime(format.format(date), 'dmy');
        if (time) assert.equal(time.day, date.toISOString().slice(0, 10), format.format(date));
        else unread++;
      }
    }
  }
  // Of Polish and Croatian, one October and one November have the same name.
  assert.ok(unread <= 10, `${unread} unread`);
});

test('reads a long hostile text in no time', () => {
  for (const part of ['1 a', '1,', 'T', '1 mai ', '2024-05-06 ', ' ', '5/', '★ ']) {
    const text = part.repeat(100_000);
    const begin = process.cpuUsage();
    for (const each of [text, text.slice(0, 100)]) {
      assert.equal(parseTime(each), undefined);
      assert.equal(parseRating(each, 5), undefined);
    }
    assert.ok(process.cpuUsage(begin).user < 200_000, part);
  }
});

const ISSUES: [value: unknown, issue: RegExp][] = [
  ['2567-05-06', /not of the years 1995 to 2100: write it in the Gregorian calendar/],
  ['17/02/1403', /not of the years/],
  ['2024-13-06', /no day of the calendar/],
  ['5/6/2024', /may be several days: say --dates dmy or --dates mdy$/],
  ['24-05-16', /may be several days: say --dates dmy or --dates ymd$/],
  ['vor 2 Monaten', /counts from the day of the export/],
  ['Q2 2024', /"Q2 2024" is not a date: write it as 2024-05-31/],
];
for (const [value, issue] of ISSUES) {
  test(`tells why ${JSON.stringify(value)} is no date`, () => {
    assert.match(dateIssue(value), issue);
  });
}

const ORDERS: [dates: string[], order: string | undefined][] = [
  [['03/04/2024', '13/04/2024'], 'dmy'],
  [['03/04/2024', '03/14/2024'], 'mdy'],
  [['13/04/2024', '03/14/2024'], undefined],
  [['03/04/2024'], undefined],
  [['24/03/05', '24/03/27'], undefined],
  [['03/04/24', '27/04/24'], 'dmy'],
];
for (const [dates, order] of ORDERS) {
  test(`finds the order ${order ?? 'unknown'} in ${dates.join(', ')}`, () => {
    assert.equal(orderOf(dates), order);
  });
}

test('reads a date of two meanings by the stated order', () => {
  assert.equal(parseTime('03/04/2024', 'dmy')!.day, '2024-04-03');
  assert.equal(parseTime('03/04/2024', 'mdy')!.day, '2024-03-04');
  assert.equal(parseTime('24-05-06', 'ymd')!.day, '2024-05-06');
});

const RATINGS: [value: unknown, stars: number | undefined, scale?: number][] = [
  [5, 5],
  ['4', 4],
  ['4,5', 4.5],
  ['FIVE', 5],
  ['STAR_RATING_UNSPECIFIED', undefined],
  ['3 out of 5', 3],
  ['8/10', 4],
  ['5 stars', 5],
  ['★★★☆☆', 3],
  ['4,5/5', 4.5],
  ['4 von 5 Sternen', 4],
  ['37 reviews', undefined],
  ['true', undefined],
  [{ value: 5 }, undefined],
  [9.2, 4.6, 10],
  [0, undefined],
  [6, undefined],
  ['great', undefined],
  [undefined, undefined],
  ['⭐️⭐️', 2],
  ['★ ★ ★ ☆ ☆', 3],
  ['★★★½☆', 3.5],
  ['★★★★★ (5)', 5],
  ['★★★★★ (4)', undefined],
  ['☆☆☆☆☆', undefined],
  ['★★★★★★', undefined],
  ['5/5 ★', 5],
  ['4*', 4],
  ['4½', 4.5],
  ['4.5/5.0', 4.5],
  ['80%', 4],
  ['Rated 2 stars out of 5', 2],
  ['5 étoiles sur 5', 5],
  ['4 van 5', 4],
  ['4,0 von 5 Punkten', 4],
  ['5 из 5', 5],
  ['٤', 4],
  ['５点', 5],
  ['星4', 4],
  ['5つ星のうち4.0', 4],
  ['5 yıldız üzerinden 4', 4],
  ['five stars', 5],
  ['5/4', undefined],
  ['A 4', undefined],
  ['4.5 (23)', undefined],
  ['-4', undefined],
  ['120%', undefined],
];
for (const [value, stars, scale = 5] of RATINGS) {
  test(`reads ${JSON.stringify(value)} of ${scale} as ${stars ?? 'no rating'}`, () => {
    assert.equal(parseRating(value, scale), stars);
  });
}

const PERSONAL: [text: string, kinds: string[]][] = [
  ['Call +1 207 555 0142 for Bev.', ['phone number']],
  ['I am at (207) 555-0142.', ['phone number']],
  ['Ruft mich an: 030 / 5550 0199', ['phone number']],
  ['Write to ada@mail.example, please', ['e-mail address']],
  ['We live at 18 Ropewalk Lane', ['street address']],
  ['Das Haus in der Gartenstraße 12', ['street address']],
  ['au 12 bis, rue de la Paix', ['street address']],
  ['Paid $12,500.00 on 2024-01-19 at 10:30 for 3 years', []],
  ['Order 1234567, invoice 2024-555-01', []],
  ['Rated 10/10, 100% since 2011 and 24/7', []],
  ['They came in 2 hours on Main Street', []],
];
for (const [text, kinds] of PERSONAL) {
  test(`finds ${kinds.join() || 'nothing'} in "${text}"`, () => {
    assert.deepEqual(personalDataIn(text), kinds);
  });
}

const HOUSE = { street: 'Hauptstraße 7', city: 'Bern', country: 'CH' };
const OWN = {
  phone: '+493055501234',
  email: 'kontakt@fenwick.example',
  url: 'https://www.fenwick-drains.example/',
  address: { ...HOUSE, region: null, postal_code: null },
};
const REPLIES: typeof PERSONAL = [
  ['Call us at 030 5550 1234, or write to kontakt@fenwick.example.', []],
  ['Call us at +49 30 5550 1234, or write to help@fenwick-drains.example.', []],
  ['Come to us: Hauptstraße 7.', []],
  ['We called you at 030 5550 9999, not at 030 5550 1234.', ['phone number']],
  ['Ours is kontakt@fenwick.example, yours ada@mail.example.', ['e-mail address']],
  ['We were at Gartenstraße 12, not at Hauptstraße 7.', ['street address']],
];
for (const [text, kinds] of REPLIES) {
  test(`finds ${kinds.join() || 'nothing'} besides the business's own in "${text}"`, () => {
    assert.deepEqual(personalDataIn(text, undefined, OWN), kinds);
  });
}

const LANGUAGES: [text: string, expected: string, language: string][] = [
  ['خدمة ممتازة', 'en', 'ar'],
  ['Muy buen servicio y gente muy amable', 'en', 'es'],
  ['Sehr freundlich und pünktlich.', 'en', 'de'],
  ['Excellent service', 'en', 'en'],
  ['Excellent service', 'fr', 'fr'],
  ['Miserable hotel', 'en', 'en'],
  ['Stale rolls', 'en', 'en'],
  ['Nie wieder', 'en', 'de'],
  ['They replaced the pump, and it has run fine since.', 'en', 'en'],
  ['Danielle destapó el drenaje principal en una hora. The pump has run fine since.', 'en', 'es'],
  ['ok', 'en', 'en'],
  ['最高', 'en', 'zh'],
  ['👍👍', 'sv', 'sv'],
];
for (const [text, expected, language] of LANGUAGES) {
  test(`takes "${text}" for ${language} where ${expected} is expected`, () => {
    assert.equal(detectLanguage(text, expected), language);
  });
}

test('reads and writes the columns of --map', () => {
  const map = 'rating=Stars, date=Day|Created, at ,text=a+b,id=x=y';
  const fields = parseMap(map);
  assert.deepEqual(fields.id, ['x=y']);
  assert.deepEqual(fields.date, ['Day', 'Created, at']);
  assert.equal(formatMap(parseMap('text=t,rating=r')), 'rating=r,text=t');
  const unknown = /--map stars=Rating: .* fields are id, author, rating/;
  assert.throws(() => parseMap('stars=Rating'), unknown);
  assert.throws(() => parseMap('rating'), /FIELD=COLUMN/);
});

test('finds the days that Excel turned around, in every kind of table', () => {
  for (const taken of ['2024-03-04', '2024-03-04 00:00:00', '45355']) {
    assert.ok(areTurned([taken, '13/04/2024']), taken);
    assert.ok(areTurned([taken, '04.13.2024 10:00']), taken);
    assert.ok(!areTurned([taken, '2024-03-14', '13/04/2024']), taken);
    assert.ok(!areTurned([taken, '05/04/2024']), taken);
  }
});

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as testWith } from 'node:test';
import { importReviews } from '../../src/owner/commands/import.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { emptyDataset, EXPORTS } from '../support/import.ts';
import { runHere } from '../support/run-here.ts';

// Files as people really have them, each after a public report or a real export, cut down to the
// smallest that once published something untrue. A new report is a new row.

type Expected = { readonly [name in keyof ReviewRecord | 'reply']?: unknown };

interface WorldCase {
  /** Options of the command; those for a table of a shop if left out. */
  args?: readonly string[];
  /** The reviews that are written, oldest first, in the fields to compare. */
  published?: readonly Expected[];
  /** The reason why nothing is. */
  refused?: RegExp;
  /** A line of the report. */
  says?: RegExp;
  /** Further imports. */
  next?: readonly (readonly string[])[];
}

/** Options that say which column has which field. */
const mapped = (map: string) => [...SHOP, '--map', map];
const NONE: string[] = [];
const APP_STORE =
  'rating=im:rating.label,date=updated.label,author=author.name.label,text=content.label';

/** Makes reviews of which one field is compared. */
const only =
  (field: keyof Expected) =>
  (...values: unknown[]): Expected[] =>
    values.map((value) => ({ [field]: value }));
const authors = only('author');
const ratings = only('rating');
const texts = only('text');
const replies = only('reply');
const sources = only('source');
/** Makes reviews of stars and points of ten. */
const scored = (...pairs: [rating: number, points: number][]): Expected[] =>
  pairs.map(([rating, points]) => ({ rating, score: ofTen(points) }));
/** Files that must all become the same. */
const alike = (files: readonly string[], row: WorldCase) =>
  Object.fromEntries(files.map((file) => [file, row]));
const ofTen = (value: number) => ({ value, best: 10 });

const SHOP = ['--source', 'shop', '--verification', 'Only customers are asked.', '--yes'];
const POINTS = ['--map', 'author=Guest,rating=Points,date=Day,text=Words'];
const THE_SAME_TWO =
  'review-feed.xml shop-comments.xml page-as-excel.xls named-values.json nodes-and-edits.json questions-and-reviews.json company-among-reviews.json versions.json days-as-objects.json'.split(
    ' ',
  );
const held = { verified: false, held_back: true } as const;

const CASES: Record<string, WorldCase> = {
  'withdraw-sheets.xlsx': {
    published: texts('Great in 2023', 'Bad in 2023', 'Good in 2024'),
    next: [
      ['withdraw-sheets-2024.csv', ...SHOP],
      ['withdraw-sheets.xlsx', ...SHOP, '--withdraw'],
    ],
    says: /0 added, 0 changed, 0 withdrawn, 3 unchanged, 0 skipped/,
  },
  'two-places.csv': {
    args: NONE,
    refused: /several places or kinds in place_id: "P1 = Testladen" .* --place 'P1'/s,
  },
  'two-places.json': {
    args: ['--place', 'p1'],
    published: [{ author: 'Ann Lee', rating: 5, text: 'Great', source: 'google' }],
    says: /1 published, 1 not of this business/,
  },
  'recommended-with-stars.json': {
    published: [
      { author: 'Ann L', rating: 3, text: 'Okay for the price', source: 'shop' },
      { author: 'Bob R', rating: 4 },
      { author: 'Cy P', rating: 2 },
    ],
  },
  'own-database.csv': {
    published: [
      { author: 'Ann Lee', rating: 5, text: 'Quiet rooms', source: 'shop' },
      { author: 'Bob Ray', rating: 2, text: 'Cold shower', source: 'shop' },
    ],
  },
  'booking-low.json': {
    args: ['--source', 'booking', '--yes'],
    published: [
      { rating: 3, score: ofTen(5), text: 'a bed\n\nNoise all night', criticism_at: 7 },
      { rating: 2, score: ofTen(4), text: 'the door\n\nEverything else', criticism_at: 10 },
    ],
  },
  'best-rating-10.json': { published: scored([2, 4], [3, 5]) },
  'bubbles-10-to-50.csv': {
    args: ['--source', 'tripadvisor', '--yes'],
    published: ratings(5, 2, 4, 1, 5, 3),
  },
  'typo-50.csv': {
    published: ratings(5, 5, 4, 3, 1, 5, 2),
    says: /1 skipped: its rating … is above 5/,
  },
  'school-grades.csv': {
    args: ['--source', 'jameda', '--verification', 'X', '--yes'],
    refused: /Bewertung may have school grades, of which 1 is the best/,
  },
  'unquoted-comma.csv': { published: ratings(4, 2, 1, 3), says: /1 skipped: has 5 of 4 columns/ },
  ...alike(['state-unapproved.csv', 'state-inactive.csv', 'flags-hidden.csv'], {
    published: [
      { author: 'Ann Lee', verified: true },
      { author: 'Bob Ray', ...held },
      { author: 'Cy Poe', verified: true },
    ],
  }),
  'hidden-replies.json': {
    args: ['--source', 'google', '--yes'],
    published: [
      { author: 'Ann L', verified: true, reply: 'Thank you' },
      { author: 'Bob R', ...held },
    ],
  },
  'woocommerce-rest.json': {
    published: [
      { text: 'Nice “rye” & crust!', verified: false },
      { text: 'Too dry', verified: true },
      { text: 'On hold', ...held },
      { text: 'In the trash', ...held },
    ],
    says: /HTML, read as the text that a page shows: review/,
  },
  'woocommerce-comments.csv': {
    args: mapped(
      'id=comment_ID,author=comment_author,rating=rating,date=comment_date,text=comment_content',
    ),
    published: [
      { author: 'Ann Lee', text: 'Love it & will be back', verified: true },
      { author: 'Spam Bot', ...held },
      { author: 'Bob Ray', ...held },
      { author: 'Cy Poe', ...held },
    ],
    says: /not read: comment_post_ID \("5"\)/,
  },
  'state-numbers.csv': {
    args: mapped('id=id,author=name,rating=stars,date=stamp,text=climsg,reply=ownmsg'),
    refused: /the column state may say .*: "1" \(1 row\), "2" .*--shown 'state=1'/s,
  },
  'fillers-null.csv': {
    published: [
      { author: 'Ann Lee', title: undefined, text: 'Great bread', reply: undefined },
      { author: 'Bob Ray', title: undefined, text: 'Stale rolls', reply: 'Sorry, Bob' },
      { author: 'Cy Poe', title: undefined, text: undefined },
      { author: 'Anonymous', title: 'Fine', text: 'It was fine' },
    ],
    says: /cells such as NULL or N\/A, read as empty: 11/,
  },
  'fillers-nan.csv': {
    args: NONE,
    published: [1, 2].map(() => ({ text: undefined, reply: undefined })),
  },
  'serpapi-subratings.json': {
    args: NONE,
    published: [
      { author: 'Ann Lee', text: undefined },
      { author: 'Bob Ray', text: 'Trop cher.' },
      { author: 'Cy Poe', source: 'tripadvisor' },
    ],
  },
  'windows-1251.csv': {
    refused: /is not UTF-8, .* or say --encoding NAME, such as .*windows-1251/,
    next: [['windows-1251.csv', ...SHOP, '--encoding', 'windows-1251']],
    published: texts('Очень хороший хлеб, спасибо', 'Слишком сладко'),
  },
  'feefo.json': {
    args: ['--source', 'feefo', '--verification', 'X', '--yes'],
    published: [
      { author: 'Ann L', rating: 5, text: 'Fast delivery' },
      { author: 'Bob R', rating: 2, text: 'Two weeks late' },
    ],
  },
  'judgeme-api.json': {
    args: ['--source', 'judge-me', '--verification', 'X', '--yes'],
    published: [
      { author: 'Ann Lee', source: 'judge-me', verified: true },
      { author: 'Bot', source: 'judge-me', ...held },
      { author: 'Cy Poe', source: 'judge-me', ...held },
    ],
  },
  'yotpo-2022.csv': {
    args: ['--source', 'yotpo', '--verification', 'X', '--yes'],
    published: [
      { author: 'Ann L.', text: 'Kind people & fast', reply: 'Thank you', verified: true },
      { rating: 1, ...held },
      { author: 'Di R.', text: 'Late again', ...held },
    ],
    says: /1 not of this business/,
  },
  'judgeme-html.csv': {
    args: NONE,
    published: [{ title: 'Top & fast', text: "Soft & warm\nI'd buy again", reply: 'Thanks!' }],
  },
  'serial-days.xlsx': { published: [{ date: '2024-05-06' }, { date: '2024-05-07' }] },
  'places-around-lists.json': { refused: /several places or kinds in place around the rows/ },
  'column-with-own-name.csv': { refused: /kinds in Betrifft: .*--place 'Fenwick Drains'/s },
  'lists-by-platform.json': { published: sources('google', 'google', 'yelp') },
  'platforms-by-name.json': { published: sources('google', 'yelp') },
  'lists-by-tone.json': { refused: /"positive" \(2 rows\), "negative" \(1 row\)/ },
  'objects-in-cells.csv': {
    args: NONE,
    published: [{ author: 'Ann Lee', reply: 'Thank you' }, { author: 'Bob Ray' }],
  },
  'reply-called-comments.json': {
    refused: /The text may be reviewComments or reviewContent\.DEFAULT_OPINION/,
  },
  'verified-as-words.csv': {
    refused: /the column verified may say .* "buyer" \(1 row\), "nothing"/,
  },
  'out-of-six.csv': {
    args: ['--source', 'quandoo', '--verification', 'X', '--yes'],
    published: ratings(3, 4),
  },
  'kind-of-object.csv': { refused: /kinds in object_type: .*--place 'shop'/s },
  'agents-as-users.csv': { refused: /kinds in User: "Agent Kim"/ },
  'branch-sheets.xlsx': {
    args: [...SHOP, '--place', 'Graz'],
    published: authors('Ann Lee', 'Bob Ray'),
    says: /2 published, 2 not of this business/,
  },
  'answers-as-rows.csv': { published: authors('Ann Lee', 'Cy Poe') },
  'own-staff.csv': { published: authors('Bob Ray', 'Cy') },
  'half-turned-days.csv': { refused: /days of its dates in Date are all up to 12/ },
  'day-of-export.csv': { refused: /all have one date: Created may be the day of/ },
  'replies-of-others.json': {
    published: replies('Thanks Ann', 'Sorry Bob'),
    says: /replies by others than the business, left out: 1/,
  },
  'draft-replies.csv': { published: replies(undefined, 'Sorry to hear') },
  'translated-flags.csv': {
    published: texts(undefined, 'Unfriendly and slow', undefined),
    says: /the machine translation alone, published without words: 2/,
  },
  'not-to-be-named.csv': { published: authors('Ann Lee', 'Anonymous', 'Cy Poe', 'Anonymous') },
  'outscraper-trustpilot.json': {
    args: ['--source', 'trustpilot'],
    published: [
      { author: 'Bob', rating: 2, title: undefined, source: 'trustpilot' },
      { author: 'Ann', rating: 5, title: 'Top', date: '2023-02-05' },
    ],
  },
  'shortcodes.csv': {
    published: texts('Great bread and people', 'Great bread', 'Lovely cake', 'Nice'),
  },
  'escaped-lines.tsv': { published: texts('Nice bread\nand coffee', 'Stale rolls again') },
  'list-of-deleted.json': {
    published: [{ author: 'Ann Lee', text: 'Great bread' }],
    says: /not read: the list deletedReviews; its rows: 2/,
  },
  'show-on-website.csv': { refused: /the column Show on website may say/ },
  'scale-in-header.csv': { published: scored([3, 5], [2, 3]) },
  'best-is-one.csv': { refused: /may have school grades, of which 1 is the best/ },
  'colleague-in-charge.csv': { published: replies(undefined, undefined) },
  'html-escaped-twice.csv': { published: texts('It\'s "good"', 'Fish & chips') },
  'masked-letters.csv': { refused: /its texts have asterisks for letters/ },
  'own-hotel.csv': { published: sources('shop', 'shop') },
  'one-above-five.json': { refused: /are from 4\.4 to 9\.6: .*--scale '10' or --scale '5'/ },
  'names-in-two-columns.csv': { published: authors('Ann Lee', 'Bob Ray') },
  'mojibake-turkish.csv': {
    args: NONE,
    published: [
      { author: 'Ayşe Gül', text: 'Ekmek çok güzel, teşekkürler' },
      { author: 'محمد علي', text: 'الخدمة بطيئة' },
    ],
  },
  'weekdays-korean.csv': {
    args: mapped('author=닉네임,rating=별점,text=리뷰,date=작성일'),
    published: ['2024-05-13', '2024-05-20', '2024-06-03'].map((date) => ({ date })),
  },
  'years-first.csv': { refused: /dates in Date may begin with the year: say --dates/ },
  'responses-with-ids.csv': { published: replies('Thank you Ann', 'Sorry Bob') },
  'app-store-feed.json': {
    refused: /its columns are: .*im:rating\.label, .*Say which is the rating and the date/s,
    next: [['app-store-feed.json', ...mapped(APP_STORE)]],
    published: [
      { author: 'annl', rating: 5, text: 'Love the app' },
      { author: 'bobr', rating: 2, text: 'Keeps logging out' },
    ],
  },
  'buyers-and-sellers.csv': { refused: /several places or kinds in Role: "Seller"/ },
  'platform-as-type.csv': { published: sources('google', 'facebook') },
  'last-page.csv': { published: authors('Ann Lee', 'Cy Poe', 'Bob Ray') },
  'job-titles.csv': {
    published: [
      { author: 'Ann Lee', title: undefined, text: 'Great team' },
      { author: 'Bob Ray', title: undefined },
      { author: 'Cy Poe', ...held },
    ],
  },
  'comments-beside-parts.csv': {
    refused: /The text may be Overall Comments or Pros\+Cons or Overall Comments\+Pros\+Cons/,
  },
  'text-of-another-name.csv': {
    refused: /The text may be What happened\..*text=What happened'/s,
    next: [['text-of-another-name.csv', ...mapped('rating=Stars,date=Date,author=Name')]],
    published: texts(undefined, undefined),
  },
  'one-day.csv': {
    args: NONE,
    refused: /all have one date: .* --map 'date=review_datetime_utc'/s,
    next: [['one-day.csv', '--map', 'date=review_datetime_utc']],
    published: ratings(5, 1, 4, 2, 5, 3),
  },
  'nps-zero.csv': { published: scored([5, 10], [1, 0], [2, 3]) },
  'zeros-of-ten.csv': {
    args: [...SHOP, ...POINTS],
    refused: /are from 0 to 9: .* or none: --scale '0-10' or --scale '1-10'/,
    next: [['zeros-of-ten.csv', ...SHOP, ...POINTS, '--scale', '0-10']],
    published: [{ rating: 5 }, { rating: 1, score: ofTen(0) }, { rating: 4 }],
  },
  'low-of-ten.csv': {
    args: [...SHOP, '--scale', '10'],
    refused: /the ratings in Rating go up to 5: leave the option out, or say --scale 1-10/,
    next: [['low-of-ten.csv', ...SHOP, '--scale', '1-10']],
    published: ratings(3, 2, 3, 2, 3, 1),
  },
  'replies-in-comments.json': { published: replies('We are sorry, Ann', undefined) },
  'comments-of-nobody.json': {
    published: replies(undefined, undefined),
    says: /replies by others than the business, left out: 2/,
  },
  'included-responses.json': { published: replies('Mended in 2.1', undefined) },
  'business-comment.json': {
    args: mapped(
      'date=updatedTime,author=author.name,rating=rating,text=text,reply=businessComment.text',
    ),
    published: replies('Извините нас', undefined),
  },
  ...alike(['parts-as-lists.json', 'parts-as-lists.csv'], {
    published: [
      { text: 'Warm bread\nKind people\n\nNo seats', criticism_at: 24 },
      { text: 'Cold coffee\nLong queue', criticism_at: 0 },
    ],
  }),
  'titles-that-begin.csv': {
    published: [
      { title: 'Great', text: 'Great bread and kind people' },
      { title: undefined },
      { title: undefined },
      ...['Never again', 'So so', 'Top', 'Nice'].map((title) => ({ title })),
    ],
  },
  'bazaarvoice.json': {
    published: [{ reply: 'Thank you, Ann' }, { author: 'BobR', ...held }],
    says: /1 not of this business/,
  },
  'agoda-providers.json': {
    published: [
      { source: 'agoda', rating: 3, reply: 'We are sorry, Ann' },
      { source: 'booking', rating: 2, reply: undefined },
    ],
  },
  'viator-providers.json': {
    published: [{ source: 'viator' }, { source: 'tripadvisor', text: undefined }],
  },
  'replies-by-flag.json': {
    args: mapped(
      'id=id,author=usertitle,date=created.pop_date,text=text,reply=replies.0.text,rating=mark',
    ),
    published: [
      { author: 'Анна Лісова', reply: 'Дякуємо!' },
      { rating: 2, reply: undefined },
    ],
  },
  'states-greek.csv': { refused: /the column Κατάσταση may say which reviews/ },
  'reply-like-a-review.json': { refused: /created cannot be the date: its date "5\.6\.월"/ },
  'original-messages.json': {
    published: [
      { text: 'Lovely tour of the bakery' },
      { text: 'Der Guide kam nie', author: 'Anonymous' },
    ],
  },
  'forms-dutch.csv': {
    args: mapped(
      'rating=Hoe tevreden bent u? (1-5),date=Tijdstempel,text=Wat ging goed?+Wat kan beter?',
    ),
    published: [{ date: '2024-05-06' }, { date: '2024-05-16', ...held }, { date: '2024-05-17' }],
  },
  'months-of-replies.json': {
    published: [{ reply: 'Thank you Ann' }, { text: 'Laut und kalt' }],
    says: /replies without a date: 1/,
  },
  'wordpress-rest.json': { published: [{ text: 'Great bread' }, { text: 'Stale rolls', ...held }] },
  'percent.csv': {
    args: [...SHOP, '--map', 'author=Guest,rating=Score,date=Date,text=Remarks'],
    published: [{ rating: 5 }, { rating: 1, score: { value: 0, best: 100 } }, { rating: 2 }],
  },
  'states-arabic.csv': { args: SHOP, published: [{ author: 'أحمد', reply: 'شكرا لك' }, held] },
  'guests-of-a-loft.csv': {
    published: [
      { author: 'Ann', text: 'Lovely loft', source: 'airbnb', origin: 'incentivized' },
      { author: 'Bob', source: 'booking', score: { value: 8, best: 10 }, ...held },
      { author: 'Cy', text: 'Loud street', verified: false, held_back: undefined },
      { author: 'Di', ...held },
    ],
  },
  'states-in-objects.json': {
    published: [
      { author: 'Ann Lee', reply: 'Thank you' },
      { author: 'Anonymous', reply: undefined },
      { author: 'Cy Poe', ...held },
    ],
  },
  'clinic-turkish.csv': {
    args: SHOP,
    published: [
      { author: 'Ayşe Gül', reply: 'Teşekkürler' },
      { author: 'Mehmet Can', ...held },
    ],
  },
  ...Object.fromEntries(
    THE_SAME_TWO.map((file) => [
      file,
      {
        args: SHOP,
        published: [
          { author: 'Ann Lee', rating: 5, text: 'Great bread & coffee', date: '2024-05-06' },
          { author: 'Anonymous', rating: 2, text: 'Stale rolls', date: '2024-05-08' },
        ],
      },
    ]),
  ),
  'reported-by-readers.csv': { args: SHOP, refused: /the column reported may say/ },
  'shop-chinese.csv': {
    args: SHOP,
    published: [{ language: 'zh', reply: '谢谢支持' }, { text: undefined }, held],
  },
  'inn-japanese.csv': {
    args: SHOP,
    published: [{ rating: 5, title: '最高でした', reply: 'ありがとうございます' }, { rating: 2 }],
  },
  'long-ids.json': {
    args: SHOP,
    published: [{ author: 'Ann Lee' }, { author: 'Ann Lee' }, { author: 'Bob Ray' }],
  },
  'one-is-satisfied.csv': {
    args: [
      ...SHOP,
      '--map',
      'date=Datum,rating=Zufriedenheit (1 = sehr zufrieden; 5 = sehr unzufrieden),text=Kommentar',
    ],
    refused: /may have school grades, of which 1 is the best/,
  },
  'nested-replies.json': {
    published: replies('We are sorry, Ann', undefined, 'Thank you, Cy'),
    says: /replies by others than the business, left out: 2/,
  },
};

for (const [file, { args = SHOP, published, refused, says, next = [] }] of Object.entries(CASES)) {
  testWith(
    `${refused ? 'refuses' : 'publishes what customers wrote in'} ${file}`,
    async (context) => {
      const dataset = await emptyDataset(context, { author_display: 'full' });
      const told: string[] = [];
      for (const [name, ...options] of [[file, ...args], ...next]) {
        const path = join(dataset.folder, '..', name!);
        await copyFile(join(EXPORTS, 'world', name!), path);
        const { output, error } = await runHere(importReviews, dataset.folder, [path, ...options]);
        told.push(output, error?.message ?? '');
      }
      if (refused) assert.match(told.join('\n'), refused);
      if (says) assert.match(told.join('\n'), says);
      const orderOf = ({ date, author }: ReviewRecord) => `${date} ${author}`;
      const records = (await dataset.records()).toSorted((a, b) =>
        orderOf(a) < orderOf(b) ? -1 : 1,
      );
      const expected = published ?? [];
      const found = records.map((record, index) => {
        const { owner_reply: reply, ...fields } = record;
        const all: Record<string, unknown> = { ...fields, reply: reply?.text };
        return Object.fromEntries(
          Object.keys(expected[index] ?? record).map((name) => [name, all[name]]),
        );
      });
      assert.deepEqual(found, expected);
    },
  );
}

import assert from 'node:assert/strict';
import { writeXlsx } from 'hucre/xlsx';
import { shiftDay } from '../../src/base/days.ts';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { test } from '../support/import.ts';

/** Reviews of customers; every export below has these reviews in the fields of its platform. */
const WRITTEN = [
  ['Ada Lind', 5, '2024-05-13', 'They came early and left it clean.', ''],
  ['Bo Berg', 1, '2024-06-02', 'Cold soup and rude.', 'We are sorry, Bo.'],
  ['Cy Falk', 4, '2024-07-21', 'Good, if a bit loud.', 'Thank you, Cy.'],
  ['Dee Moss', 5, '2024-08-09', '', ''],
  ['Eli Roe', 2, '2024-09-30', 'Waited an hour, then left hungry.', 'That is not us, Eli.'],
  ['Fay Holm', 3, '2024-10-11', 'Neither good nor bad, just fine.', ''],
  ['Gil Tern', 5, '2024-11-25', 'The best evening of the year.', ''],
] as const;
const REVIEWS = WRITTEN.map(([author, stars, day, text, reply], index) => {
  return { id: `rev-${index}`, author, stars, day, text, reply, replyDay: shiftDay(day, 3) };
});
type Written = (typeof REVIEWS)[number];

const american = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;

/** Values that exports have of a review, by the names that stand for them below. */
function valuesOf(review: Written): Record<string, unknown> {
  const { id, stars, day, text, reply } = review;
  const replyDay = reply && review.replyDay;
  return {
    ...review,
    replyDay,
    noon: `${day}T12:00:00Z`,
    replyNoon: reply && `${replyDay}T12:00:00Z`,
    clock: `${day} 12:00:00`,
    replyClock: reply && `${replyDay} 12:00:00`,
    american: american(day),
    replyAmerican: reply && american(replyDay),
    european: `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(2, 4)}`,
    german: `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`,
    seconds: Date.parse(day) / 1000,
    short: day.replaceAll('-0', '-'),
    realDate: new Date(day),
    resource: `accounts/1/locations/2/reviews/${id}`,
    link: `https://www.google.com/maps/reviews/${id}`,
    word: ['', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'][stars],
    points: stars * 2,
    ofFive: `${stars},0/5`,
    inWords: `${stars} star rating`,
    sterne: `${stars} Sterne`,
    translated: text && `Traduit: ${text}`,
    beginning: text.slice(0, 8),
    praise: text || 'No Positive',
  };
}

type Row = Record<string, unknown>;

/**
 * Returns the row of a review.
 *
 * @param columns `column=name of a value`, or else the value; of JSON, a path of dots
 */
function rowOf(review: Written, columns: string, isFlat: boolean): Row {
  const values = valuesOf(review);
  const row: Row = {};
  for (const column of columns.split(/,\s*/)) {
    const [path, name] = column.split('=') as [string, string];
    const literal = /^[\d.]+$/.test(name) ? Number(name) : name;
    const value = Object.hasOwn(values, name) ? values[name] : literal;
    const keys = isFlat ? [path] : path.split('.');
    if (value === '' && keys.length > 1) continue; // the object may be missing
    let inner = row;
    for (const key of keys.slice(0, -1)) inner = (inner[key] ??= {}) as Row;
    inner[keys.at(-1)!] = value === '' && !isFlat ? null : value;
  }
  return row;
}

function csv(rows: readonly Row[], separator = ','): string {
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [Object.keys(rows[0]!), ...rows.map((each) => Object.values(each))];
  return lines.map((line) => line.map(cell).join(separator)).join('\r\n');
}

async function excel(rows: readonly Row[]): Promise<Uint8Array> {
  const cells = rows.map((row) => Object.values(row) as (string | number | Date | null)[]);
  return writeXlsx({ sheets: [{ name: 'Reviews', rows: [Object.keys(rows[0]!), ...cells] }] });
}

type Writer = (rows: readonly Row[]) => string | Uint8Array | Promise<Uint8Array>;

const WRITERS: Record<string, Writer> = {
  csv,
  xlsx: excel,
  json: (rows) => JSON.stringify(rows),
  'semicolons and Windows-1252.csv': (rows) => Buffer.from(csv(rows, ';'), 'latin1'),
  'below a title.csv': (rows) => `Our reviews\r\n\r\n${csv(rows)}`,
};

interface Case {
  columns: string;
  /** Kinds of files; JSON when left out. */
  kinds?: string[];
  /** Makes a JSON document of the rows. */
  around?: (rows: readonly Row[]) => object;
  /** Google when left out. */
  source?: string;
  /** False where the export has no replies; `undated` where it does not date them. */
  reply?: false | 'undated';
  /** True for a form that asks for praise and criticism apart. */
  isForm?: boolean;
  /** True for a table in no known format. */
  isGuess?: boolean;
}

const inList = (reviews: readonly Row[]) => ({ reviews });
/** The place, in the columns that tools write beside each review. */
const PLACE = 'name=Test Cafe, rating=4.6, reviews=37, site=https://cafe.example/';

const CASES: Record<string, Case> = {
  Outscraper: {
    kinds: ['csv', 'xlsx', 'json'],
    columns: `query=Test Cafe Portland, ${PLACE}, author_title=author, author_id=1184,
      review_text=text, review_rating=stars, review_datetime_utc=american,
      review_timestamp=seconds, review_likes=0, review_id=id, review_link=link,
      owner_answer=reply, owner_answer_timestamp_datetime_utc=replyAmerican`,
    around: (rows) => ({ status: 'Success', data: [{ name: 'Test Cafe', reviews_data: rows }] }),
  },
  Apify: {
    kinds: ['csv', 'json'],
    columns: `title=Test Cafe, totalScore=4.6, reviewId=id, name=author, stars=stars, text=text,
      textTranslated=, publishAt=2 months ago, publishedAtDate=noon,
      responseFromOwnerText=reply, responseFromOwnerDate=replyNoon, reviewUrl=link,
      originalLanguage=en`,
  },
  SerpApi: {
    columns: `review_id=id, link=link, rating=stars, date=2 months ago, iso_date=noon,
      iso_date_of_last_edit=noon, source=Google, user.name=author, user.reviews=9,
      snippet=translated, extracted_snippet.original=text, extracted_snippet.translated=Nie to.,
      response.date=a month ago, response.iso_date=replyNoon, response.snippet=reply`,
    around: (reviews) => ({ place_info: { title: 'Cafe', rating: 4.6, reviews: 37 }, reviews }),
  },
  'google-reviews-scraper-pro': {
    columns: `review_id=id, author=author, rating=stars, description.en=text, review_date=noon,
      likes=2, owner_responses.en.text=reply, created_date=2025-03-03T03:03:03Z`,
    reply: 'undated',
  },
  'DataForSEO, on one line': {
    columns: `type=google_reviews_search, rating.rating_type=Max5, rating.value=stars,
      rating.rating_max=5, review_text=text, original_review_text=, profile_name=author,
      timestamp=clock, time_ago=2 months ago, owner_answer=reply, owner_timestamp=replyClock,
      review_id=id`,
    around: (items) => ({
      tasks: [{ result: [{ title: 'Cafe', rating: { value: 4.6 }, items }] }],
    }),
  },
  'Places API, new': {
    columns: `name=resource, relativePublishTimeDescription=2 months ago, rating=stars,
      text.text=translated, text.languageCode=de, originalText.text=text,
      originalText.languageCode=en, authorAttribution.displayName=author, publishTime=noon`,
    around: (reviews) => ({ displayName: { text: 'Cafe' }, rating: 4.6, reviews }),
    reply: false,
  },
  'Places API, old': {
    columns: `author_name=author, rating=stars, relative_time_description=2 months ago, text=text,
      time=seconds, translated=false`,
    around: (reviews) => ({ result: { name: 'Cafe', rating: 4.6, reviews }, status: 'OK' }),
    reply: false,
  },
  gosom: {
    columns: `Name=author, ProfilePicture=, Rating=stars, Description=text, When=short, Images=`,
    around: (rows) => ({ user_reviews: rows.slice(0, 3), user_reviews_extended: rows }),
    reply: false,
  },
  lobstr: {
    kinds: ['csv'],
    columns: `place_name=Test Cafe, place_average_score=4.6, internal_review_id=id,
      user_name=author, score=stars, text=translated, original_text=text,
      published_at=il y a 2 mois, published_at_datetime=noon, response_from_owner=reply`,
    reply: 'undated',
  },
  'Google Business Profile': {
    columns: `name=resource, reviewer.displayName=author, starRating=word, comment=text,
      createTime=noon, updateTime=noon, reviewReply.comment=reply,
      reviewReply.updateTime=replyNoon, reviewReply.reviewReplyState=APPROVED`,
    around: (reviews) => ({ reviews, averageRating: 3.6, totalReviewCount: 7 }),
  },
  'Trustpilot business CSV': {
    kinds: ['csv'],
    columns: `Review Id=id, Review Created (UTC)=clock, Review Consumer User Name=author,
      Review Title=, Review Content=text, Review Stars=stars, Source Of Review=Organic,
      Company Reply Date (UTC)=replyClock, Company Reply Content=reply`,
    source: 'trustpilot',
  },
  'Trustpilot API': {
    columns: `id=id, consumer.id=c, consumer.displayName=author, stars=stars, title=beginning,
      text=text, createdAt=noon, updatedAt=, companyReply.text=reply,
      companyReply.createdAt=replyNoon, status=active, isVerified=true`,
    around: inList,
    source: 'trustpilot',
  },
  Yelp: {
    columns: `id=id, rating=inWords, date=american, comment.text=text, comment.language=en,
      user.markupDisplayName=author, user.reviewCount=3, businessOwnerReplies.0.comment=reply,
      businessOwnerReplies.0.date=replyAmerican`,
    around: inList,
    source: 'yelp',
  },
  Facebook: {
    columns: `created_time=noon, has_rating=true, rating=stars, review_text=text,
      reviewer.name=author, reviewer.id=9`,
    around: (data) => ({ data }),
    source: 'facebook',
    reply: false,
  },
  Tripadvisor: {
    columns: `id=id, rating=stars, title=, text=text, publishedDate=day, travelDate=2023-01,
      user.name=author, user.contributions.totalContributions=4, ownerResponse.text=reply,
      ownerResponse.publishedDate=replyDay, ownerResponse.responder=Chef, placeInfo.rating=4.6`,
    source: 'tripadvisor',
  },
  'Booking extranet': {
    kinds: ['csv'],
    columns: `Review date=clock, Guest name=author, Reservation number=id, Review title=,
      Positive review=text, Negative review=, Review score=points, Staff=10, Property reply=reply`,
    source: 'booking',
    isForm: true,
    reply: 'undated',
  },
  'Booking, scraped': {
    kinds: ['csv'],
    columns: `Hotel_Name=Test Hotel, Average_Score=8.4, Reviewer_Name=author,
      Review_Date=american, Positive_Review=praise, Negative_Review=No Negative,
      Reviewer_Score=points`,
    source: 'booking',
    isForm: true,
    reply: false,
  },
  'Judge.me': {
    kinds: ['csv'],
    columns: `title=, body=text, rating=stars, review_date=clock, source=web, curated=ok,
      reviewer_name=author, reviewer_email=x@mail.example, product_id=, reply=reply,
      reply_date=replyClock`,
    source: 'judge-me',
  },
  Yotpo: {
    kinds: ['csv'],
    columns: `Review ID=id, Review Title=, Review Content=text, Review Score=stars, Date=day,
      Display Name=author, Review Status=Published, Comment=reply`,
    source: 'yotpo',
    reply: 'undated',
  },
  Okendo: {
    columns: `reviewId=id, body=text, title=, rating=stars, dateCreated=noon, status=approved,
      reviewer.displayName=author, reviewer.isVerified=true, reply.rawBody=reply,
      reply.dateCreated=replyNoon, reply.isPrivate=false`,
    around: inList,
    source: 'okendo',
  },
  'a list in German': {
    kinds: ['semicolons and Windows-1252.csv'],
    columns: `Kunde=author, Bewertung (Sterne)=sterne, Datum=german, Rezension=text,
      Antwort=reply, Übernommen=ja`,
    isGuess: true,
    reply: 'undated',
  },
  'a list in English': {
    kinds: ['below a title.csv'],
    columns: 'Name=author, Rating=inWords, Date=day, Comment=text',
    isGuess: true,
    reply: false,
  },
  'a list in Spanish': {
    kinds: ['csv'],
    columns: `Nombre del cliente=author, Valoración=ofFive, Fecha de la reseña=european,
      Comentario=text, Respuesta=reply`,
    isGuess: true,
    reply: 'undated',
  },
  'a list in Italian with real dates': {
    kinds: ['xlsx'],
    columns: 'Autore=author, Voto=stars, Data=realDate, Recensione=text, Risposta=reply',
    isGuess: true,
    reply: 'undated',
  },
};

for (const [name, { kinds = ['json'], columns, ...rest }] of Object.entries(CASES)) {
  const { around, isForm, isGuess, reply: replies, source = 'google' } = rest;
  const expected = REVIEWS.map(({ author, stars, day, text, reply, replyDay }) => ({
    author,
    rating: stars,
    date: day,
    title: undefined,
    text: text || undefined,
    criticism_at: isForm && text ? text.length : undefined,
    owner_reply:
      replies === false || reply === ''
        ? undefined
        : { text: reply, date: replies === 'undated' ? null : replyDay },
    source,
    verified: true,
  }));
  for (const kind of kinds) {
    test(`publishes what customers wrote: ${name}, ${kind}`, async (dataset) => {
      const rows = REVIEWS.map((review) => rowOf(review, columns, kind !== 'json'));
      const content =
        kind === 'json' && around ? JSON.stringify(around(rows)) : await WRITERS[kind]!(rows);
      const options = isGuess ? { source, accept: async () => true } : {};
      await dataset.runText(`a.${kind.split('.').at(-1)}`, content, options);
      const fields = Object.keys(expected[0]!) as (keyof ReviewRecord)[];
      const values = expected.map((review) => Object.values(review));
      assert.deepEqual(await dataset.values(...fields), values);
    });
  }
}

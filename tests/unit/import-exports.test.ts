import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { emptyDataset } from '../support/import.ts';
import type { ImportOptions } from '../../src/owner/import/import-files.ts';

/** Reviews of customers; every export below has these reviews in the fields of its platform. */
const REVIEWS = [
  ['Ada Lind', 5, '2024-05-13', 'They came early and left it clean.', ''],
  ['Bo Berg', 1, '2024-06-02', 'Cold soup and rude.', 'We are sorry, Bo.'],
  ['Cy Falk', 4, '2024-07-21', 'Good, if a bit loud.', 'Thank you, Cy.'],
  ['Dee Moss', 5, '2024-08-09', '', ''],
  ['Eli Roe', 2, '2024-09-30', 'Waited an hour, then left hungry.', 'That is not us, Eli.'],
  ['Fay Holm', 3, '2024-10-11', 'Neither good nor bad, just fine.', ''],
  ['Gil Tern', 5, '2024-11-25', 'The best evening of the year.', ''],
].map(([author, stars, day, text, reply], index) => ({
  id: `rev-${index}`,
  author: author as string,
  stars: stars as number,
  day: day as string,
  text: text as string,
  reply: reply as string,
  /** Three days after the review. */
  replyDay: new Date(Date.parse(day as string) + 3 * 86_400_000).toISOString().slice(0, 10),
}));
type Written = (typeof REVIEWS)[number];

const american = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
const european = (day: string) => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(2, 4)}`;
const germanDay = (day: string) => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
const seconds = (day: string) => Date.parse(day) / 1000;
const noon = (day: string) => `${day}T12:00:00Z`;

type Row = Record<string, unknown>;

function csv(row: (review: Written) => Row, separator = ','): string {
  const rows = REVIEWS.map(row);
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [Object.keys(rows[0]!), ...rows.map((each) => Object.values(each))];
  return lines.map((line) => line.map(cell).join(separator)).join('\r\n');
}

const json = (row: (review: Written) => Row) => JSON.stringify(REVIEWS.map(row));
const WORDS = ['', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
/** The place, in the columns that tools write beside each review. */
const PLACE = { name: 'Test Cafe', rating: 4.6, reviews: 37, site: 'https://cafe.example/' };

function outscraper({ id, author, stars, day, text, reply, replyDay }: Written): Row {
  return {
    query: 'Test Cafe, Portland',
    ...PLACE,
    author_title: author,
    author_id: '1184',
    author_image: 'https://lh3.googleusercontent.com/a-/x',
    review_text: text || null,
    review_rating: stars,
    review_datetime_utc: `${american(day)} 12:00:00`,
    review_timestamp: seconds(day),
    review_likes: 0,
    review_id: id,
    review_link: `https://www.google.com/maps/reviews/data=${id}`,
    owner_answer: reply || null,
    owner_answer_timestamp_datetime_utc: reply && `${american(replyDay)} 12:00:00`,
  };
}

function apify({ id, author, stars, day, text, reply, replyDay }: Written): Row {
  return {
    title: 'Test Cafe',
    totalScore: 4.6,
    reviewId: id,
    name: author,
    stars,
    text: text || null,
    textTranslated: null,
    publishAt: '2 months ago',
    publishedAtDate: noon(day),
    responseFromOwnerText: reply || null,
    responseFromOwnerDate: reply ? noon(replyDay) : null,
    reviewUrl: `https://www.google.com/maps/reviews/${id}`,
    originalLanguage: 'en',
  };
}

interface Case extends Partial<ImportOptions> {
  file: string;
  content: string | Uint8Array | Promise<Uint8Array>;
  source: string;
  /** True where the export has no replies. */
  noReply?: boolean;
  /** True where the export does not date replies: they get the day of the review. */
  noReplyDate?: boolean;
  labeled?: boolean;
  accept?: () => Promise<boolean>;
  platform?: string;
}

const yes = () => Promise.resolve(true);

const CASES: Record<string, Case> = {
  'Outscraper, CSV': { file: 'a.csv', content: csv(outscraper), source: 'google' },
  'Outscraper, JSON of places': {
    file: 'a.json',
    content: JSON.stringify({
      status: 'Success',
      data: [{ ...PLACE, reviews_data: REVIEWS.map(outscraper) }],
    }),
    source: 'google',
  },
  'Outscraper, xlsx': {
    file: 'a.xlsx',
    content: excel(REVIEWS.map(outscraper)),
    source: 'google',
  },
  SerpApi: {
    file: 'a.json',
    content: JSON.stringify({
      place_info: { title: 'Test Cafe', rating: 4.6, reviews: 37 },
      reviews: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
        review_id: id,
        link: `https://www.google.com/maps/reviews/${id}`,
        rating: stars,
        date: '2 months ago',
        iso_date: noon(day),
        iso_date_of_last_edit: noon(day),
        source: 'Google',
        user: { name: author, link: 'https://www.google.com/maps/contrib/1', reviews: 9 },
        snippet: text && `${text} (translated)`,
        extracted_snippet: { original: text, translated: 'Nie to.' },
        ...(reply && {
          response: { date: 'a month ago', iso_date: noon(replyDay), snippet: reply },
        }),
      })),
    }),
    source: 'google',
  },
  'google-reviews-scraper-pro': {
    file: 'a.json',
    content: json(({ id, author, stars, day, text, reply }) => ({
      review_id: id,
      author,
      rating: stars,
      description: text ? { en: text } : {},
      review_date: noon(day),
      likes: 2,
      owner_responses: reply ? { en: { text: reply } } : {},
      created_date: '2025-03-03T03:03:03Z',
    })),
    source: 'google',
    noReplyDate: true,
  },
  'Apify, JSON': { file: 'a.json', content: json(apify), source: 'google' },
  'Apify, CSV': { file: 'a.csv', content: csv(apify), source: 'google' },
  'DataForSEO, on one line': {
    file: 'a.json',
    content: JSON.stringify({
      version: '0.1',
      tasks: [
        {
          id: 't1',
          result: [
            {
              title: 'Test Cafe',
              rating: { value: 4.6, votes_count: 37 },
              items: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
                type: 'google_reviews_search',
                rating: { rating_type: 'Max5', value: stars, rating_max: 5 },
                review_text: text || null,
                original_review_text: null,
                profile_name: author,
                timestamp: `${day} 12:00:00 +00:00`,
                time_ago: '2 months ago',
                owner_answer: reply || null,
                owner_timestamp: reply ? `${replyDay} 12:00:00 +00:00` : null,
                review_id: id,
              })),
            },
          ],
        },
      ],
    }),
    source: 'google',
  },
  'Places API, new': {
    file: 'a.json',
    content: JSON.stringify({
      displayName: { text: 'Test Cafe' },
      rating: 4.6,
      userRatingCount: 37,
      reviews: REVIEWS.map(({ id, author, stars, day, text }) => ({
        name: `places/ChIJ/reviews/${id}`,
        relativePublishTimeDescription: '2 months ago',
        rating: stars,
        ...(text && {
          text: { text: `Übersetzt: ${text}`, languageCode: 'de' },
          originalText: { text, languageCode: 'en' },
        }),
        authorAttribution: { displayName: author, uri: 'https://www.google.com/maps/contrib/1' },
        publishTime: noon(day),
      })),
    }),
    source: 'google',
    noReply: true,
  },
  'Places API, old': {
    file: 'a.json',
    content: JSON.stringify({
      result: {
        name: 'Test Cafe',
        rating: 4.6,
        reviews: REVIEWS.map(({ author, stars, day, text }) => ({
          author_name: author,
          rating: stars,
          relative_time_description: '2 months ago',
          text,
          time: seconds(day),
          translated: false,
        })),
      },
      status: 'OK',
    }),
    source: 'google',
    noReply: true,
  },
  gosom: {
    file: 'a.json',
    content: JSON.stringify({
      title: 'Test Cafe',
      review_count: 37,
      review_rating: 4.6,
      user_reviews: REVIEWS.slice(0, 3).map(gosom),
      user_reviews_extended: REVIEWS.map(gosom),
    }),
    source: 'google',
    noReply: true,
  },
  lobstr: {
    file: 'a.csv',
    content: csv(({ id, author, stars, day, text, reply }) => ({
      place_name: 'Test Cafe',
      place_average_score: 4.6,
      internal_review_id: id,
      user_name: author,
      score: stars,
      text: text && `Traduit: ${text}`,
      original_text: text,
      published_at: 'il y a 2 mois',
      published_at_datetime: noon(day),
      response_from_owner: reply,
    })),
    source: 'google',
    noReplyDate: true,
  },
  'Google Business Profile': {
    file: 'reviews.json',
    content: JSON.stringify({
      reviews: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
        name: `accounts/1/locations/2/reviews/${id}`,
        reviewer: { displayName: author },
        starRating: WORDS[stars],
        ...(text && { comment: text }),
        createTime: noon(day),
        updateTime: noon(day),
        ...(reply && {
          reviewReply: { comment: reply, updateTime: noon(replyDay), reviewReplyState: 'APPROVED' },
        }),
      })),
      averageRating: 3.6,
      totalReviewCount: 7,
    }),
    source: 'google',
  },
  'Trustpilot business CSV': {
    file: 'a.csv',
    content: csv(({ id, author, stars, day, text, reply, replyDay }) => ({
      'Review Id': id,
      'Review Created (UTC)': `${day} 12:00:00`,
      'Review Consumer User Name': author,
      'Review Title': '',
      'Review Content': text,
      'Review Stars': stars,
      'Source Of Review': 'Organic',
      'Company Reply Date (UTC)': reply && `${replyDay} 12:00:00`,
      'Company Reply Content': reply,
    })),
    source: 'trustpilot',
  },
  'Trustpilot API': {
    file: 'a.json',
    content: JSON.stringify({
      reviews: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
        id,
        consumer: { id: 'c', displayName: author },
        stars,
        title: text.slice(0, 8),
        text: text || null,
        createdAt: noon(day),
        updatedAt: null,
        companyReply: reply ? { text: reply, createdAt: noon(replyDay) } : null,
        status: 'active',
        isVerified: true,
      })),
    }),
    source: 'trustpilot',
  },
  Yelp: {
    file: 'a.json',
    content: JSON.stringify({
      reviews: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
        id,
        rating: `${stars} star rating`,
        date: `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`,
        comment: { text, language: 'en' },
        user: { markupDisplayName: author, reviewCount: 3 },
        businessOwnerReplies: reply ? [{ comment: reply, date: american(replyDay) }] : null,
      })),
    }),
    source: 'yelp',
  },
  Facebook: {
    file: 'a.json',
    content: JSON.stringify({
      data: REVIEWS.map(({ author, stars, day, text }) => ({
        created_time: `${day}T12:00:00+0000`,
        has_rating: true,
        rating: stars,
        review_text: text,
        reviewer: { name: author, id: '9' },
      })),
    }),
    source: 'facebook',
    noReply: true,
  },
  Tripadvisor: {
    file: 'a.json',
    content: json(({ id, author, stars, day, text, reply, replyDay }) => ({
      id,
      rating: stars,
      title: '',
      text,
      publishedDate: day,
      travelDate: '2023-01',
      user: { name: author, contributions: { totalContributions: 4 } },
      ownerResponse: reply ? { text: reply, publishedDate: replyDay, responder: 'Chef' } : null,
      placeInfo: { name: 'Test Cafe', rating: 4.6 },
    })),
    source: 'tripadvisor',
  },
  'Booking extranet': {
    file: 'a.csv',
    content: csv(({ id, author, stars, day, text, reply }) => ({
      'Review date': `${day} 12:00:00`,
      'Guest name': author,
      'Reservation number': id,
      'Review title': '',
      'Positive review': text,
      'Negative review': '',
      'Review score': stars * 2,
      Staff: 10,
      'Property reply': reply,
    })),
    source: 'booking',
    labeled: true,
    noReplyDate: true,
  },
  'Booking, scraped': {
    file: 'a.csv',
    content: csv(({ author, stars, day, text }) => ({
      Hotel_Name: 'Test Hotel',
      Average_Score: 8.4,
      Reviewer_Name: author,
      Review_Date: american(day),
      Positive_Review: text || 'No Positive',
      Negative_Review: 'No Negative',
      Reviewer_Score: stars * 2,
    })),
    source: 'booking',
    noReply: true,
    labeled: true,
  },
  'Judge.me': {
    file: 'a.csv',
    content: csv(({ author, stars, day, text, reply, replyDay }) => ({
      title: '',
      body: text,
      rating: stars,
      review_date: `${day} 12:00:00 UTC`,
      source: 'web',
      curated: 'ok',
      reviewer_name: author,
      reviewer_email: 'x@mail.example',
      product_id: '',
      reply,
      reply_date: reply && `${replyDay} 12:00:00 UTC`,
    })),
    source: 'judge-me',
  },
  Yotpo: {
    file: 'a.csv',
    content: csv(({ id, author, stars, day, text, reply }) => ({
      'Review ID': id,
      'Review Title': '',
      'Review Content': text,
      'Review Score': stars,
      Date: day,
      'Display Name': author,
      'Review Status': 'Published',
      Comment: reply,
    })),
    source: 'yotpo',
    noReplyDate: true,
  },
  Okendo: {
    file: 'a.json',
    content: JSON.stringify({
      reviews: REVIEWS.map(({ id, author, stars, day, text, reply, replyDay }) => ({
        reviewId: id,
        body: text,
        title: '',
        rating: stars,
        dateCreated: noon(day),
        status: 'approved',
        reviewer: { displayName: author, isVerified: true },
        ...(reply && { reply: { rawBody: reply, dateCreated: noon(replyDay), isPrivate: false } }),
      })),
    }),
    source: 'okendo',
  },
  'a list in German, in Windows-1252': {
    file: 'a.csv',
    content: Buffer.from(
      csv(
        ({ author, stars, day, text, reply }) => ({
          Kunde: author,
          'Bewertung (Sterne)': `${stars} Sterne`,
          Datum: germanDay(day),
          Rezension: text,
          Antwort: reply,
          Übernommen: 'ja',
        }),
        ';',
      ),
      'latin1',
    ),
    source: 'google',
    platform: 'google',
    accept: yes,
    noReplyDate: true,
  },
  'a list below a title and an empty line': {
    file: 'a.csv',
    content: `Our reviews\r\n\r\n${csv(({ author, stars, day, text }) => ({
      Name: author,
      Rating: `${stars} stars`,
      Date: day,
      Comment: text,
    }))}`,
    source: 'google',
    platform: 'google',
    accept: yes,
    noReply: true,
  },
  'a list in Spanish': {
    file: 'a.csv',
    content: csv(({ author, stars, day, text, reply }) => ({
      'Nombre del cliente': author,
      Valoración: `${stars},0/5`,
      'Fecha de la reseña': european(day),
      Comentario: text,
      Respuesta: reply,
    })),
    source: 'google',
    platform: 'google',
    accept: yes,
    noReplyDate: true,
  },
  'a list in French': {
    file: 'a.csv',
    content: csv(({ author, stars, day, text }) => ({
      Nom: author,
      Étoiles: stars,
      "Date de l'avis": european(day),
      Avis: text,
    })),
    source: 'google',
    platform: 'google',
    accept: yes,
    noReply: true,
  },
  'a list in Portuguese': {
    file: 'a.csv',
    content: csv(({ author, stars, day, text }) => ({
      Cliente: author,
      Avaliação: stars,
      Data: european(day),
      Comentário: text,
    })),
    source: 'google',
    platform: 'google',
    accept: yes,
    noReply: true,
  },
  'a list in Italian, xlsx with real dates': {
    file: 'a.xlsx',
    content: excel(
      REVIEWS.map(({ author, stars, day, text, reply }) => ({
        Autore: author,
        Voto: stars,
        Data: new Date(day),
        Recensione: text,
        Risposta: reply,
      })),
    ),
    source: 'google',
    platform: 'google',
    accept: yes,
    noReplyDate: true,
  },
};

function gosom({ author, stars, day, text }: Written): Row {
  const When = day.replaceAll('-0', '-');
  return { Name: author, ProfilePicture: '', Rating: stars, Description: text, When, Images: null };
}

async function excel(rows: Row[]): Promise<Uint8Array> {
  const cells = rows.map((row) => Object.values(row) as (string | number | Date | null)[]);
  return writeXlsx({ sheets: [{ name: 'Reviews', rows: [Object.keys(rows[0]!), ...cells] }] });
}

for (const [name, { file, content, source, platform, ...options }] of Object.entries(CASES)) {
  test(`publishes what customers wrote: ${name}`, async (context) => {
    const { noReply, noReplyDate, labeled, ...rest } = options;
    const dataset = await emptyDataset(context);
    const bytes = await content;
    const { counts } = await dataset.runText(file, bytes, {
      ...rest,
      ...(platform !== undefined && { source: platform }),
    });
    assert.deepEqual([counts.added, counts.skipped], [REVIEWS.length, 0]);
    const records = await dataset.records();
    assert.deepEqual(
      records.map(({ owner_reply: reply, ...record }) => ({
        author: record.author,
        stars: record.rating,
        day: record.date,
        title: record.title,
        text: record.text ?? '',
        reply: reply ? `${reply.date ?? 'undated'} ${reply.text}` : '',
        source: record.source,
        verified: record.verified,
      })),
      REVIEWS.map(({ author, stars, day, text, reply, replyDay }) => ({
        author,
        stars,
        day,
        title: undefined,
        text: labeled && text ? `Liked: ${text}` : text,
        reply: noReply || !reply ? '' : `${noReplyDate ? 'undated' : replyDay} ${reply}`,
        source,
        verified: true,
      })),
    );
  });
}

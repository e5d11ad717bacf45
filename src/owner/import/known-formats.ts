import type { Origin } from '../../schema/review.ts';
import type { DateOrder } from './dates.ts';

/** Values in lower case, by the path of the field that has one of them or none. */
type Listed = Readonly<Record<string, readonly string[]>>;

/** A kind of export, recognized by fields that no other kind has together. */
export interface Format {
  name: string;
  /** The platform the reviews were written on; left out when each row tells it. */
  source?: string;
  /** Fields of every row, separated by commas; `a|b` is one of two. */
  marks: string;
  /** The columns or paths of a review's parts, in the notation of `--map`. */
  map: string;
  /** Columns that name the place, the most telling first, separated by `|`. */
  place?: string;
  /** Columns that look as if they had the state of a review, and have something else. */
  others?: readonly string[];
  /** The order in dates such as 03/04/2025, unless the dates show another. */
  dates?: DateOrder;
  /** Met by a review that its platform shows; others are held back. A row may lack the field. */
  shown?: Listed;
  /** Met by a reply that its platform shows; others are left out. */
  replyShown?: Listed;
  /** Origins of reviews by path and value; `*` is any other value. */
  origins?: Readonly<Record<string, Readonly<Record<string, Origin>>>>;
  /** True when texts that look like formulas are guarded as in reviews.csv. */
  isGuarded?: boolean;
  /** True for what this program published: its ids are ULIDs, to be kept. */
  isOwn?: boolean;
  /** True when such a file never has all reviews. */
  isPart?: boolean;
  /** The link of a review on its platform, with `{id}`. */
  link?: string;
  /** Published: what had to hold for these reviews to count as verified. */
  verification?: string;
  /** Something the owner should know about this kind of export. */
  note?: string;
}

const TRUSTPILOT_LINK = 'https://www.trustpilot.com/reviews/{id}';
const TRUSTPILOT_ORIGIN = { organic: 'organic', '*': 'invited' } as const;
const NO = ['false', '0', 'no'];
const FACEBOOK_NOTE =
  'Facebook has no stars: a recommendation is imported as 5, advice against as 1';
const PLACES_NOTE =
  'the Places API gives five reviews of a place only: import a full export when you have one';
const SHOP_NOTE =
  'reviews of products judge the product: import only those that judge the business';
const VERIFIED_ELSEWHERE = 'Published as verified by the installation whose reviews were imported.';

/** Columns of reviews.csv, and members of reviews.json. */
const OWN_MAP = `id=id, author=author, rating=rating, date=date, title=title, text=text,
  language=language, url=source_url, source=source, reply=reply|owner_reply.text,
  reply_date=reply_date|owner_reply.date, updated=updated_at`;

export const FORMATS: readonly Format[] = [
  {
    name: 'reviews.json or reviews.ndjson of another installation',
    marks: 'id, verified, owner_reply, mentions, source',
    map: OWN_MAP,
    origins: { origin: { organic: 'organic', invited: 'invited', incentivized: 'incentivized' } },
    isOwn: true,
    shown: { verified: ['true'] },
    verification: VERIFIED_ELSEWHERE,
  },
  {
    name: 'reviews.csv of another installation',
    marks: 'id, author_avatar_url, reply_date, updated_at, sentiment',
    map: OWN_MAP,
    isOwn: true,
    isGuarded: true,
    verification: VERIFIED_ELSEWHERE,
  },
  {
    name: 'Google Business Profile (Takeout or API)',
    source: 'google',
    marks: 'starRating, createTime',
    map: `id=reviewId|name, author=reviewer.displayName, rating=starRating, date=createTime,
      text=comment, reply=reviewReply.comment, reply_date=reviewReply.updateTime,
      updated=updateTime, media=reviewMediaItems`,
    replyShown: {
      'reviewReply.reviewReplyState': ['approved', 'active', 'review_reply_state_unspecified'],
      'reviewReply.policyViolation': [],
      policyViolation: [],
    },
  },
  {
    name: 'Trustpilot or Tripadvisor reviews by Outscraper',
    marks: 'author_title, review_rating, review_title, review_timestamp|review_date',
    map: `id=review_id, author=author_title, rating=review_rating,
      date=review_datetime_utc|review_timestamp|review_date, title=review_title, text=review_text,
      url=review_link, reply=owner_answer, reply_date=owner_answer_timestamp|owner_answer_date`,
    dates: 'mdy',
    place: 'query',
  },
  {
    name: 'Google reviews by Outscraper',
    source: 'google',
    marks: 'author_title, review_rating, review_id|review_text',
    map: `id=review_id, author=author_title, rating=review_rating,
      date=review_datetime_utc|review_timestamp, text=review_text, url=review_link,
      reply=owner_answer,
      reply_date=owner_answer_timestamp_datetime_utc|owner_answer_timestamp, media=review_img_urls`,
    dates: 'mdy',
    place: 'place_id|google_id|name',
    others: ['state'],
  },
  {
    name: 'Google reviews by Apify',
    source: 'google',
    marks: 'stars, publishedAtDate, reviewId|reviewUrl|reviewerId',
    map: `id=reviewId, author=name|reviewerName, rating=stars|rating, date=publishedAtDate, text=text,
      language=originalLanguage, url=reviewUrl, source=reviewOrigin, reply=responseFromOwnerText,
      reply_date=responseFromOwnerDate, media=reviewImageUrls`,
    place: 'placeId|title',
    others: ['state'],
  },
  {
    name: 'Google reviews by SerpApi',
    marks: 'rating, iso_date, user, review_id|snippet',
    source: 'google',
    map: `id=review_id, author=user.name, rating=rating, date=iso_date,
      text=extracted_snippet.original|snippet, url=link, source=source,
      reply=response.extracted_snippet.original|response.snippet,
      reply_date=response.iso_date_of_last_edit|response.iso_date, updated=iso_date_of_last_edit,
      media=images`,
    note: 'SerpApi ends at about 5,000 reviews of a place',
  },
  {
    name: 'Google reviews by google-reviews-scraper-pro',
    source: 'google',
    marks:
      'review_id, rating, review_date, description|review_text, owner_responses|raw_date|content_hash',
    map: `id=review_id, author=author, rating=rating, date=review_date,
      text=review_text.*.text|review_text.*|description.*.text|description.*|description,
      reply=owner_responses.*.text|owner_responses.*`,
    place: 'place_id',
  },
  {
    name: 'Google reviews by DataForSEO',
    source: 'google',
    marks: 'rating.value, profile_name, timestamp, review_text|review_id',
    map: `id=review_id, author=profile_name, rating=rating.value, date=timestamp,
      text=original_review_text|review_text, language=original_language, url=review_url,
      reply=original_owner_answer|owner_answer, reply_date=owner_timestamp, media=images`,
  },
  {
    name: 'Google Places API',
    source: 'google',
    marks: 'authorAttribution, publishTime, rating',
    map: `id=name, author=authorAttribution.displayName, rating=rating, date=publishTime,
      text=originalText.text|text.text, language=originalText.languageCode, url=googleMapsUri`,
    isPart: true,
    note: PLACES_NOTE,
  },
  {
    name: 'Google Places API (old)',
    source: 'google',
    marks: 'author_name, rating, time, relative_time_description',
    map: 'author=author_name, rating=rating, date=time, text=text, language=original_language',
    isPart: true,
    note: PLACES_NOTE,
  },
  {
    name: 'Google reviews by gosom',
    source: 'google',
    marks: 'Name, Rating, Description, When, ProfilePicture|Images',
    map: 'author=Name, rating=Rating, date=When, text=Description, media=Images',
  },
  {
    name: 'Google reviews by lobstr',
    source: 'google',
    marks: 'score, published_at_datetime, user_name|username, original_text|text',
    map: `id=internal_review_id|review_id, author=user_name|username, rating=score,
      date=published_at_datetime, text=original_text|text, language=lang, url=review_link,
      reply=response_from_owner|owner_response|owner_response.text,
      reply_date=response_from_owner_datetime|owner_response_datetime, updated=modified_at_datetime`,
    place: 'place_name|place_id',
  },
  {
    name: 'Google reviews from a crawler',
    source: 'google',
    marks:
      'review_id, rating, published_at_date, is_local_guide|response_from_owner_text|response_from_owner_date',
    map: `id=review_id, author=name|reviewer_name, rating=rating, date=published_at_date|published_at,
      text=review_text, url=review_link|review_url, reply=response_from_owner_text,
      reply_date=response_from_owner_date`,
    place: 'place_id|place_name',
  },
  {
    name: 'Trustpilot business export',
    source: 'trustpilot',
    marks: 'Review Id, Review Created (UTC), Review Stars',
    map: `id=Review Id, author=Review Username|Review Consumer User Name|Consumer Name,
      rating=Review Stars, date=Review Created (UTC), title=Review Title, text=Review Content,
      language=Review Language,
      reply=Company Reply Content|Company Response|Company Reply|Business Reply,
      reply_date=Company Reply Date (UTC)|Business Reply Date (UTC)`,
    origins: { 'Source Of Review': TRUSTPILOT_ORIGIN, 'Review Source': TRUSTPILOT_ORIGIN },
    link: TRUSTPILOT_LINK,
    place: 'Domain|Domain Name|Business Unit Id|Business Name|Location Id|Location Name',
  },
  {
    name: 'Trustpilot API',
    source: 'trustpilot',
    marks: 'stars, createdAt, consumer',
    map: `id=id, author=consumer.displayName, rating=stars, date=createdAt, title=title, text=text,
      language=language, reply=companyReply.text,
      reply_date=companyReply.updatedAt|companyReply.createdAt, updated=updatedAt`,
    shown: { status: ['active'] },
    origins: { source: TRUSTPILOT_ORIGIN, 'invitation.businessUnitId': { '*': 'invited' } },
    link: TRUSTPILOT_LINK,
    place: 'businessUnit.id|businessUnit.displayName',
  },
  {
    name: 'Trustpilot reviews from a crawler',
    source: 'trustpilot',
    marks: 'id, rating, filtered, pending, published|dates',
    map: `id=id, author=consumer.displayName|author, rating=rating,
      date=dates.publishedDate|published, title=title, text=text, language=language,
      reply=reply.message, reply_date=reply.publishedDate, updated=dates.updatedDate`,
    shown: { filtered: NO, pending: NO },
    link: TRUSTPILOT_LINK,
    place: 'domain|businessUnit.id|location.id',
  },
  {
    name: 'Yelp API',
    source: 'yelp',
    marks: 'time_created, rating, user',
    map: `id=id, author=user.name, rating=rating, date=time_created, text=text, url=url,
      reply=public_response.text|owner_response.text,
      reply_date=public_response.time_created|owner_response.time_created`,
    note: "Yelp's public API cuts texts at 160 characters: import a full export when you have one",
    place: 'business_id|business.id',
  },
  {
    name: 'Yelp reviews as its pages load them',
    source: 'yelp',
    marks: 'comment, rating, localizedDate|date, user',
    map: `id=id, author=user.markupDisplayName|user.name, rating=rating, date=localizedDate|date,
      text=comment.text, language=comment.language,
      reply=businessOwnerReplies.0.comment.text|businessOwnerReplies.0.comment,
      reply_date=businessOwnerReplies.0.localizedDate|businessOwnerReplies.0.date, media=photos`,
    dates: 'mdy',
    place: 'business.id|businessAlias',
  },
  {
    name: 'Facebook page ratings',
    source: 'facebook',
    marks: 'created_time, recommendation_type|has_rating|has_review',
    map: `id=open_graph_story.id|id, author=reviewer.name, rating=rating,
      recommended=recommendation_type, date=created_time, text=review_text`,
    note: FACEBOOK_NOTE,
  },
  {
    name: 'Facebook recommendations from a crawler',
    source: 'facebook',
    marks:
      'isRecommended|is_recommended, text, date|published_at|timestamp, facebookUrl|facebookId|legacyId|user.name|user.profileUrl',
    map: `id=id|recommendation_id|legacyId, author=user.name|author.name|reviewer.name,
      recommended=isRecommended|is_recommended, date=date|published_at|timestamp, text=text, url=url`,
    note: FACEBOOK_NOTE,
    place: 'facebookId|pageId|pageName',
  },
  {
    name: 'Tripadvisor reviews from a crawler',
    source: 'tripadvisor',
    marks:
      'rating, text, publishedDate|published_date|publishDate, travelDate|travel_date|tripType|trip_type|ownerResponse|owner_response, user.name|user.username|placeInfo|locationId|ownerResponse|owner_response',
    map: `id=id|review_id, author=user.name|user.username|username|author, rating=rating,
      date=publishedDate|published_date|publishDate, title=title, text=text,
      language=originalLanguage|lang|language, url=url,
      reply=ownerResponse.text|owner_response.text,
      reply_date=ownerResponse.publishedDate|owner_response.published_date, media=photos`,
    place: 'locationId|placeInfo.id|placeInfo.name',
  },
  {
    name: 'Booking.com extranet',
    source: 'booking',
    marks: 'Review date, Review score, Positive review, Negative review',
    map: `id=Reservation number, author=Guest name, rating=Review score, date=Review date,
      title=Review title, text=Positive review+Negative review, reply=Property reply`,
  },
  {
    name: 'Booking.com reviews from a crawler',
    source: 'booking',
    marks: 'Reviewer_Score, Positive_Review, Negative_Review, Review_Date',
    map: `author=Reviewer_Name, rating=Reviewer_Score, date=Review_Date,
      text=Positive_Review+Negative_Review`,
    dates: 'mdy',
    place: 'Hotel_Name|Hotel_Address',
  },
  {
    name: 'Judge.me',
    source: 'judge-me',
    marks: 'body, rating, review_date, reviewer_name, curated|source',
    map: `author=reviewer_name, rating=rating, date=review_date, title=title, text=body, reply=reply,
      reply_date=reply_date, media=picture_urls`,
    shown: { curated: ['ok', 'not-yet', 'true'] },
    origins: { source: { web: 'organic', email: 'invited' } },
    note: SHOP_NOTE,
  },
  {
    name: 'Yotpo',
    source: 'yotpo',
    marks: 'Review Content, Review Score, Review Status, Display Name|Reviewer Display Name',
    map: `id=Review ID, author=Display Name|Reviewer Display Name, rating=Review Score,
      date=Date|Review Creation Date, title=Review Title, text=Review Content,
      reply=Comment|Comment Content, reply_date=Comment Date`,
    replyShown: { 'Comment Public': ['true', 'yes', '1'] },
    note: SHOP_NOTE,
  },
  {
    name: 'Okendo API',
    source: 'okendo',
    marks: 'reviewId, body, rating, dateCreated, reviewer',
    map: `id=reviewId, author=reviewer.displayName|reviewer.name, rating=rating, date=dateCreated,
      title=title, text=body, language=languageCode, reply=reply.rawBody|reply.body,
      reply_date=reply.dateCreated, media=media`,
    note: SHOP_NOTE,
  },
];

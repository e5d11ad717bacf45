import type { FieldMap, Row } from './draft.ts';

/** A kind of export, recognized by fields that no other kind has together. */
export interface Format {
  name: string;
  /** The platform the reviews were written on; undefined when each row tells it. */
  source: string | undefined;
  /** A row of this format has a field of each of these lists. */
  marks: readonly (readonly string[])[];
  fields: FieldMap;
  /** True when its texts are escaped as in a page. */
  isHtml?: boolean;
  /** True when texts that look like formulas are guarded as in reviews.csv. */
  isGuarded?: boolean;
  /** True for what this program published: its ids are ULIDs, to be kept. */
  isOwn?: boolean;
  /** Makes the link of a review on its platform from its id. */
  link?: (id: string) => string;
  /** Tells whether the platform itself holds the review back. */
  isHidden?: (row: Row) => boolean;
  /** Published: what had to hold for these reviews to count as verified. */
  verification?: string;
  /** Something the owner should know about this kind of export. */
  note?: string;
}

const trustpilotLink = (id: string): string => `https://www.trustpilot.com/reviews/${id}`;
const isYes = (value: unknown): boolean => /^(true|1|yes)$/i.test(String(value ?? ''));

export const FORMATS: readonly Format[] = [
  {
    name: 'Google Business Profile (Takeout or API)',
    source: 'google',
    marks: [['starRating'], ['createTime']],
    fields: {
      id: ['reviewId', 'name'],
      author: ['reviewer.displayName'],
      rating: ['starRating'],
      date: ['createTime'],
      text: ['comment'],
      reply: ['reviewReply.comment'],
      reply_date: ['reviewReply.updateTime'],
      updated: ['updateTime'],
    },
  },
  {
    name: 'Google reviews from a crawler',
    source: 'google',
    marks: [['stars'], ['publishedAtDate'], ['reviewId', 'reviewUrl', 'reviewerId']],
    fields: {
      id: ['reviewId'],
      author: ['name', 'reviewerName'],
      rating: ['stars'],
      date: ['publishedAtDate'],
      text: ['text'],
      language: ['originalLanguage'],
      url: ['reviewUrl'],
      source: ['reviewOrigin'],
      reply: ['responseFromOwnerText'],
      reply_date: ['responseFromOwnerDate'],
    },
  },
  {
    name: 'Google reviews from a crawler',
    source: 'google',
    marks: [['review_id'], ['rating'], ['published_at_date']],
    fields: {
      id: ['review_id'],
      author: ['name', 'reviewer_name'],
      rating: ['rating'],
      date: ['published_at_date'],
      text: ['review_text'],
      url: ['review_link', 'review_url'],
      reply: ['response_from_owner_text'],
      reply_date: ['response_from_owner_date'],
    },
  },
  {
    name: 'Trustpilot business export',
    source: 'trustpilot',
    marks: [['review id'], ['review created (utc)'], ['review stars']],
    fields: {
      id: ['review id'],
      author: ['review username'],
      rating: ['review stars'],
      date: ['review created (utc)'],
      title: ['review title'],
      text: ['review content'],
      language: ['review language'],
      reply: ['company response', 'company reply', 'business reply'],
      reply_date: ['company reply date (utc)', 'business reply date (utc)'],
    },
    link: trustpilotLink,
  },
  {
    name: 'Trustpilot API',
    source: 'trustpilot',
    marks: [['stars'], ['createdAt'], ['consumer']],
    fields: {
      id: ['id'],
      author: ['consumer.displayName'],
      rating: ['stars'],
      date: ['createdAt'],
      title: ['title'],
      text: ['text'],
      language: ['language'],
      reply: ['companyReply.text'],
      reply_date: ['companyReply.updatedAt', 'companyReply.createdAt'],
      updated: ['updatedAt'],
    },
    link: trustpilotLink,
    isHidden: ({ status = 'active' }) => status !== null && status !== 'active',
  },
  {
    name: 'Trustpilot reviews from a crawler',
    source: 'trustpilot',
    marks: [['id'], ['rating'], ['filtered'], ['pending'], ['published', 'dates']],
    fields: {
      id: ['id'],
      author: ['consumer.displayName', 'author'],
      rating: ['rating'],
      date: ['dates.publishedDate', 'published'],
      title: ['title'],
      text: ['text'],
      language: ['language'],
      reply: ['reply.message'],
      reply_date: ['reply.publishedDate'],
      updated: ['dates.updatedDate'],
    },
    link: trustpilotLink,
    isHidden: ({ filtered, pending }) => isYes(filtered) || isYes(pending),
  },
  {
    name: 'Yelp API',
    source: 'yelp',
    marks: [['time_created'], ['rating'], ['user']],
    fields: {
      id: ['id'],
      author: ['user.name'],
      rating: ['rating'],
      date: ['time_created'],
      text: ['text'],
      url: ['url'],
      reply: ['public_response.text', 'owner_response.text'],
      reply_date: ['public_response.time_created', 'owner_response.time_created'],
    },
    note: "Yelp's public API cuts texts at 160 characters: import a full export when you have one",
  },
  {
    name: 'Yelp reviews as its pages load them',
    source: 'yelp',
    marks: [['comment'], ['rating'], ['localizedDate', 'date'], ['user']],
    fields: {
      id: ['id'],
      author: ['user.markupDisplayName', 'user.name'],
      rating: ['rating'],
      date: ['localizedDate', 'date'],
      text: ['comment.text'],
      language: ['comment.language'],
      reply: ['businessOwnerReplies.0.comment.text', 'businessOwnerReplies.0.comment'],
      reply_date: ['businessOwnerReplies.0.localizedDate'],
    },
    isHtml: true,
  },
  {
    name: 'Facebook page ratings',
    source: 'facebook',
    marks: [['created_time'], ['recommendation_type', 'has_rating', 'has_review']],
    fields: {
      id: ['open_graph_story.id', 'id'],
      author: ['reviewer.name'],
      rating: ['rating', 'recommendation_type'],
      date: ['created_time'],
      text: ['review_text'],
    },
    note: 'Facebook has no stars: a recommendation is imported as 5, advice against as 1',
  },
  {
    name: 'Facebook recommendations from a crawler',
    source: 'facebook',
    marks: [['isRecommended', 'is_recommended'], ['text'], ['date', 'published_at', 'timestamp']],
    fields: {
      id: ['id', 'recommendation_id', 'legacyId'],
      author: ['user.name', 'author.name', 'reviewer.name'],
      rating: ['isRecommended', 'is_recommended'],
      date: ['date', 'published_at', 'timestamp'],
      text: ['text'],
      url: ['url'],
    },
    note: 'Facebook has no stars: a recommendation is imported as 5, advice against as 1',
  },
];

import { z } from 'zod';
import { licenseName } from './license.ts';
import { language, optionalText, slug, text, webUrl } from './primitives.ts';
import { theme } from './theme.ts';

/** The languages that src/messages has a catalog of. */
export const PAGE_LANGUAGES = ['en', 'es', 'de', 'fr', 'ar'] as const;

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, 00:00 to 23:59');
export const weekday = z.enum([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]);

export const address = z.strictObject({
  street: optionalText.nullable().default(null),
  city: text,
  region: optionalText
    .nullable()
    .default(null)
    .describe('State, province or county, where addresses have one.'),
  postal_code: optionalText.nullable().default(null),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country code')
    .nullable()
    .default(null)
    .describe('ISO 3166-1 alpha-2.'),
});

/** Hours that end before they begin are those of a night, until this time of the next day. */
const LAST_HOUR_OF_A_NIGHT = '06:00';

const openingHours = z
  .strictObject({ day: weekday, opens: clock, closes: clock })
  .refine(({ opens, closes }) => closes > opens || closes <= LAST_HOUR_OF_A_NIGHT, {
    path: ['closes'],
    error: 'is before it opens',
  })
  .refine(({ opens, closes }) => closes !== opens, {
    path: ['closes'],
    error: 'is when it opens, which programs take for closed: all day is 00:00 to 23:59',
  });

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const fields = {
  name: text.describe('The name customers know.'),
  legal_name: optionalText.nullable().describe('The registered name.'),
  description: optionalText.nullable().describe('A paragraph about the business.'),
  category: text.describe('What kind of business, in its own words.'),
  url: webUrl.nullable().describe("The business's own site."),
  phone: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must be E.164, e.g. +12075550142')
    .nullable()
    .describe('E.164, e.g. +12075550142.'),
  email: z.email('must be an e-mail address').nullable().describe('For customers; shown on pages.'),
  address: address.nullable().describe('Where customers find or write to it.'),
  geo: z
    .strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    })
    .nullable()
    .describe('Degrees, for maps.'),
  hours: z
    .array(openingHours)
    .describe('Opening hours, e.g. 07:30 to 17:00; up to 06:00 of the next day.'),
  time_zone: optionalText
    .refine(isTimeZone, 'is no IANA time zone, e.g. America/New_York')
    .nullable()
    .describe('IANA name, e.g. America/New_York; tells if the business is open now.'),
  service_areas: z.array(slug).describe('Ids of vocabulary/service-areas.json.'),
  same_as: z.array(webUrl).describe('The business on other sites.'),
  logo_url: webUrl.nullable().describe('A picture, shown on pages if its link is https.'),
};

/** Ways in which a business may have come by its reviews. */
export const solicitation = z.enum(['nobody', 'everyone', 'some', 'rewarded', 'insiders']);

/** `content/business.json`. Unknown facts may be omitted. */
export const businessRecord = z.strictObject({
  $schema: z.string().optional(),
  ...fields,
  legal_name: fields.legal_name.default(null),
  description: fields.description.default(null),
  url: fields.url.default(null),
  phone: fields.phone.default(null),
  email: fields.email.default(null),
  address: fields.address.default(null),
  geo: fields.geo.default(null),
  hours: fields.hours.default([]),
  time_zone: fields.time_zone.default(null),
  service_areas: fields.service_areas.default([]),
  same_as: fields.same_as.default([]),
  logo_url: fields.logo_url.default(null),
  cover_alt: text
    .optional()
    .describe(
      'What the picture cover.jpg, cover.png or cover.webp shows, for people who do not see it.',
    ),
  language: language
    .refine((tag) => PAGE_LANGUAGES.some((each) => each === tag.split('-')[0]), {
      error: `must be ${PAGE_LANGUAGES.join(', ')}, with a region if you like, e.g. de-AT`,
    })
    .optional()
    .describe(
      'Language of the pages and feeds: en, es, de, fr or ar, with a region if you like (de-AT); English without one.',
    ),
  languages: z
    .array(z.enum(PAGE_LANGUAGES, { error: `must be ${PAGE_LANGUAGES.join(', ')}` }))
    .optional()
    .describe('Further languages of the pages, each below its tag: /es/.'),
  author_display: z
    .enum(['full', 'first-initial', 'initials'])
    .default('full')
    .describe('How `npm run import` writes the names of authors: as given, Ada L. or A. L.'),
  data_license: licenseName
    .nullable()
    .default(null)
    .describe('License of the published data: an SPDX id, e.g. CC-BY-4.0, or an address.'),
  data_attribution: optionalText
    .nullable()
    .default(null)
    .describe('Whom to credit under that license, in the words to use.'),
  solicitation: z
    .array(solicitation)
    .refine((ways) => !ways.includes('nobody') || !ways.includes('everyone'), {
      error: 'nobody and everyone exclude each other',
    })
    .default([])
    .describe(
      'Who was asked for a review (nobody, everyone, some), and if some were rewarded or are by insiders; shown on /policy/.',
    ),
  sidecar: z
    .boolean()
    .default(true)
    .describe('false: the site is files alone, without MCP, hub and search over HTTP.'),
  theme: theme.prefault({}),
});
export type BusinessRecord = z.infer<typeof businessRecord>;

const { name, legal_name, description, category, url, ...others } = fields;

/** The business as published in reviews.json and by the MCP tool `get_business`. */
export const business = z
  .strictObject({
    name,
    legal_name,
    description,
    category,
    url,
    reviews_url: webUrl.describe('Where all its reviews are published.'),
    ...others,
  })
  .meta({ title: 'Business', description: 'The business the reviews are about.' });
export type Business = z.infer<typeof business>;

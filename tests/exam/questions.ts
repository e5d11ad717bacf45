import { best, byCounting, byQuoting, byReading, each, type Question } from './exam.ts';

const n = ({ n }: { n: number }) => n;
const stars = ({ average_rating }: { average_rating: number }) => average_rating;

const SERVICES = ['drain-cleaning', 'water-heater', 'furnace-repair', 'heat-pump', 'leak-repair'];
const ASPECTS = ['pricing', 'punctuality', 'cleanliness', 'communication', 'workmanship'];
const AREAS = ['alder-bay', 'millbrook', 'fernhill', 'saltmarsh', 'wexford'];
const TECHNICIANS = ['grace-okafor', 'will-hargrove', 'marcus-delgado', 'priya-raman'];
const YEARS = ['2021', '2022', '2023', '2024', '2025'];

const during = (year: string) => ({ since: `${year}-01-01`, until: `${year}-12-31` });

/** Sixty questions that people ask about a business, in the words of their kind. */
export const QUESTIONS: readonly Question[] = [
  ...SERVICES.map((service) =>
    byCounting(
      `Who is the best technician for ${service}?`,
      { mentions_service: service, group_by: ['technician'] },
      best(stars),
      { mentions_service: service.replaceAll('-', ' ') },
    ),
  ),
  ...YEARS.slice(2).map((year) =>
    byCounting(
      `What went wrong in ${year}?`,
      { max_rating: 2, ...during(year), group_by: ['problem'] },
      each(n),
    ),
  ),
  ...[
    {},
    { mentions_service: 'furnace-repair' },
    { aspect: 'punctuality' },
    { has_reply: true },
  ].map((filters) =>
    byCounting(
      `Is it worse in winter? ${JSON.stringify(filters)}`,
      { ...filters, group_by: ['season'] },
      each(stars),
    ),
  ),
  ...ASPECTS.map((aspect) =>
    byQuoting(`What do people say about ${aspect}? With quotes.`, {
      aspect,
      group_by: ['sentiment'],
    }),
  ),
  ...['2024-03-01', '2025-03-01', '2026-03-01'].map((since) =>
    byReading(
      `Missed appointments since ${since}?`,
      { mentions_problem: 'missed-appointment', since },
      { mentions_problem: 'missed appointments' },
    ),
  ),
  ...TECHNICIANS.slice(1).map((technician) =>
    byCounting(
      `${TECHNICIANS[0]} or ${technician}?`,
      { group_by: ['technician'] },
      ({ groups, total }) =>
        each(stars)({
          total,
          groups: groups.filter(({ values: [id] }) => id === TECHNICIANS[0] || id === technician),
        }),
    ),
  ),
  ...YEARS.map((year) =>
    byCounting(
      `How many one-star reviews in ${year}?`,
      { rating: 1, ...during(year) },
      ({ total }) => total,
    ),
  ),
  ...[1, 2, 3].map((stars) =>
    byCounting(
      `Are reviews of up to ${stars} stars answered?`,
      { max_rating: stars, group_by: ['replied'] },
      each(n),
    ),
  ),
  ...ASPECTS.map((aspect) =>
    byCounting(
      `Has ${aspect} become worse?`,
      { aspect, group_by: ['year'] },
      each(({ positive_pct }) => positive_pct),
    ),
  ),
  byCounting(
    'Which platform is lowest?',
    { group_by: ['source'] },
    best((group) => -stars(group)),
  ),
  ...['google', 'yelp', 'facebook'].map((source) =>
    byCounting(
      `What do reviews on ${source} criticize?`,
      { source, sentiment: 'negative', group_by: ['aspect', 'sentiment'] },
      each(n),
    ),
  ),
  ...AREAS.map((area) =>
    byCounting(
      `What do people in ${area} say?`,
      { mentions_area: area, group_by: ['aspect', 'sentiment'] },
      each(n),
      { mentions_area: area.replaceAll('-', ' ').toUpperCase() },
    ),
  ),
  byReading('What do Spanish speakers say?', { language: 'es' }, { language: 'Spanish' }),
  byCounting('In which languages do people write?', { group_by: ['language'] }, each(n)),
  byReading(
    'Were there billing errors?',
    { mentions_problem: 'billing-error' },
    { mentions_problem: 'billing errors' },
  ),
  byReading('Did anyone smell of smoke?', { query: 'smoke' }),
  byReading('Who didn’t get a call back?', { query: 'didn’t call' }, { query: "didn't call" }),
  byCounting('Who gets complaints?', { max_rating: 2, group_by: ['technician'] }, each(n)),
  byCounting(
    'Who is criticized for what?',
    { sentiment: 'negative', group_by: ['technician', 'aspect'] },
    each(n),
  ),
  byCounting('Did ratings fall from quarter to quarter?', { group_by: ['quarter'] }, each(stars)),
  byReading('What do the unanswered one-star reviews say?', { rating: 1, has_reply: false }),
  byCounting('Which weekday is best?', { group_by: ['weekday'] }, best(stars)),
  byCounting('How do ratings split by year?', { group_by: ['year', 'rating'] }, each(n)),
  byCounting('Which topics come up most?', { group_by: ['topic'] }, best(n)),
  byCounting(
    'Which problems cost most stars?',
    { group_by: ['problem'] },
    best((g) => -stars(g)),
  ),
  byCounting('How many reviews have no words?', { has_text: false }, ({ total }) => total),
  byCounting(
    'Which services do five-star reviews mention?',
    { rating: 5, group_by: ['service'] },
    each(n),
  ),
];

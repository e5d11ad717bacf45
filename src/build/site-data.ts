import type { Content } from '../content/read-content.ts';
import type { Manifest } from '../edition/manifest.ts';
import {
  ARCHIVE_PATH,
  DEVELOPERS_PATH,
  FAQ_PATH,
  INSIGHTS_PAGE_PATH,
  SEARCH_PAGE_PATH,
} from '../paths.ts';
import { LANGUAGES } from '../insights/languages/languages.ts';
import { namesIn } from '../schema/by-language.ts';
import type { InsightsDataset } from '../schema/insights.ts';
import { DEFAULT_ACCENT } from '../schema/theme.ts';
import type { AspectTerms, Term, TopicTerms, Vocabulary } from '../schema/vocabulary.ts';
import type { Brand } from '../view/share-image.ts';

export type SiteData = NonNullable<Manifest['site']>;

/** Returns the data, besides the dataset, of pages that are rendered outside a build. */
export function describeSite({ business, words }: Content, insights: InsightsDataset): SiteData {
  const languages = furtherLanguages(business);
  return {
    ...words,
    ...(business.language !== undefined && { language: business.language }),
    ...(languages.length > 0 && { languages }),
    menu: menu(insights),
    ...(!business.sidecar && { files_only: true as const }),
    ...(business.theme.font === 'sans' && { sans: true as const }),
  };
}

export function brandOf({ business, logo }: Pick<Content, 'business' | 'logo'>): Brand {
  const { accent = DEFAULT_ACCENT } = business.theme;
  return { name: business.name, accent, logo: logo ? dataUrl(logo) : undefined };
}

function dataUrl({ type, bytes }: NonNullable<Content['logo']>): string {
  const mediaType = type === 'svg' ? 'image/svg+xml' : 'image/png';
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Returns the languages of the pages besides the main one. */
function furtherLanguages({ language = 'en', languages = [] }: Content['business']): string[] {
  return [...new Set<string>(languages)].filter((tag) => tag !== language.split('-')[0]);
}

/** Returns the sections that lead somewhere. */
function menu({ review_count, faq }: InsightsDataset): string[] {
  const hasReviews = review_count > 0;
  return [
    ARCHIVE_PATH,
    ...(hasReviews ? [INSIGHTS_PAGE_PATH] : []),
    ...(faq.length > 0 ? [FAQ_PATH] : []),
    ...(hasReviews ? [SEARCH_PAGE_PATH] : []),
    DEVELOPERS_PATH,
  ];
}

/**
 * Returns the words that stand for each id; patterns of several words are no names, nor are words of
 * languages whose reviews no filter by the id would find.
 */
export function editionNames(vocabulary: Vocabulary): Manifest['names'] {
  const codes = LANGUAGES.filter(({ counted }) => counted).map(({ code }) => code);
  const named = (id: string, ...names: string[]) => ({
    id,
    names: names.filter((name) => !/[…#$]/.test(name)),
  });
  const terms = (list: readonly (AspectTerms | TopicTerms | Term)[]) =>
    list.map((entry) => {
      const names = codes.flatMap((code) => namesIn(entry, code));
      return named(entry.id, ...new Set([entry.label, ...names]));
    });
  const { technicians, services, aspects, problems, service_areas, topics } = vocabulary;
  return {
    technicians: technicians.map(({ id, name, aliases }) => named(id, name, ...aliases)),
    services: terms(services),
    aspects: terms(aspects),
    problems: terms(problems),
    service_areas: terms(service_areas),
    topics: terms(topics),
  };
}

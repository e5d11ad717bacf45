import type { TradeNouns } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';

/** Nouns for businesses and people of a trade, and verbs for their work, with those of all trades. */
export type TradeSets = Readonly<Record<keyof TradeNouns, ReadonlySet<string>>>;

/** Adds the nouns of a trade to those of all trades. */
export function tradeOf(nouns: TradeNouns | undefined, language: Language): TradeSets {
  return {
    businesses: language.businesses.union(new Set(nouns?.businesses)),
    modifiers: language.businessModifiers.union(new Set(nouns?.modifiers)),
    bystanders: language.bystanders.union(new Set(nouns?.bystanders)),
    people: language.people.union(new Set(nouns?.people)),
    actions: language.actionVerbs.union(new Set(nouns?.actions)),
  };
}

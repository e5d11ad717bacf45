import type { TradeNouns } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';

/** Nouns for businesses and people of a trade, and verbs for their work, with those of all trades. */
export type TradeSets = Readonly<Record<keyof TradeNouns, ReadonlySet<string>>>;

/** Adds the nouns of a trade to those of all trades. */
export function tradeOf(nouns: TradeNouns | undefined, language: Language): TradeSets {
  const folded = (own: readonly string[] = []) => new Set(own.map(language.grammar.fold));
  return {
    businesses: language.businesses.union(folded(nouns?.businesses)),
    modifiers: language.businessModifiers.union(folded(nouns?.modifiers)),
    bystanders: language.bystanders.union(folded(nouns?.bystanders)),
    people: language.people.union(folded(nouns?.people)),
    actions: language.actionVerbs.union(folded(nouns?.actions)),
  };
}

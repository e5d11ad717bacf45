import type { TradeWords } from '../schema/trade.ts';
import type { Wording } from './wording.ts';

/** Returns the nouns of any trade in a language. */
export function generalNouns({ t }: Pick<Wording, 't'>): TradeWords {
  return {
    service: { singular: t('trade.service'), plural: t('trade.services') },
    search_placeholder: t('trade.examples'),
    staff: { singular: t('trade.staff'), plural: t('trade.staff_many') },
  };
}

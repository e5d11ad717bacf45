import type { Logger } from '../base/log.ts';
import type { Outbound, Outcome } from './outbound/outbound.ts';

/** The whole of an exchange with a callback. */
export const EXCHANGE_MS = 10_000;
/** After this long another replica may take over what this one claimed. */
export const CLAIM_MS = 30_000;
/** A claim that is older is held on to again before it is used: it may be lost by now. */
export const STALE_CLAIM_MS = 1_000;

/** What verification and distribution have in common. */
export interface Work {
  outbound: Pick<Outbound, 'send'>;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Whether nothing more is to be begun. */
  stopping: () => boolean;
  /** Whether exchanges were cut off, so that a failure says nothing of the callback. */
  cutOff: () => boolean;
  /** The store failed; what was claimed is taken up again when the claim has ended. */
  onStoreFault: (error: unknown) => void;
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300;
}

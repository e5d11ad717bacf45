import { withParameters } from './callback.ts';
import { Coalesced } from './coalesced.ts';
import type { Lanes } from './lanes.ts';
import type { Outcome } from './outbound/outbound.ts';
import type { ClaimedIntent, Pairs } from './store/pairs.ts';
import { asksSubscriber } from './subscription.ts';
import { CLAIM_MS, EXCHANGE_MS, isSuccess, STALE_CLAIM_MS, type Work } from './work.ts';

/** Bytes of an answer that are compared with the challenge. */
const ANSWER_BYTES = 1024;
const CLAIMED_AT_ONCE = 64;
const CLAIMED_PER_HOST = 4;

export interface VerifierOptions extends Work {
  pairs: Pairs;
  /** A string that cannot be guessed. */
  challenge: () => string;
  /** A subscription began or was renewed. */
  onActive: () => void;
}

/** Asks subscribers whether they want what was requested (WebSub, section 5.3). */
export class Verifier {
  readonly #options: VerifierOptions;
  readonly #lanes: Lanes;
  readonly #claiming = new Coalesced(() => this.#claim());

  constructor(options: VerifierOptions, lanes: Lanes) {
    this.#options = options;
    this.#lanes = lanes;
  }

  /** Takes the requests whose turn it is and begins to verify them, as far as there is room. */
  run(): Promise<void> {
    return this.#claiming.run();
  }

  async #claim(): Promise<void> {
    const { pairs, onStoreFault, now, stopping } = this.#options;
    while (!stopping() && !this.#lanes.full) {
      let claimed: ClaimedIntent[];
      try {
        claimed = await pairs.claim({
          limit: CLAIMED_AT_ONCE,
          perHost: CLAIMED_PER_HOST,
          busyHosts: this.#lanes.busyHosts('verification'),
          claimMs: CLAIM_MS,
        });
      } catch (error) {
        return onStoreFault(error);
      }
      if (claimed.length === 0) return;
      const at = now();
      for (const intent of claimed)
        this.#lanes.add(intent.host, 'verification', () => this.#verify(intent, at));
    }
  }

  /** @param at when it was claimed, by this process's clock */
  async #verify(intent: ClaimedIntent, at: number): Promise<void> {
    const { cutOff, logger, now, onActive, onStoreFault, pairs, stopping } = this.#options;
    const { host, mode, subscribed, topicUrl } = intent;
    try {
      if (stopping()) return await pairs.release(intent);
      if (now() - at > STALE_CLAIM_MS && !(await pairs.hold(intent, CLAIM_MS))) return;
      if (!asksSubscriber(mode, subscribed)) return void (await pairs.settle(intent, null));
      const askedAt = intent.claimedAt + Math.floor(now() - at);
      const { outcome, confirmed } = await this.#ask(intent);
      if (outcome.kind === 'failure' && (outcome.untried || cutOff()))
        return await pairs.release(intent);
      const settled = await pairs.settle(intent, confirmed ? askedAt : null);
      const answer = outcome.kind === 'response' ? outcome.status : outcome.reason;
      logger.log('info', confirmed ? 'verified' : 'not verified', {
        mode,
        host,
        topic: topicUrl,
        answer,
        ...(!settled && { superseded: true }),
      });
      if (confirmed && mode === 'subscribe') onActive();
    } catch (error) {
      onStoreFault(error);
    }
  }

  async #ask(intent: ClaimedIntent): Promise<{ outcome: Outcome; confirmed: boolean }> {
    const challenge = this.#options.challenge();
    const outcome = await this.#options.outbound.send({
      method: 'GET',
      url: withParameters(intent.callback, {
        'hub.mode': intent.mode,
        'hub.topic': intent.topicUrl,
        'hub.challenge': challenge,
        'hub.lease_seconds': String(intent.leaseSeconds),
      }),
      headers: {},
      maxBody: ANSWER_BYTES,
      deadlineMs: EXCHANGE_MS,
    });
    return { outcome, confirmed: isSuccess(outcome) && echoes(outcome, challenge) };
  }
}

function echoes(outcome: Outcome, challenge: string): boolean {
  if (outcome.kind === 'failure' || outcome.truncated) return false;
  return outcome.body.equals(Buffer.from(challenge));
}

import type { Logger } from '../base/log.ts';
import { withParameters } from './outbound/callback-url.ts';
import { isSuccess, type Outcome } from './outbound/exchange.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Ended, Schedule, Task } from './schedule.ts';
import type { Answer, Pairs, TakenIntent } from './store/pairs.ts';
import { asksSubscriber } from './subscription.ts';
import type { Worker } from './dispatcher.ts';

/** Bytes of a response to compare with the challenge. */
const ANSWER_BYTES = 1024;
const LOOKED_FOR = 256;
/** Time until another replica may take over. */
const CLAIM_MS = 30_000;

export interface VerifierOptions {
  pairs: Pairs;
  outbound: Pick<Outbound, 'send'>;
  logger: Logger;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** A string that cannot be guessed. */
  challenge: () => string;
  /** Returns true if exchanges were cut off, so that a failure says nothing about the callback. */
  cutOff: () => boolean;
  /** Called when a subscription is new or renewed. */
  onActive: () => void;
  /** Called if the store failed; claimed tasks are retried. */
  onStoreError: (error: unknown) => void;
}

/** Verifies requests with subscribers and sends denials (WebSub, section 5). */
export class Verifier implements Worker {
  readonly #options: VerifierOptions;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  async due(schedule: Schedule): Promise<Task[]> {
    try {
      const due = await this.#options.pairs.due(LOOKED_FOR);
      return due
        .filter(
          ({ id, host }) =>
            !schedule.has('verification', id) && schedule.room('verification', host) > 0,
        ) // prettier-ignore
        .map((intent) => ({ kind: 'verification', ...intent }));
    } catch (error) {
      this.#options.onStoreError(error);
      return [];
    }
  }

  async run(ids: readonly number[], done: (id: number) => void): Promise<Ended> {
    const { now, onStoreError, pairs } = this.#options;
    const ended: Ended = {};
    try {
      const takenAt = now();
      for (const intent of await pairs.take(ids, CLAIM_MS)) {
        const outcome = await this.#verify(intent, takenAt, ended);
        if (!outcome) continue;
        ended.ms = now() - takenAt;
      }
    } catch (error) {
      onStoreError(error);
    }
    for (const id of ids) done(id);
    return ended;
  }

  /** @param takenAt by this process's clock */
  async #verify(intent: TakenIntent, takenAt: number, ended: Ended): Promise<Outcome | undefined> {
    const { cutOff, now, onActive, pairs } = this.#options;
    const { mode, subscribed } = intent;
    if (mode !== 'denied' && !asksSubscriber(mode, subscribed)) {
      await pairs.settle(intent, { kind: 'refused' });
      return undefined;
    }
    const askedAt = intent.takenAt + Math.floor(now() - takenAt);
    const challenge = this.#options.challenge();
    const outcome = await this.#ask(intent, challenge, (address) => {
      ended.address = address;
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) {
      await pairs.release(intent);
      return undefined;
    }
    const answer = judge(outcome, challenge, askedAt);
    const settled = await pairs.settle(intent, answer);
    this.#report(intent, outcome, answer, settled);
    if (settled && answer.kind === 'confirmed' && mode === 'subscribe') onActive();
    return outcome;
  }

  #ask(
    intent: TakenIntent,
    challenge: string,
    connected: (address: string) => void,
  ): Promise<Outcome> {
    const { callback, mode, topicUrl, leaseSeconds, reason } = intent;
    const rest: Record<string, string> =
      mode === 'denied'
        ? { 'hub.reason': reason }
        : { 'hub.challenge': challenge, 'hub.lease_seconds': String(leaseSeconds) };
    return this.#options.outbound.send({
      method: 'GET',
      url: withParameters(callback, { 'hub.mode': mode, 'hub.topic': topicUrl, ...rest }),
      headers: {},
      maxBody: ANSWER_BYTES,
      connected,
    });
  }

  #report(
    { mode, host, topicUrl }: TakenIntent,
    outcome: Outcome,
    { kind }: Answer,
    settled: boolean,
  ): void {
    // prettier-ignore
    const answer = outcome.kind === 'response' ? outcome.status : outcome.reason;
    const message =
      mode === 'denied' ? 'denied' : kind === 'confirmed' ? 'verified' : 'not verified';
    const fields = { mode, host, topic: topicUrl, answer };
    this.#options.logger.log('info', message, { ...fields, ...(!settled && { superseded: true }) });
  }
}

function judge(outcome: Outcome, challenge: string, askedAt: number): Answer {
  if (outcome.kind === 'failure') return { kind: 'none', reason: outcome.reason };
  const echoes = !outcome.truncated && outcome.body.equals(Buffer.from(challenge));
  return isSuccess(outcome) && echoes ? { kind: 'confirmed', askedAt } : { kind: 'refused' };
}

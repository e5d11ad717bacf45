import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FAILED_MS, type Worker, type WorkerOptions } from './dispatcher.ts';
import { withParameters } from './outbound/callback-url.ts';
import { isSuccess, type Outcome } from './outbound/outbound.ts';
import type { Schedule, Task } from './schedule.ts';
import type { Reply, Requests, TakenRequest } from './store/requests.ts';
import { asksSubscriber } from './subscription.ts';
import { answerOf } from './verdict.ts';

/** Bytes of a response to compare with the challenge. */
const ANSWER_BYTES = 1024;
/** New requests to read at once. */
const LOOKED_FOR = 256;

export interface VerifierOptions extends WorkerOptions {
  requests: Requests;
  /** Called when a subscription may be owed something. */
  onActive: () => void;
}

/** Verifies requests with subscribers and sends notices (WebSub, section 5). */
export class Verifier implements Worker {
  readonly #options: VerifierOptions;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** Yields few at once, because the store knows whose turn it is among the clients. */
  async *due(schedule: Schedule): AsyncGenerator<Omit<Task, 'kind'>[]> {
    const { onStoreError, requests } = this.#options;
    try {
      const due = await requests.due(LOOKED_FOR + schedule.size('verification'));
      yield due.map((request) => ({ ...request, pace: 'unknown' as const }));
    } catch (error) {
      onStoreError(error);
    }
  }

  async run(ids: readonly number[], done: (id: number) => void): Promise<number | undefined> {
    const { now, onStoreError, requests } = this.#options;
    const takenAt = now();
    let isAsked = false;
    try {
      for (const taken of await requests.take(ids)) {
        isAsked = (await this.#ask(taken, takenAt)) || isAsked;
      }
    } catch (error) {
      onStoreError(error);
      await delay(FAILED_MS);
    }
    for (const id of ids) done(id);
    return isAsked ? now() - takenAt : undefined;
  }

  /**
   * @param takenAt by this process's clock
   * @returns true if there was an exchange
   */
  async #ask(taken: TakenRequest, takenAt: number): Promise<boolean> {
    const { cutOff, now, onActive, outbound, requests, stopping } = this.#options;
    if (stopping()) return false;
    const { mode, callback } = taken;
    const isDenial = mode === 'denied';
    if (!isDenial && !asksSubscriber(mode, taken.isActive)) {
      await requests.settle(taken, { kind: 'refused' });
      return false;
    }
    const askedAt = taken.takenAt + Math.floor(now() - takenAt);
    const challenge = randomBytes(32).toString('base64url');
    const outcome = await outbound.send({
      method: 'GET',
      url: withParameters(callback, parameters(taken, challenge)),
      headers: {},
      maxBody: ANSWER_BYTES,
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return false;
    const answer = judge(outcome, challenge, askedAt);
    const isSettled = await requests.settle(taken, answer);
    this.#report(taken, outcome, answer, isSettled);
    if (isSettled && answer.kind === 'confirmed' && mode !== 'unsubscribe') onActive();
    return true;
  }

  #report(
    { mode, host, topicUrl: topic }: TakenRequest,
    outcome: Outcome,
    { kind }: Reply,
    isSettled: boolean,
  ): void {
    const answer = answerOf(outcome);
    const message = mode === 'denied' ? 'told' : kind === 'confirmed' ? 'verified' : 'not verified';
    const fields = { mode, host, topic, answer, ...(!isSettled && { superseded: true }) };
    this.#options.logger.log('info', message, fields);
  }
}

function parameters(taken: TakenRequest, challenge: string): Record<string, string> {
  const { mode, topicUrl, leaseSeconds, reason } = taken;
  const subject = { 'hub.mode': mode, 'hub.topic': topicUrl };
  if (mode === 'denied') return { ...subject, 'hub.reason': reason };
  return {
    ...subject,
    'hub.lease_seconds': String(leaseSeconds),
    'hub.challenge': challenge,
  };
}

function judge(outcome: Outcome, challenge: string, askedAt: number): Reply {
  if (outcome.kind === 'failure') return { kind: 'none' };
  const echoes = !outcome.truncated && outcome.body.equals(Buffer.from(challenge));
  return isSuccess(outcome) && echoes ? { kind: 'confirmed', askedAt } : { kind: 'refused' };
}

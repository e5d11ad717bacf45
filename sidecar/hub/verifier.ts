import { randomBytes } from 'node:crypto';
import type { Worker, WorkerOptions } from './dispatcher.ts';
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

interface VerifierOptions extends WorkerOptions {
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

  /** Yields few at once, because the store decides which client comes next. */
  async *due(schedule: Schedule): AsyncGenerator<Task[]> {
    yield await this.#options.requests.due(LOOKED_FOR + schedule.size('verification'));
  }

  /** @param ids only one, because only deliveries are made in a row */
  async run([id]: readonly number[]): Promise<number | undefined> {
    const { cutOff, leads, now, onActive, outbound, requests } = this.#options;
    const began = now();
    const taken = await requests.take(id!);
    if (!taken || !leads(taken.part)) return undefined;
    const { mode, callback, takenAt, isActive } = taken;
    if (mode !== 'denied' && !asksSubscriber(mode, isActive)) {
      await requests.settle(taken, { kind: 'refused' });
      return undefined;
    }
    const askedAt = takenAt + Math.floor(now() - began);
    const challenge = randomBytes(32).toString('base64url');
    const outcome = await outbound.send({
      method: 'GET',
      url: withParameters(callback, parameters(taken, challenge)),
      headers: {},
      maxBody: ANSWER_BYTES,
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return undefined;
    const answer = replyIn(outcome, challenge, askedAt);
    const isSettled = await requests.settle(taken, answer);
    this.#report(taken, outcome, answer, isSettled);
    if (isSettled && answer.kind === 'confirmed' && mode !== 'unsubscribe') onActive();
    return now() - began;
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

function replyIn(outcome: Outcome, challenge: string, askedAt: number): Reply {
  if (outcome.kind === 'failure') return { kind: 'none' };
  const echoes = !outcome.truncated && outcome.body.equals(Buffer.from(challenge));
  return isSuccess(outcome) && echoes ? { kind: 'confirmed', askedAt } : { kind: 'refused' };
}

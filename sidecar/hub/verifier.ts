import { randomBytes } from 'node:crypto';
import { clientNetwork } from '../base/network.ts';
import type { Worker, WorkerOptions } from './dispatcher.ts';
import { publicAddresses } from './outbound/address-rule.ts';
import { withParameters } from './outbound/callback-url.ts';
import { isSuccess, type Outcome } from './outbound/exchange.ts';
import type { Task } from './hosts.ts';
import type { Ended, Schedule } from './schedule.ts';
import type { SubscriptionStatus, TakenRequest } from './store/due-requests.ts';
import type { Reply, Requests } from './store/requests.ts';
import { asksSubscriber } from './subscription.ts';

/** Bytes of a response to compare with the challenge. */
const ANSWER_BYTES = 1024;
/** New requests to read at once, while fewer hosts than this are ready. */
const LOOKED_FOR = 256;
const ENOUGH_READY = 64;
/** Time until another replica may take over. */
const CLAIM_MS = 30_000;

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
  async *due(schedule: Schedule): AsyncGenerator<Task[]> {
    const { onStoreError, requests } = this.#options;
    const kind = 'verification';
    try {
      while (schedule.ready(kind) < ENOUGH_READY) {
        const size = schedule.size(kind);
        const due = await requests.due(LOOKED_FOR + size);
        yield due.map((request) => ({ kind, ...request }));
        if (schedule.size(kind) === size) return;
      }
    } catch (error) {
      onStoreError(error);
    }
  }

  async run(ids: readonly number[], done: (id: number) => void): Promise<Ended> {
    const { now, onStoreError, requests } = this.#options;
    const ended: Ended = {};
    try {
      const takenAt = now();
      for (const taken of await requests.take(ids, CLAIM_MS)) {
        await this.#ask(taken, takenAt, ended);
      }
    } catch (error) {
      onStoreError(error);
    }
    for (const id of ids) done(id);
    return ended;
  }

  /** @param takenAt by this process's clock */
  async #ask(taken: TakenRequest, takenAt: number, ended: Ended): Promise<void> {
    const { cutOff, now, onActive, outbound, requests, stopping } = this.#options;
    if (stopping()) return requests.release(taken);
    const { mode, callback } = taken;
    const isDenial = mode === 'denied';
    if (!isDenial && !asksSubscriber(mode, taken.subscription !== null)) {
      await requests.settle(taken, { kind: 'refused' });
      return;
    }
    const askedAt = taken.takenAt + Math.floor(now() - takenAt);
    const challenge = randomBytes(32).toString('base64url');
    const outcome = await outbound.send({
      method: 'GET',
      url: withParameters(callback, parameters(taken, challenge)),
      headers: {},
      maxBody: ANSWER_BYTES,
      connected: (address) => {
        ended.address = address;
      },
    });
    if (outcome.kind === 'failure' && (outcome.untried || cutOff())) return requests.release(taken);
    const answer = judge(outcome, challenge, askedAt, ended.address);
    const isSettled = await requests.settle(taken, answer);
    this.#report(taken, outcome, answer, isSettled);
    if (isSettled && answer.kind === 'confirmed' && mode !== 'unsubscribe') onActive();
    ended.ms = now() - takenAt;
  }

  #report(
    { mode, host, topicUrl: topic }: TakenRequest,
    outcome: Outcome,
    { kind }: Reply,
    isSettled: boolean,
  ): void {
    const answer = outcome.kind === 'response' ? outcome.status : outcome.reason;
    const isNotice = mode === 'denied' || mode === 'status';
    const message = isNotice ? 'told' : kind === 'confirmed' ? 'verified' : 'not verified';
    const fields = { mode, host, topic, answer, ...(!isSettled && { superseded: true }) };
    this.#options.logger.log('info', message, fields);
  }
}

function parameters(taken: TakenRequest, challenge: string): Record<string, string> {
  const { mode, topicUrl, leaseSeconds, reason, subscription, takenAt } = taken;
  const subject = { 'hub.mode': mode, 'hub.topic': topicUrl };
  if (mode === 'denied') return { ...subject, 'hub.reason': reason };
  const lease = { ...subject, 'hub.lease_seconds': String(leaseSeconds) };
  if (mode !== 'status') return { ...lease, 'hub.challenge': challenge };
  return { ...lease, ...standing(subscription!, takenAt) };
}

/** Describes a subscription to its subscriber: `hub.next` is the seconds until the next delivery. */
function standing(
  { isOwed, failures, dueAt, deliveries }: SubscriptionStatus,
  now: number,
): Record<string, string> {
  const attempts = [...deliveries.matchAll(/(\d+) ([^,]*),/g)].map(
    ([, time, answer]) => `${new Date(Number(time)).toISOString()} ${answer}`,
  );
  return {
    'hub.state': isOwed ? (failures > 0 ? 'failing' : 'owed') : 'current',
    'hub.attempts': attempts.join(', '),
    ...(isOwed && { 'hub.next': String(Math.max(0, Math.ceil((dueAt - now) / 1000))) }),
  };
}

function judge(
  outcome: Outcome,
  challenge: string,
  askedAt: number,
  address: string | undefined,
): Reply {
  if (outcome.kind === 'failure') return { kind: 'none', reason: outcome.reason };
  const echoes = !outcome.truncated && outcome.body.equals(Buffer.from(challenge));
  if (!isSuccess(outcome) || !echoes) return { kind: 'refused' };
  const isPublic = address !== undefined && publicAddresses.permits(address);
  return { kind: 'confirmed', askedAt, network: isPublic ? clientNetwork(address) : '' };
}

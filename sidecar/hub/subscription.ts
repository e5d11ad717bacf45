/**
 * The life of one (topic, callback): pure, a function a transition, and a throw where a transition
 * does not belong.
 *
 *     none ──subscribe──▶ pending verification ──verified──▶ active ──subscribe──▶ renewal pending
 *      ▲                          │                           │  ▲                      │
 *      └────────── refused ───────┘             unsubscribe   │  └─ verified, refused ──┘
 *      ▲                                                      ▼
 *      └───────────────────── verified ──────────── pending unsubscription ──refused──▶ active
 *
 * Active, whatever is pending: a new version is owed until it is acknowledged; the third failure in
 * a row, a 410 (see verdict.ts) or the end of the lease remove the subscription; a renewal forgets its
 * failures.
 * Requests of one pair are verified in the order they came; a newer one takes the place of an older
 * one of the same mode.
 */

/** A request that the subscriber has yet to confirm (WebSub, section 5.3). */
export interface Intent {
  mode: 'subscribe' | 'unsubscribe';
  secret: string | null;
  leaseSeconds: number;
  /**
   * The version that the subscriber has: the topic's at the time of the request, unless it states
   * an older one.
   */
  version: number;
}

export interface Subscription {
  secret: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The version of the topic that the subscriber has. */
  acknowledged: number;
  /** Consecutive deliveries without a 2xx. */
  failures: number;
}

/** Everything about one topic and one callback. */
export interface Pair {
  subscription: Subscription | null;
  /** In request order, at most one of each mode. */
  intents: readonly Intent[];
}

/** No request is pending that the answer could belong to. */
export class InvalidTransitionError extends Error {
  override readonly name = 'InvalidTransitionError';
}

/** Applies a valid request. Without a subscription only `subscribe` changes something. */
export function request(pair: Pair, intent: Intent): Pair {
  const { subscription, intents } = pair;
  const isNone = subscription === null && intents.length === 0;
  if (isNone && intent.mode !== 'subscribe') return pair;
  return { ...pair, intents: [...intents.filter(({ mode }) => mode !== intent.mode), intent] };
}

/** Tells if the subscriber must be asked; there may be nothing left to unsubscribe from. */
export function asksSubscriber(mode: string, subscribed: boolean): boolean {
  return mode === 'subscribe' || subscribed;
}

/**
 * Applies an echoed challenge.
 *
 * @param askedAt when the GET began, milliseconds since 1970; the lease counts from then
 */
export function verified(pair: Pair, askedAt: number): Pair {
  const [intent, ...intents] = pair.intents;
  if (!intent || !asksSubscriber(intent.mode, pair.subscription !== null)) {
    throw new InvalidTransitionError('verified');
  }
  const { mode, secret, leaseSeconds, version } = intent;
  if (mode === 'unsubscribe') return { subscription: null, intents };
  const acknowledged = Math.min(pair.subscription?.acknowledged ?? version, version);
  const expiresAt = askedAt + leaseSeconds * 1000;
  return { subscription: { secret, expiresAt, acknowledged, failures: 0 }, intents };
}

/** Applies any other answer, or none. */
export function notVerified(pair: Pair): Pair {
  if (pair.intents.length === 0) throw new InvalidTransitionError('not verified');
  return { ...pair, intents: pair.intents.slice(1) };
}

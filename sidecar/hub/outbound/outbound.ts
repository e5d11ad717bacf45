import { AddressRule } from './address-rule.ts';
import { readCallback, type Callback } from './callback-url.ts';
import { Connections } from './connections.ts';
import { OpenExchange, type Exchange, type Outcome } from './exchange.ts';
import { dnsLookup, type Lookup } from './resolve.ts';
import { Turns } from './turns.ts';

export type { Exchange, Outcome } from './exchange.ts';

export interface OutboundOptions {
  /** CIDRs exempt from the private-address rule. */
  allow: readonly string[];
  /** Certificates to trust in place of those of Node (and of NODE_EXTRA_CA_CERTS), PEM. */
  ca?: string;
  /** Connections at once, idle ones counted; 256 when left out. */
  maxSockets?: number;
  /** Of them, those to one host, whatever its ports; 2 when left out. */
  perHost?: number;
  /** Asks the DNS servers of this machine when left out. */
  lookup?: Lookup;
}

/**
 * All requests that the hub makes. They go to permitted addresses over HTTPS, are whole within a
 * deadline, follow no redirect, and keep no more of an answer than was asked for.
 */
export class Outbound {
  readonly #rule: AddressRule;
  readonly #connections: Connections;
  readonly #turns: Turns;
  readonly #open = new Set<OpenExchange>();
  readonly #waiting = new Set<(reason: string) => void>();
  #closed = false;

  /** @throws when one of `allow` is not a CIDR, or `ca` no certificate */
  constructor(options: OutboundOptions) {
    const { allow, ca, maxSockets: total = 256, perHost = 2, lookup = dnsLookup() } = options;
    this.#rule = new AddressRule(allow);
    this.#connections = new Connections({ rule: this.#rule, lookup, ca, total, perHost });
    this.#turns = new Turns(total, perHost);
  }

  /**
   * Sends as soon as a connection is free. It waits for that no longer than the deadline, and the
   * deadline counts from there: waiting is no fault of the peer. So it settles within twice the
   * deadline at most, and never throws.
   */
  send(exchange: Exchange): Promise<Outcome> {
    const callback = readCallback(exchange.url, this.#rule);
    return new Promise((settle) => {
      if (this.#closed) settle({ kind: 'failure', reason: CLOSED, untried: true });
      else if (typeof callback !== 'string') this.#enter(callback, exchange, settle);
      else settle({ kind: 'failure', reason: `the callback ${callback}` });
    });
  }

  /** Cuts what is open and closes every connection; what is sent after fails. */
  close(): void {
    this.#closed = true;
    for (const giveUp of this.#waiting) giveUp(CLOSED);
    for (const open of this.#open) open.cut(CLOSED);
    this.#connections.destroy();
  }

  #enter(callback: Callback, exchange: Exchange, settle: (outcome: Outcome) => void): void {
    const { hostname } = callback;
    const begin = (): void => {
      clearTimeout(patience);
      this.#waiting.delete(giveUp);
      const open = new OpenExchange(this.#connections, callback, exchange, {
        settled: settle,
        // Only after this tick does the agent have the connection back.
        ended: () =>
          process.nextTick(() => {
            this.#open.delete(open);
            this.#turns.leave(hostname);
          }),
      });
      this.#open.add(open);
    };
    const giveUp = (reason: string): void => {
      clearTimeout(patience);
      this.#waiting.delete(giveUp);
      this.#turns.withdraw(hostname, begin);
      settle({ kind: 'failure', reason, untried: true });
    };
    const patience = setTimeout(giveUp, exchange.deadlineMs, 'no connection was free in time');
    this.#waiting.add(giveUp);
    this.#turns.enter(hostname, begin);
  }
}

const CLOSED = 'the hub is stopping';

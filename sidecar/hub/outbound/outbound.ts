import { AddressRule } from './address-rule.ts';
import { readCallback } from './callback-url.ts';
import { Connections } from './connections.ts';
import { OpenExchange, type Exchange, type Outcome } from './exchange.ts';
import { dnsLookup, type Lookup } from './resolve.ts';

export interface OutboundOptions {
  /** CIDRs exempt from the private-address rule. */
  allow: readonly string[];
  /** Certificates to trust in place of those of Node (and of NODE_EXTRA_CA_CERTS), PEM. */
  ca?: string;
  /** Idle connections that are kept, in all. */
  maxIdle?: number;
  /** Of them, those to one host, whatever its ports. */
  perHost?: number;
  /** Asks the DNS servers of this machine when left out. */
  lookup?: Lookup;
}

/**
 * All requests that the hub makes. They go to permitted addresses over HTTPS, end within a deadline,
 * follow no redirect, and keep no more of an answer than was asked for. How many go on at once is
 * for the schedule to say.
 */
export class Outbound {
  readonly #rule: AddressRule;
  readonly #connections: Connections;
  readonly #open = new Set<OpenExchange>();
  #closed = false;

  /** @throws when one of `allow` is not a CIDR, or `ca` no certificate */
  constructor(options: OutboundOptions) {
    const { allow, ca, maxIdle = 256, perHost = 2, lookup = dnsLookup() } = options;
    this.#rule = new AddressRule(allow);
    this.#connections = new Connections({ rule: this.#rule, lookup, ca, maxIdle, perHost });
  }

  /** Never throws. */
  send(exchange: Exchange): Promise<Outcome> {
    const callback = readCallback(exchange.url, this.#rule);
    return new Promise((settle) => {
      if (this.#closed) return settle({ kind: 'failure', reason: CLOSED, untried: true });
      if (typeof callback === 'string') {
        return settle({ kind: 'failure', reason: `the callback ${callback}` });
      }
      const open = new OpenExchange(this.#connections, callback, exchange, {
        settled: settle,
        ended: () => this.#open.delete(open),
      });
      this.#open.add(open);
    });
  }

  /** Cuts what is open and closes every connection; what is sent after fails. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) open.cut(CLOSED);
    this.#connections.destroy();
  }
}

const CLOSED = 'the hub is stopping';

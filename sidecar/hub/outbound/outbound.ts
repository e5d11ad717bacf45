import { AddressRule } from './address-rule.ts';
import { readCallback } from './callback-url.ts';
import { Connections, dnsLookup, type Lookup } from './connections.ts';
import { OpenExchange, type Exchange, type Outcome } from './exchange.ts';

export interface OutboundOptions {
  /** CIDRs exempt from the private-address rule. */
  allow: readonly string[];
  /** Certificates to trust instead of Node's (and NODE_EXTRA_CA_CERTS), PEM. */
  ca?: string;
  /** Default: the DNS servers of this machine. */
  lookup?: Lookup;
}

/**
 * Sends all requests of the hub. They go to permitted addresses over HTTPS, end within a deadline,
 * follow no redirects, and keep only as much of a response as requested. The schedule limits
 * concurrency.
 */
export class Outbound {
  readonly #rule: AddressRule;
  readonly #connections: Connections;
  readonly #open = new Set<OpenExchange>();
  #closed = false;

  /** @throws if one of `allow` is not a CIDR or `ca` is invalid */
  constructor(options: OutboundOptions) {
    const { allow, ca, lookup = dnsLookup() } = options;
    this.#rule = new AddressRule(allow);
    this.#connections = new Connections({ rule: this.#rule, lookup, ca });
  }

  /** Never throws. */
  async send(exchange: Exchange): Promise<Outcome> {
    if (this.#closed) return { kind: 'failure', reason: CLOSED, untried: true };
    const callback = readCallback(exchange.url, this.#rule);
    if (typeof callback === 'string')
      return { kind: 'failure', reason: `the callback ${callback}` };
    const open = new OpenExchange(this.#connections, callback, exchange);
    this.#open.add(open);
    const outcome = await open.outcome;
    this.#open.delete(open);
    return outcome;
  }

  /** Ends open exchanges and closes every connection; later requests fail. */
  close(): void {
    this.#closed = true;
    for (const open of this.#open) open.cut(CLOSED);
    this.#connections.close();
  }
}

const CLOSED = 'the hub is stopping';

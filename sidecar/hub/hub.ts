import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Coalesced } from '../base/coalesced.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { Availability, HubUnavailableError } from './availability.ts';
import { Dispatcher } from './dispatcher.ts';
import { Distributor, type DistributorOptions } from './distributor.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { HubRequest, RequestRules } from './request.ts';
import { Deliveries } from './store/deliveries.ts';
import { Leader } from './store/leader.ts';
import { KINDS } from './schedule.ts';
import { Requests } from './store/requests.ts';
import type { Secrets } from './store/secrets.ts';
import { createTables, type HubStore } from './store/tables.ts';
import { topicFiles, Topics, topicStatus } from './store/topics.ts';
import type { TopicsOptions, TopicStatus } from './store/topics.ts';
import { Verifier } from './verifier.ts';

export interface HubOptions
  extends TopicsOptions, Pick<DistributorOptions, 'edition' | 'random' | 'retrySeconds'> {
  /** Looks for a newer edition; does not throw. */
  refresh: () => Promise<unknown>;
  /** Encrypts the secrets in the store. */
  secrets: Secrets;
  outbound: Pick<Outbound, 'send' | 'close'>;
  /** CIDRs of private addresses that callbacks may use. */
  allow: readonly string[];
  /** Maximum number of subscriptions. */
  maxSubscriptions: number;
  meters?: Meters;
}

/** Interval between looks for a store, for the place of a leader that is gone, and for work. */
const TICK_MS = 1_000;
/** The part of the ten seconds of a shutdown in which exchanges may end by themselves. */
const DRAIN_MS = 7_000;

/**
 * The WebSub hub of one process (contract, sections 3, 4.9 and 6). Several may share a database: all
 * accept requests, and the one that leads does everything else.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #leader: Leader;
  readonly #requests: Requests;
  readonly #deliveries: Deliveries;
  readonly #topics: Topics;
  readonly #dispatcher: Dispatcher;
  readonly #distributor: Distributor;
  readonly #availability: Availability;
  readonly #leading = new Coalesced(() => this.#availability.attempt(() => this.open()));
  readonly #pinged = new Coalesced(async () => {
    await this.#options.refresh();
    await this.publish();
  });
  /** Pings of other replicas so far. */
  #pings: number | undefined;
  #stopping = false;
  #cutOff = false;
  #tick: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    const { store, secrets, logger, maxSubscriptions, meters = NO_METERS } = options;
    this.#options = options;
    this.#leader = new Leader(store);
    this.#requests = new Requests(store, secrets, this.#leader, maxSubscriptions);
    this.#deliveries = new Deliveries(store, secrets, this.#leader);
    this.#topics = new Topics(options, this.#leader);
    this.#availability = new Availability(async () => {
      await createTables(store);
      await this.#deliveries.checkKey();
    }, logger);
    const work = {
      ...options,
      meters,
      requests: this.#requests,
      deliveries: this.#deliveries,
      stopping: () => this.#stopping || !this.#leader.leads,
      cutOff: () => this.#cutOff,
      onStoreError: (error: unknown) => this.#availability.note(error),
      onActive: () => void this.#dispatcher.wake('delivery'),
    };
    this.#distributor = new Distributor(work);
    const workers = { verification: new Verifier(work), delivery: this.#distributor };
    this.#dispatcher = new Dispatcher(workers, work);
  }

  /** Rules that requests are checked against. */
  get rules(): RequestRules {
    const topicUrls = topicFiles(this.#options.edition()).map(({ url }) => url);
    return { topicUrls, allow: this.#options.allow };
  }

  /** Tells if this process is the one that delivers. */
  get leads(): boolean {
    return this.#leader.leads;
  }

  /** Opens the store, unless it is open, and leads if no other process does. */
  async open(): Promise<void> {
    await this.#availability.open();
    const didLead = this.leads;
    const pings = await this.#leader.lead();
    if (pings === undefined) return;
    if (!didLead) {
      if (this.#stopping) return this.#leader.resign();
      this.#options.logger.log('info', 'this process delivers for the hub');
      this.#topics.begin();
    }
    if (pings !== (this.#pings ?? pings)) void this.#pinged.run();
    this.#pings = pings;
    await this.#deliveries.removeDead();
    await this.#topics.offer(this.#options.edition());
  }

  /** Opens the store, for as long as that takes, and then works until it is closed. */
  start(): void {
    this.#tick = setInterval(() => void this.turn(), TICK_MS);
    void this.turn();
  }

  /**
   * Accepts a valid request. A subscription is on disk when this resolves; verification follows
   * later.
   *
   * @param client network of the client
   * @throws {HubFullError}
   * @throws {HubUnavailableError} if the store cannot accept it
   */
  async accept(request: HubRequest, client = ''): Promise<void> {
    if (request.mode === 'publish') {
      if (!this.#stopping) void this.#pinged.run();
      if (!this.leads) await this.#availability.ask(() => this.#leader.ping());
      return;
    }
    await this.#availability.ask(() => this.#requests.add(request, client));
    if (this.leads) void this.#dispatcher.wake('verification');
  }

  /**
   * Returns the state of the store, by topic.
   *
   * @throws {HubUnavailableError} if it is not open or unreachable
   */
  status(): Promise<TopicStatus[]> {
    return this.#availability.ask(() => topicStatus(this.#options.store));
  }

  /** Checks the store for /readyz. */
  async check(): Promise<{ ok: boolean; engine: HubStore['engine']; reason?: string }> {
    const { db, engine } = this.#options.store;
    try {
      await this.#availability.ask(() => sql`select 1 from topic limit 1`.execute(db));
      if (!this.#availability.isDown) return { ok: true, engine };
      return { ok: false, engine, reason: 'the store takes no writes' };
    } catch (error) {
      if (!(error instanceof HubUnavailableError)) throw error;
      return { ok: false, engine, reason: error.message };
    }
  }

  /** Publishes the new content of the current edition, if this process leads. */
  publish(): Promise<void> {
    return this.#availability.attempt(async () => {
      if (!this.leads || this.#stopping) return;
      const isPublished = await this.#topics.offer(this.#options.edition());
      if (isPublished) void this.#dispatcher.wake('delivery');
    });
  }

  /** Opens the store, leads if no other process does, and starts everything due. */
  async turn(): Promise<void> {
    if (this.#stopping) return;
    await this.#leading.run();
    if (!this.leads || this.#stopping) return;
    await Promise.all(KINDS.map((kind) => this.#dispatcher.look(kind)));
  }

  /** Resolves when nothing is running and every outcome is written. */
  async idle(): Promise<void> {
    while (!this.#dispatcher.isIdle || !this.#distributor.isIdle) await delay(1);
  }

  /** Starts nothing more and finishes what is running, well within ten seconds. */
  async drain(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#tick);
    const { outbound } = this.#options;
    const cut = setTimeout(() => {
      this.#cutOff = true;
      outbound.close();
    }, DRAIN_MS);
    await this.idle();
    clearTimeout(cut);
    outbound.close();
    await this.#leader.resign();
  }

  /** Closes the store. Call it after `drain`, when no more requests arrive. */
  close(): Promise<void> {
    return this.#options.store.close();
  }
}

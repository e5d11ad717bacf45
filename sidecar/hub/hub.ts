import { NO_METERS, type Meters } from '../base/meters.ts';
import { migrate } from '../store/migrate.ts';
import { Availability, HubUnavailableError } from './availability.ts';
import { Coalesced, Dispatcher } from './dispatcher.ts';
import { Distributor, type DistributorOptions } from './distributor.ts';
import { KINDS } from './hosts.ts';
import { Leases } from './leases.ts';
import type { Outbound } from './outbound/outbound.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';
import { limitsFor, type HubRequest, type RequestRules } from './request.ts';
import { Deliveries } from './store/deliveries.ts';
import { migrations } from './store/migrations.ts';
import { Requests } from './store/requests.ts';
import type { Secrets } from './store/secrets.ts';
import { topicStatus, type TopicStatus } from './store/status.ts';
import { endClaims, type HubStore } from './store/tables.ts';
import { Topics } from './store/topics.ts';
import { isSearchTopic, topicFiles } from './topic-files.ts';
import { Verifier, type VerifierOptions } from './verifier.ts';

export interface HubOptions
  extends
    Omit<PublisherOptions, 'topics'>,
    Pick<VerifierOptions, 'now'>,
    Pick<DistributorOptions, 'random' | 'retrySeconds'> {
  store: HubStore;
  /** Encrypts the secrets in the store. */
  secrets: Secrets;
  outbound: Pick<Outbound, 'send' | 'close'>;
  /** CIDRs of private addresses that callbacks may use. */
  allow: readonly string[];
  /** Maximum number of subscriptions. */
  maxSubscriptions: number;
  meters?: Meters;
}

/** Interval between looks for work that is due or was left by another replica. */
const TICK_MS = 1_000;
/** Parts of the ten seconds of a shutdown: finishing exchanges, then writing outcomes. */
const DRAIN_MS = 7_000;
const WRITE_MS = 1_500;

/** The WebSub hub of one process; several share a database (contract, sections 3, 4.9 and 6). */
export class Hub {
  readonly #options: HubOptions;
  readonly #requests: Requests;
  readonly #deliveries: Deliveries;
  readonly #publisher: Publisher;
  readonly #dispatcher: Dispatcher;
  readonly #distributor: Distributor;
  readonly #availability: Availability;
  readonly #leases: Leases;
  readonly #publishing = new Coalesced(() => this.#publish());
  #stopping = false;
  #cutOff = false;
  #tick: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    const { store, secrets, logger, now, meters = NO_METERS } = options;
    this.#options = options;
    this.#availability = new Availability(() => this.#open(), logger);
    this.#requests = new Requests(store, secrets, now);
    this.#deliveries = new Deliveries(store, secrets);
    this.#leases = new Leases(store, this.#deliveries, now, logger);
    const topics = new Topics(store);
    this.#publisher = new Publisher({ ...options, topics });
    const work = {
      ...options,
      meters,
      topics,
      requests: this.#requests,
      deliveries: this.#deliveries,
      engine: store.engine,
      stopping: () => this.#stopping,
      cutOff: () => this.#cutOff,
      onStoreError: (error: unknown) => this.#availability.onError(error),
      onActive: () => void this.#dispatcher.wake('delivery'),
    };
    this.#distributor = new Distributor(work);
    const workers = { verification: new Verifier(work), delivery: this.#distributor };
    this.#dispatcher = new Dispatcher(workers, work);
  }

  /** Rules that requests are checked against. */
  get rules(): RequestRules {
    const edition = this.#options.edition();
    return {
      topicUrls: topicFiles(edition).map(({ url }) => url),
      baseUrl: edition.manifest.base_url,
      allow: this.#options.allow,
    };
  }

  /** Updates the tables and publishes the new content of the edition. */
  open(): Promise<void> {
    return this.#availability.open();
  }

  /** Opens in the background, for as long as that takes, and then works until it is closed. */
  start(): void {
    this.#availability.start(() => {
      this.#tick = setInterval(() => void this.turn(), TICK_MS);
      void this.#wake();
    });
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
      if (!this.#stopping) this.#publisher.ping(() => this.publish());
      return;
    }
    const { topicUrl, callback, ...intent } = request;
    const limits = limitsFor(callback, this.#options.maxSubscriptions);
    const isSearch = isSearchTopic(topicUrl, this.rules.baseUrl);
    await this.#availability.ask(async () => {
      if (isSearch && request.mode === 'subscribe') await this.#publisher.addSearch(topicUrl);
      await this.#requests.add(topicUrl, callback, { ...intent, client }, limits);
    });
    void this.#dispatcher.wake('verification');
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
      await this.#availability.ask(() => db.selectFrom('topic').select('id').limit(1).execute());
      if (!this.#availability.isDown) return { ok: true, engine };
      return { ok: false, engine, reason: 'the store takes no writes' };
    } catch (error) {
      if (!(error instanceof HubUnavailableError)) throw error;
      return { ok: false, engine, reason: error.message };
    }
  }

  /** Publishes the new content of the current edition. */
  publish(): Promise<void> {
    return this.#publishing.run();
  }

  /** Removes expired subscriptions and starts everything due. */
  async turn(): Promise<void> {
    if (!this.#isWorking) return;
    if (this.#dispatcher.isIdle) this.#distributor.forgetContents();
    await this.#availability.attempt(() => this.#leases.removeExpired());
    await this.#wake();
  }

  /** Resolves when nothing is running and every outcome is written. */
  async idle(): Promise<void> {
    await this.#dispatcher.idle();
    await this.#distributor.idle();
  }

  /** Starts nothing more and finishes what is running, well within ten seconds. */
  async drain(): Promise<void> {
    this.#stopping = true;
    this.#availability.stop();
    clearInterval(this.#tick);
    this.#publisher.close();
    const drained = this.idle();
    const { outbound } = this.#options;
    const cut = setTimeout(() => {
      this.#cutOff = true;
      outbound.close();
    }, DRAIN_MS);
    const abandon = setTimeout(() => this.#distributor.abandon(), DRAIN_MS + WRITE_MS);
    await drained;
    clearTimeout(cut);
    clearTimeout(abandon);
    outbound.close();
  }

  /** Closes the store. Call it after `drain`, when no more requests arrive. */
  close(): Promise<void> {
    return this.#options.store.close();
  }

  get #isWorking(): boolean {
    return this.#availability.isOpen && !this.#stopping;
  }

  async #open(): Promise<void> {
    const { secrets, store } = this.#options;
    await migrate(store, migrations(store.engine, secrets));
    await this.#deliveries.checkKey();
    // Only this process uses the file, so existing claims are from before a crash.
    if (store.engine === 'sqlite') await endClaims(store);
    await this.#publisher.offer();
  }

  async #publish(): Promise<void> {
    if (!this.#isWorking) return;
    await this.#availability.attempt(() => this.#publisher.offer());
    void this.#dispatcher.wake('delivery');
  }

  async #wake(): Promise<void> {
    if (this.#isWorking) await Promise.all(KINDS.map((kind) => this.#dispatcher.wake(kind)));
  }
}

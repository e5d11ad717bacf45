import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { coalesced } from '../base/coalesced.ts';
import { NO_METERS, type Meters } from '../base/meters.ts';
import { Availability, HubUnavailableError } from './availability.ts';
import { Dispatcher } from './dispatcher.ts';
import { Distributor, type DistributorOptions } from './distributor.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { HubRequest, RequestRules } from './request-form.ts';
import { Deliveries } from './store/deliveries.ts';
import { Parts } from './store/parts.ts';
import { KINDS } from './schedule.ts';
import { Requests } from './store/requests.ts';
import type { Secrets } from './store/secrets.ts';
import { createTables, PARTS, type HubStore } from './store/tables.ts';
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

/** Interval between looks for a store, for parts whose leader is gone, and for work. */
const TICK_MS = 1_000;
/** The part of the ten seconds of a shutdown in which exchanges may end by themselves. */
const DRAIN_MS = 7_000;

/**
 * The WebSub hub of one process (contract, sections 3, 4.9 and 6). Several may share a database: all
 * accept requests, and each does everything else for the parts that it leads.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #parts: Parts;
  readonly #requests: Requests;
  readonly #deliveries: Deliveries;
  readonly #topics: Topics;
  readonly #dispatcher: Dispatcher;
  readonly #distributor: Distributor;
  readonly #availability: Availability;
  readonly #opening = coalesced(() => this.#availability.attempt(() => this.open()));
  readonly #pinged = coalesced(async () => {
    await this.#options.refresh();
    await this.tick();
  });
  #stopping = false;
  #cutOff = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    const { store, secrets, logger, maxSubscriptions, meters = NO_METERS } = options;
    this.#options = options;
    this.#parts = new Parts(options);
    this.#requests = new Requests(store, secrets, this.#parts, maxSubscriptions);
    this.#deliveries = new Deliveries(store, secrets, this.#parts);
    this.#topics = new Topics(options, this.#parts);
    store.onNotice = () => void this.#pinged();
    this.#availability = new Availability(async () => {
      await createTables(store);
      await this.#deliveries.checkKey();
    }, logger);
    const work = {
      ...options,
      meters,
      requests: this.#requests,
      deliveries: this.#deliveries,
      stopping: () => this.#stopping || this.parts === 0,
      leads: (part: number) => !this.#stopping && this.#parts.led.has(part),
      share: () => this.parts / PARTS,
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

  /** Returns the number of parts, of 64, for which this process delivers. */
  get parts(): number {
    return this.#parts.led.size;
  }

  /** Opens the store unless it is open, divides the parts, and publishes the edition unless it is published. */
  async open(): Promise<void> {
    await this.#availability.open();
    const edition = this.#options.edition();
    const met = await this.#parts.meet(Date.parse(edition.manifest.last_modified) / 1000);
    if (met.isNew || met.isBehind) this.#topics.begin();
    if (met.isNew && met.isBehind) void this.#pinged(); // it may have missed notices
    const before = this.parts;
    const tookAny = await this.#parts.divide(
      this.#dispatcher.schedule,
      this.#stopping ? 0 : undefined,
    );
    if (this.parts !== before) {
      const fields = { parts: this.parts, of: PARTS };
      this.#options.logger.log('info', 'this process delivers for the hub', fields);
    }
    if (this.#stopping) return;
    await this.#deliveries.removeDead();
    const isPublished = !met.isBehind && (await this.#topics.offer(edition));
    if (tookAny || isPublished) for (const kind of KINDS) void this.#dispatcher.wake(kind);
  }

  /** Opens the store, however long that takes, and works until the hub is closed. */
  start(): void {
    this.#timer = setInterval(() => void this.tick(), TICK_MS);
    void this.tick();
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
      void this.#pinged();
      return this.#availability.ask(() => this.#options.store.notify());
    }
    await this.#availability.ask(() => this.#requests.add(request, client));
    if (this.parts > 0) void this.#dispatcher.wake('verification');
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

  /** Does what `open` does, and starts everything due. */
  async tick(): Promise<void> {
    if (this.#stopping) return;
    await this.#opening();
    if (this.parts === 0 || this.#stopping) return;
    await Promise.all(KINDS.map((kind) => this.#dispatcher.look(kind)));
  }

  /** Resolves when nothing is running and every outcome is written. */
  async idle(): Promise<void> {
    while (!this.#dispatcher.isIdle || !this.#distributor.isIdle) await delay(1);
  }

  /** Starts nothing more and finishes what is running, well within ten seconds. */
  async drain(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    const given = this.parts > 0 ? this.#opening() : undefined;
    const { outbound } = this.#options;
    const cut = setTimeout(() => {
      this.#cutOff = true;
      outbound.close();
    }, DRAIN_MS);
    await this.idle();
    clearTimeout(cut);
    outbound.close();
    await given;
    await this.#parts.leave();
  }

  /** Closes the store. Call it after `drain`, when no more requests arrive. */
  close(): Promise<void> {
    return this.#options.store.close();
  }
}

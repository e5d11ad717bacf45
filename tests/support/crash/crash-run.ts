import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { startCallbacks } from '../callback-server.ts';
import { openHubStore } from '../../../sidecar/hub/store/open-store.ts';
import { topicStatus } from '../../../sidecar/hub/store/status.ts';
import type { HubStore } from '../../../sidecar/hub/store/tables.ts';
import { silent } from '../edition.ts';
import { LOOPBACK } from '../hub.ts';
import { Random } from '../random.ts';
import { makeTestCa } from '../test-ca.ts';
import { Replicas } from './replicas.ts';
import { SlimEdition } from '../slim-edition.ts';
import { Subscribers } from './subscribers.ts';

export interface CrashPlan {
  kills: number;
  /** Every so many kills the load stops, and all must be where it belongs. */
  killsARound: number;
  replicas: number;
  /** Left out: SQLite, for one replica. */
  databaseUrl?: string;
  /** Ends the database and starts it again, once a round. */
  restartDatabase?: () => Promise<void>;
  /** How many deliveries are refused, 0 to 1. */
  faults: number;
  /** A module that changes the program before it runs. */
  mutation?: string;
  /** How long to wait for what is owed. */
  patienceMs: number;
}

export interface CrashReport {
  kills: number;
  deliveries: number;
  refusals: number;
  subscriptions: number;
  /** Subscribers, at the end of a round, that never got the newest version. */
  lost: number;
  /** Of them, those that did not get the next one either. */
  lostSubscriptions: number;
  /** Who unsubscribed and was sent the newest version all the same. */
  notRemoved: number;
  /** Subscriptions that the hub ended by itself; no subscriber gave it cause. */
  denied: number;
  duplicates: number;
  /** What was in flight when something was killed: so many duplicates are right. */
  inFlight: number;
}

const SUBSCRIBERS_AT_FIRST = 40;
const ANSWER_MS = 40;
const PAUSE_MS = 120;
/** Longer: an upload that never rests cannot be started with. */
const PUBLISH_PAUSE_MS = 500;
const KILL_AFTER_MS = 250;
/** Fast, so that the load is never waiting. */
const SETTINGS = {
  HUB_RETRY_SECONDS: '0.2,0.4',
  HUB_SETTLE_MS: '20',
  HUB_RATE: '0',
  REFRESH_SECONDS: '1',
  LOG_LEVEL: 'info',
};

/**
 * Kills replicas with SIGKILL while they are published to, subscribed to and unsubscribed from, and
 * tells what was lost. What was answered 202 must hold, whatever happened then.
 */
export async function crashRun(plan: CrashPlan): Promise<CrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-crash-'));
  const ca = makeTestCa();
  const random = new Random(1);
  const edition = await SlimEdition.create(join(folder, 'edition'));
  const callbacks = await startCallbacks(ca);
  const subscribers = new Subscribers(callbacks, edition, random, {
    faults: plan.faults,
    delayMs: ANSWER_MS,
  });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca.ca);
  const envs = Array.from({ length: plan.replicas }, (_, index) => ({
    ...SETTINGS,
    EDITION: edition.folder,
    DATA_DIR: join(folder, `data-${index}`),
    DATABASE_URL: plan.databaseUrl ?? '',
    MCP_SECRET: 'the secret of the tests',
    HUB_CALLBACK_ALLOW: LOOPBACK.join(),
    NODE_EXTRA_CA_CERTS: caFile,
    ...(plan.mutation !== undefined && {
      NODE_OPTIONS: `--import ${pathToFileURL(plan.mutation).href}`,
    }),
  }));
  let replicas: Replicas | undefined;
  try {
    replicas = await Replicas.start(envs, random);
    return await new CrashRun(
      plan,
      replicas,
      edition,
      subscribers,
      random,
      (path) => callbacks.url(path),
      // Not held open: after a kill nobody else may have a file open that is recovered.
      () => openHubStore(plan.databaseUrl ?? '', join(folder, 'data-0'), silent),
    ).run();
  } finally {
    await replicas?.stop();
    await callbacks.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class CrashRun {
  readonly #plan: CrashPlan;
  readonly #replicas: Replicas;
  readonly #edition: SlimEdition;
  readonly #subscribers: Subscribers;
  readonly #random: Random;
  readonly #callback: (path: string) => string;
  readonly #openStore: () => Promise<HubStore>;
  /** Callbacks whose last request was to subscribe, and those whose last was not to. */
  readonly #in = new Set<string>();
  readonly #out = new Set<string>();
  #version = 0;
  #inFlight = 0;
  #loading = false;

  constructor(
    plan: CrashPlan,
    replicas: Replicas,
    edition: SlimEdition,
    subscribers: Subscribers,
    random: Random,
    callback: (path: string) => string,
    openStore: () => Promise<HubStore>,
  ) {
    this.#plan = plan;
    this.#replicas = replicas;
    this.#edition = edition;
    this.#subscribers = subscribers;
    this.#random = random;
    this.#callback = callback;
    this.#openStore = openStore;
  }

  async run(): Promise<CrashReport> {
    const { kills, killsARound } = this.#plan;
    const totals = { lost: 0, lostSubscriptions: 0, notRemoved: 0 };
    for (let count = 0; count < SUBSCRIBERS_AT_FIRST; count++) await this.#subscribe();
    for (let killed = 0; killed < kills; killed += killsARound) {
      this.#loading = true;
      const load = Promise.all([this.#publishing(), this.#subscribing()]);
      await Promise.all([load, this.#killing(killsARound - 1)]);
      const { lost, lostSubscriptions, notRemoved } = await this.#takeStock();
      totals.lost += lost;
      totals.lostSubscriptions += lostSubscriptions;
      totals.notRemoved += notRemoved;
    }
    const { deliveries, refusals, denied, duplicates } = this.#subscribers;
    const subscriptions = this.#in.size;
    const inFlight = this.#inFlight;
    return { kills, deliveries, refusals, subscriptions, ...totals, denied, duplicates, inFlight };
  }

  /** Kills, and then ends the load, also when something cannot be started again. */
  async #killing(kills: number): Promise<void> {
    const { restartDatabase } = this.#plan;
    try {
      for (let kill = 0; kill < kills; kill++) {
        await delay(KILL_AFTER_MS + this.#random.below(KILL_AFTER_MS));
        await this.#crashOne();
        if (!restartDatabase || kill !== kills >> 1) continue;
        this.#inFlight += this.#subscribers.onKill();
        await restartDatabase();
      }
    } finally {
      this.#loading = false;
    }
  }

  /** Who has not what is due when there was time enough for all of it. */
  async #takeStock(): Promise<Pick<CrashReport, 'lost' | 'lostSubscriptions' | 'notRemoved'>> {
    const underWay = this.#subscribers.delivering(this.#version + 1);
    await this.#publish();
    await Promise.race([underWay, delay(this.#plan.patienceMs)]);
    await this.#crashOne();
    // Publishing again would make good what was lost, so nothing is published while it is awaited.
    const lost = await this.#lateWith(this.#version);
    await this.#settled(); // a request that the killed one was verifying is taken up again
    await this.#publish();
    const late = await this.#lateWith(this.#version);
    await this.#settled();
    const reached = (path: string) => this.#subscribers.newest(path) === this.#version;
    const notRemoved = [...this.#out].filter(reached).length;
    this.#subscribers.forgetRefusals();
    return { lost: lost.length, lostSubscriptions: late.length, notRemoved };
  }

  /** Waits until the store owes nothing: every request is verified, every outcome written. */
  async #settled(): Promise<void> {
    const store = await this.#openStore();
    try {
      const deadline = performance.now() + this.#plan.patienceMs;
      for (;;) {
        const topics = await topicStatus(store);
        if (topics.every(({ pending, owed }) => pending + owed === 0)) return;
        if (performance.now() > deadline) return; // who lacks what is counted
        await delay(50);
      }
    } finally {
      await store.close();
    }
  }

  /** The subscribers that have not got a version in time, though they were waited for. */
  async #lateWith(version: number): Promise<string[]> {
    const deadline = performance.now() + this.#plan.patienceMs;
    for (;;) {
      const late = [...this.#in].filter((path) => this.#subscribers.newest(path) < version);
      if (late.length === 0 || performance.now() > deadline) return late;
      await delay(50);
    }
  }

  #crashOne(): Promise<void> {
    return this.#replicas.crashOne(() => (this.#inFlight += this.#subscribers.onKill()));
  }

  async #publishing(): Promise<void> {
    while (this.#loading) {
      await this.#publish();
      await delay(this.#random.below(PUBLISH_PAUSE_MS));
    }
  }

  async #publish(): Promise<void> {
    await this.#edition.put(++this.#version);
    const form = { 'hub.mode': 'publish', 'hub.url': this.#edition.topic() };
    await this.#replicas.send(form);
  }

  async #subscribing(): Promise<void> {
    while (this.#loading) {
      await this.#subscribe();
      if (this.#random.below(3) === 0) await this.#unsubscribe();
      await delay(this.#random.below(PAUSE_MS));
    }
  }

  async #subscribe(): Promise<void> {
    const path = `/${this.#in.size + this.#out.size}`;
    await this.#request('subscribe', path);
    this.#in.add(path);
  }

  async #unsubscribe(): Promise<void> {
    const path = this.#random.pick([...this.#in]);
    this.#in.delete(path);
    await this.#request('unsubscribe', path);
    this.#out.add(path);
  }

  #request(mode: string, path: string): Promise<void> {
    return this.#replicas.send({
      'hub.mode': mode,
      'hub.topic': this.#edition.topic(),
      'hub.callback': this.#callback(path),
    });
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HUB_PATH, REVIEWS_PATH } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { queryMix } from '../bench/query-mix.ts';
import { startCallbacks, type Callbacks } from '../support/callback-server.ts';
import { Subscribers } from '../support/crash/subscribers.ts';
import { LOOPBACK } from '../support/hub.ts';
import { readManifest } from '../support/pages.ts';
import { Random } from '../support/random.ts';
import { everyRoute, type RouteRequest } from '../support/routes.ts';
import { SlimEdition } from '../support/slim-edition.ts';
import { testCa } from '../support/test-ca.ts';
import { Reader, Tally } from './reader.ts';
import { Replica } from './replica.ts';
import { slope } from '../support/statistics.ts';
import { Variants } from './variants.ts';

export interface SoakPlan {
  /** Milliseconds of reading alone, as a baseline, and under load. */
  idleMs: number;
  loadMs: number;
  killEveryMs: number;
  publishEveryMs: number;
  /** PostgreSQL for two replicas; default: one replica on SQLite. */
  databaseUrl?: string | undefined;
}

export interface SoakReport {
  idle: Tally;
  load: Tally;
  kills: number;
  editions: number;
  deliveries: number;
  /** Subscribers that never got the newest feed. */
  lost: number;
  /** Error lines in the logs. */
  errors: string[];
  /** Routes and kinds of files whose example request never got a correct response. */
  unanswered: string[];
  /**
   * Bytes per minute in the second half, for the replica that is never killed; undefined if there
   * is none.
   */
  memorySlope: number | undefined;
}

const READERS = 6;
const SUBSCRIBERS = 40;
const QUESTIONS = 300;
const DOWN_MS = 1_000;
const SAMPLE_MS = 500;
const PATIENCE_MS = 60_000;
const RETRY_MS = 50;

/** Reads, subscribes and publishes while a replica is killed now and then. */
export async function soakRun(plan: SoakPlan): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'reviews-soak-'));
  const ca = testCa();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca.ca);
  const edition = await SlimEdition.create(join(folder, 'edition'), true);
  const sample = JSON.parse(edition.sample(REVIEWS_PATH)) as ReviewsDataset;
  const variants = new Variants(sample, edition.names);
  await edition.replace(new Map([[REVIEWS_PATH, variants.document(0)]]));
  const routes = await everyRoute(await readManifest(edition.folder));
  const callbacks = await startCallbacks(ca);
  const env = (index: number) => ({
    EDITION: edition.folder,
    DATA_DIR: join(folder, `data-${index}`),
    DATABASE_URL: plan.databaseUrl ?? '',
    MCP_SECRET: 'the replicas of a soak',
    HUB_KEY: 'the key of the tests',
    RATE_LIMIT: '0',
    HUB_RETRY_SECONDS: '1,2',
    REFRESH_SECONDS: '2',
    HUB_CALLBACK_ALLOW: LOOPBACK.join(),
    NODE_EXTRA_CA_CERTS: caFile,
  });
  const replicas: Replica[] = [];
  try {
    for (let index = 0; index < (plan.databaseUrl === undefined ? 1 : 2); index++) {
      replicas.push(await Replica.start(env(index)));
    }
    return await new SoakRun(plan, replicas, edition, variants, sample, routes, callbacks).run();
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await callbacks.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class SoakRun {
  readonly #plan: SoakPlan;
  readonly #replicas: readonly Replica[];
  readonly #edition: SlimEdition;
  readonly #variants: Variants;
  readonly #routes: readonly RouteRequest[];
  readonly #callbacks: Callbacks;
  readonly #subscribers: Subscribers;
  readonly #random = new Random(1);
  readonly #readers: readonly Reader[];
  #version = 0;
  #kills = 0;

  constructor(
    plan: SoakPlan,
    replicas: readonly Replica[],
    edition: SlimEdition,
    variants: Variants,
    sample: ReviewsDataset,
    routes: readonly RouteRequest[],
    callbacks: Callbacks,
  ) {
    this.#plan = plan;
    this.#replicas = replicas;
    this.#edition = edition;
    this.#variants = variants;
    this.#routes = routes;
    this.#callbacks = callbacks;
    const answering = { refusals: 0.05, delayMs: 5 };
    this.#subscribers = new Subscribers(callbacks, edition, this.#random, answering);
    const questions = queryMix(sample, edition.names, QUESTIONS);
    const turns = inTurn(routes);
    this.#readers = Array.from(
      { length: READERS },
      (_, seed) => new Reader(replicas, edition, variants, questions, turns, new Random(seed)),
    );
  }

  async run(): Promise<SoakReport> {
    const { idleMs, loadMs } = this.#plan;
    const idle = new Tally();
    await this.#readers[0]!.readUntil(AbortSignal.timeout(idleMs), idle);

    const load = new Tally();
    const over = AbortSignal.timeout(loadMs);
    const [memory] = await Promise.all([
      this.#watchMemory(over),
      this.#killing(over),
      this.#publishing(over),
      this.#subscribing(over),
      ...this.#readers.map((reader) => reader.readUntil(over, load)),
    ]);
    const lost = await this.#lost();
    await this.#readers[0]!.readRoutes(this.#routes.length, load);
    const kinds = new Set(this.#routes.map(({ kind }) => kind));
    const half = memory.slice(memory.length >> 1);
    return {
      idle,
      load,
      kills: this.#kills,
      editions: this.#version,
      deliveries: this.#subscribers.deliveries,
      lost,
      errors: this.#replicas.flatMap(({ errors }) => errors),
      unanswered: [...kinds].filter((kind) => !load.byKind.has(kind)),
      memorySlope: this.#replicas.length > 1 ? slope(half) : undefined,
    };
  }

  /** Kills the last replica; if there are two, the first lives on. */
  async #killing(over: AbortSignal): Promise<void> {
    const replica = this.#replicas.at(-1)!;
    while (await passed(this.#plan.killEveryMs, over)) {
      await replica.kill();
      this.#kills++;
      await delay(DOWN_MS);
      await replica.restart();
    }
  }

  async #publishing(over: AbortSignal): Promise<void> {
    do await this.#publish();
    while (await passed(this.#plan.publishEveryMs, over));
  }

  async #publish(): Promise<void> {
    const version = ++this.#version;
    await this.#edition.put(version, ['/feed.xml'], {
      [REVIEWS_PATH]: this.#variants.document(version),
    });
    await this.#send({ 'hub.mode': 'publish', 'hub.url': this.#edition.topic() });
  }

  /** Renews the same subscriptions again and again. */
  async #subscribing(over: AbortSignal): Promise<void> {
    let next = 0;
    do {
      await this.#send({
        'hub.mode': 'subscribe',
        'hub.topic': this.#edition.topic(),
        'hub.callback': this.#callbacks.url(`/${next++ % SUBSCRIBERS}`),
      });
    } while (next < SUBSCRIBERS || (await passed(this.#random.below(200), over)));
  }

  /** Publishes once more and waits until all subscribers have it. */
  async #lost(): Promise<number> {
    await this.#publish();
    const paths = Array.from({ length: SUBSCRIBERS }, (_, index) => `/${index}`);
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const late = paths.filter((path) => this.#subscribers.newest(path) < this.#version);
      if (late.length === 0 || performance.now() > deadline) return late.length;
      await delay(RETRY_MS);
    }
  }

  /** Sends a form to any replica, until one accepts it. */
  async #send(form: Record<string, string>): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const replica = this.#random.pick(this.#replicas);
      const began = performance.now();
      try {
        const init = { method: 'POST', body: new URLSearchParams(form) };
        const { status } = await fetch(replica.url + HUB_PATH, init);
        if (status === 202) return;
        throw new Error(`the hub answered ${status}`);
      } catch (error) {
        if (!replica.wasDownSince(began) || performance.now() > deadline) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  async #watchMemory(over: AbortSignal): Promise<(readonly [minutes: number, bytes: number])[]> {
    const samples: (readonly [number, number])[] = [];
    do {
      const [bytes] = await Promise.all(this.#replicas.map((each) => each.residentBytes()));
      this.#callbacks.requests.length = 0; // otherwise they would fill the test's memory
      samples.push([performance.now() / 60_000, bytes!]);
    } while (await passed(SAMPLE_MS, over));
    return samples;
  }
}

function* inTurn<T>(items: readonly T[]): Generator<T> {
  for (;;) yield* items;
}

/** Waits; tells if the time passed before the end of the run. */
async function passed(ms: number, over: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal: over }).catch((error: unknown) => {
    if (!over.aborted) throw error;
  });
  return !over.aborted;
}

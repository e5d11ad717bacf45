import { setTimeout as delay } from 'node:timers/promises';
import { topicStatus } from '../../../sidecar/hub/store/topics.ts';
import { PARTS, type HubStore } from '../../../sidecar/hub/store/tables.ts';
import type { Random } from '../random.ts';
import type { SlimEdition } from '../slim-edition.ts';
import { eventually } from '../eventually.ts';
import { partsByReplica } from '../parts.ts';
import type { CrashPlan, CrashReport } from './plan.ts';
import type { Replicas } from './replicas.ts';
import type { Subscribers } from './subscribers.ts';

const PAUSE_MS = 120;
/** Longer, because a sidecar cannot start while uploads never pause. */
const PUBLISH_PAUSE_MS = 500;
const KILL_AFTER_MS = 250;

export interface Parts {
  plan: CrashPlan;
  replicas: Replicas;
  edition: SlimEdition;
  subscribers: Subscribers;
  random: Random;
  /** The URL of a callback. */
  callback: (path: string) => string;
  openStore: () => Promise<HubStore>;
}

/** Rounds of load and kills; counts what was lost after each. */
export class Rounds {
  readonly #parts: Parts;
  /** Callbacks whose last request was to subscribe, and those whose last was to unsubscribe. */
  readonly #in = new Set<string>();
  readonly #out = new Set<string>();
  #version = 0;
  #inFlight = 0;
  #takenMs = 0;
  #sharedMs = 0;
  #loading = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<CrashReport> {
    const { kills, killsARound, subscribers } = this.#parts.plan;
    const totals = { lost: 0, lostSubscriptions: 0, notRemoved: 0 };
    for (let count = 0; count < subscribers; count++) await this.#subscribe();
    for (let killed = 0; killed < kills; killed += killsARound) {
      this.#loading = true;
      const load = Promise.all([this.#publishing(), this.#subscribing()]);
      await Promise.all([load, this.#killing(killsARound - 1)]);
      const { lost, lostSubscriptions, notRemoved } = await this.#takeStock();
      totals.lost += lost;
      totals.lostSubscriptions += lostSubscriptions;
      totals.notRemoved += notRemoved;
    }
    const { deliveries, refusals, denied, duplicates } = this.#parts.subscribers;
    const subscriptions = this.#in.size;
    const inFlight = this.#inFlight;
    const times = { takenMs: this.#takenMs, sharedMs: this.#sharedMs };
    const told = { kills, deliveries, refusals, subscriptions, denied, duplicates, inFlight };
    return { ...told, ...totals, ...times };
  }

  /** Kills, then ends the load, even if something cannot be restarted. */
  async #killing(kills: number): Promise<void> {
    const { restartDatabase } = this.#parts.plan;
    try {
      for (let kill = 0; kill < kills; kill++) {
        await delay(KILL_AFTER_MS + this.#parts.random.below(KILL_AFTER_MS));
        await this.#crashOne();
        if (!restartDatabase || kill !== kills >> 1) continue;
        const killedAt = performance.now();
        await restartDatabase();
        this.#inFlight += this.#parts.subscribers.inFlight(killedAt);
      }
    } finally {
      this.#loading = false;
    }
  }

  /** Counts subscribers in the wrong state after waiting long enough. */
  async #takeStock(): Promise<Pick<CrashReport, 'lost' | 'lostSubscriptions' | 'notRemoved'>> {
    const underWay = this.#parts.subscribers.delivering(this.#version + 1);
    await this.#publish();
    await Promise.race([underWay, delay(this.#parts.plan.patienceMs)]);
    await this.#crashOne(true);
    // Publishing again would repair what was lost, so nothing is published while waiting.
    const lost = await this.#lateWith(this.#version);
    await this.#settled(); // a request that the killed replica was verifying is retried
    await this.#publish();
    const late = await this.#lateWith(this.#version);
    await this.#settled();
    const reached = (path: string) => this.#parts.subscribers.newest(path) === this.#version;
    const notRemoved = [...this.#out].filter(reached).length;
    this.#parts.subscribers.forgetRefusals();
    return { lost: lost.length, lostSubscriptions: late.length, notRemoved };
  }

  /** Waits until nothing is pending: every request is verified, every outcome written. */
  async #settled(): Promise<void> {
    const store = await this.#parts.openStore();
    try {
      const deadline = performance.now() + this.#parts.plan.patienceMs;
      for (;;) {
        const topics = await topicStatus(store);
        if (topics.every(({ pending, owed }) => pending + owed === 0)) return;
        if (performance.now() > deadline) return; // the subscribers that lack it are counted
        await delay(50);
      }
    } finally {
      await store.close();
    }
  }

  /** Returns the subscribers that did not get a version in time. */
  async #lateWith(version: number): Promise<string[]> {
    const deadline = performance.now() + this.#parts.plan.patienceMs;
    for (;;) {
      const late = [...this.#in].filter((path) => this.#parts.subscribers.newest(path) < version);
      if (late.length === 0 || performance.now() > deadline) return late;
      await delay(50);
    }
  }

  /** @param waits until the replicas have equal shares again */
  async #crashOne(waits = false): Promise<void> {
    const { plan, replicas, subscribers } = this.#parts;
    let taken = Promise.resolve();
    const note = (killedAt: number) => {
      this.#inFlight += subscribers.inFlight(killedAt);
      taken = this.#noteTaken(killedAt);
    };
    await replicas.crashOne(note, plan.signal ?? 'SIGKILL');
    await taken;
    if (!waits) return;
    const startedAt = performance.now();
    const isEven = (parts: readonly number[]) =>
      parts.length === plan.replicas && Math.max(...parts) - Math.min(...parts) <= 1;
    await this.#whenParts(isEven);
    this.#sharedMs = Math.max(this.#sharedMs, performance.now() - startedAt);
  }

  async #noteTaken(killedAt: number): Promise<void> {
    await this.#whenParts((parts) => sum(parts) === PARTS);
    this.#takenMs = Math.max(this.#takenMs, performance.now() - killedAt);
  }

  /** Waits until the parts of each replica are as they should be; not at all on SQLite. */
  async #whenParts(isSo: (parts: readonly number[]) => boolean): Promise<void> {
    const { databaseUrl } = this.#parts.plan;
    if (databaseUrl === undefined) return;
    await eventually(async () => {
      await delay(50);
      return isSo(await partsByReplica(databaseUrl));
    });
  }

  async #publishing(): Promise<void> {
    while (this.#loading) {
      await this.#publish();
      await delay(this.#parts.random.below(PUBLISH_PAUSE_MS));
    }
  }

  async #publish(): Promise<void> {
    await this.#parts.edition.put(++this.#version);
    const form = { 'hub.mode': 'publish', 'hub.url': this.#parts.edition.topic() };
    await this.#parts.replicas.send(form);
  }

  async #subscribing(): Promise<void> {
    while (this.#loading) {
      await this.#subscribe();
      if (this.#parts.random.below(3) === 0) await this.#unsubscribe();
      await delay(this.#parts.random.below(PAUSE_MS));
    }
  }

  async #subscribe(): Promise<void> {
    const path = `/${this.#in.size + this.#out.size}`;
    await this.#request('subscribe', path);
    this.#in.add(path);
  }

  async #unsubscribe(): Promise<void> {
    const path = this.#parts.random.pick([...this.#in]);
    this.#in.delete(path);
    await this.#request('unsubscribe', path);
    this.#out.add(path);
  }

  #request(mode: string, path: string): Promise<void> {
    return this.#parts.replicas.send({
      'hub.mode': mode,
      'hub.topic': this.#parts.edition.topic(),
      'hub.callback': this.#parts.callback(path),
    });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import { setTimeout as delay } from 'node:timers/promises';
import { topicStatus } from '../../../sidecar/hub/store/topics.ts';
import { PARTS, type HubStore } from '../../../sidecar/hub/store/tables.ts';
import type { Random } from '../random.ts';
import type { SlimEdition } from '../slim-edition.ts';
import { eventually } from '../eventually.ts';
import { partsByReplica } from '../parts.ts';
import type { Replicas } from './replicas.ts';
import type { Subscribers } from './subscribers.ts';

const PAUSE_MS = 120;
/** Longer, because a sidecar cannot start while uploads never pause. */
const PUBLISH_PAUSE_MS = 500;
const KILL_AFTER_MS = 250;
const LOOK_MS = 50;

export interface CrashPlan {
  kills: number;
  /** Kills per round. After a round the load stops and the results are checked. */
  killsARound: number;
  replicas: number;
  /** Default: SIGKILL. With SIGTERM it is one after the other, as in a rolling restart. */
  signal?: 'SIGKILL' | 'SIGTERM';
  /** Subscribers before the first kill; more come later. */
  subscribers: number;
  /** Default: SQLite with one replica. */
  databaseUrl?: string;
  /** Restarts the database, once per round. */
  restartDatabase?: () => Promise<void>;
  /** Share of deliveries that subscribers refuse, 0 to 1. */
  refusals: number;
  /** A module that changes the program before it runs. */
  mutation?: string;
  /** Milliseconds to wait for pending deliveries. */
  patienceMs: number;
}

interface World {
  replicas: Replicas;
  edition: SlimEdition;
  subscribers: Subscribers;
  random: Random;
  /** The URL of a callback. */
  callback: (path: string) => string;
  openStore: () => Promise<HubStore>;
}

/** Rounds of load and kills; counts what was lost after each. */
export async function runRounds(plan: CrashPlan, world: World) {
  const { replicas, edition, subscribers, random, callback, openStore } = world;
  const { databaseUrl, restartDatabase, signal = 'SIGKILL' } = plan;
  /** Callbacks whose last request was to subscribe, and those whose last was to unsubscribe. */
  const [subscribed, left] = [new Set<string>(), new Set<string>()];
  const report = {
    kills: plan.kills,
    /** Subscribers that never got the newest version, at the end of a round. */
    lost: 0,
    /** Those of them that did not get the next version either. */
    lostSubscriptions: 0,
    /** Subscribers that unsubscribed but still got the newest version. */
    notRemoved: 0,
    /** Deliveries whose outcome may not have been written when something was killed. */
    inFlight: 0,
    /** Milliseconds, at the longest, until all parts of a killed replica had a leader again. */
    takenMs: 0,
    /** Milliseconds, at the longest, until a replica that was started had its share. */
    sharedMs: 0,
  };
  let version = 0;

  const publish = async (): Promise<void> => {
    await edition.put(++version);
    await replicas.send({ 'hub.mode': 'publish', 'hub.url': edition.topic() });
  };
  const request = (mode: string, path: string): Promise<void> =>
    replicas.send({
      'hub.mode': mode,
      'hub.topic': edition.topic(),
      'hub.callback': callback(path),
    });
  const subscribe = async (): Promise<void> => {
    const path = `/${subscribed.size + left.size}`;
    await request('subscribe', path);
    subscribed.add(path);
  };
  const change = async (): Promise<void> => {
    await subscribe();
    if (random.below(3) > 0) return;
    const path = random.pick([...subscribed]);
    subscribed.delete(path);
    await request('unsubscribe', path);
    left.add(path);
  };
  const load = async (end: AbortSignal, work: () => Promise<void>, pauseMs: number) => {
    while (!end.aborted) {
      await work();
      await delay(random.below(pauseMs));
    }
  };

  /** Waits until the parts of each replica are as they should be; not at all on SQLite. */
  const whenParts = async (isSo: (parts: readonly number[]) => boolean): Promise<void> => {
    if (databaseUrl === undefined) return;
    await eventually(async () => {
      await delay(LOOK_MS);
      return isSo(await partsByReplica(databaseUrl));
    });
  };
  const noteTaken = async (killedAt: number): Promise<void> => {
    await whenParts((parts) => parts.reduce((a, b) => a + b, 0) === PARTS);
    report.takenMs = Math.max(report.takenMs, performance.now() - killedAt);
  };
  const crashOne = async (): Promise<void> => {
    let taken = Promise.resolve();
    const note = (killedAt: number) => {
      report.inFlight += subscribers.inFlight(killedAt);
      taken = noteTaken(killedAt);
    };
    await replicas.crashOne(note, signal);
    await taken;
  };
  /** Kills, then ends the load, even if something cannot be restarted. */
  const kill = async (kills: number, loads: AbortController): Promise<void> => {
    try {
      for (let killed = 0; killed < kills; killed++) {
        await delay(KILL_AFTER_MS + random.below(KILL_AFTER_MS));
        await crashOne();
        if (!restartDatabase || killed !== kills >> 1) continue;
        const killedAt = performance.now();
        await restartDatabase();
        report.inFlight += subscribers.inFlight(killedAt);
      }
    } finally {
      loads.abort();
    }
  };

  /** Waits until something is so; what is not so in time is counted. */
  const patiently = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + plan.patienceMs;
    while (!(await isSo()) && performance.now() < deadline) await delay(LOOK_MS);
  };
  /** Returns the number of subscribers that do not get the newest version in time. */
  const late = async (): Promise<number> => {
    const behind = () => [...subscribed].filter((path) => subscribers.newest(path) < version);
    await patiently(() => behind().length === 0);
    return behind().length;
  };
  /** Waits until every request is verified, and every outcome written. */
  const settled = async (): Promise<void> => {
    const store = await openStore();
    try {
      await patiently(async () => {
        const topics = await topicStatus(store);
        return topics.every(({ pending, owed }) => pending + owed === 0);
      });
    } finally {
      await store.close();
    }
  };
  /** Counts subscribers in the wrong state, after a kill that comes with the first post of a version. */
  const takeStock = async (): Promise<void> => {
    const underWay = subscribers.delivering(version + 1);
    await publish();
    await Promise.race([underWay, delay(plan.patienceMs)]);
    await crashOne();
    const startedAt = performance.now();
    await whenParts(
      (parts) => parts.length === plan.replicas && Math.max(...parts) - Math.min(...parts) <= 1,
    );
    report.sharedMs = Math.max(report.sharedMs, performance.now() - startedAt);
    // Publishing again would repair what was lost, so nothing is published while waiting.
    report.lost += await late();
    await settled(); // a request that the killed replica was verifying is retried
    await publish();
    report.lostSubscriptions += await late();
    await settled();
    report.notRemoved += [...left].filter((path) => subscribers.newest(path) === version).length;
    subscribers.forgetRefusals();
  };

  for (let count = 0; count < plan.subscribers; count++) await subscribe();
  for (let killed = 0; killed < plan.kills; killed += plan.killsARound) {
    const end = new AbortController();
    await Promise.all([
      load(end.signal, publish, PUBLISH_PAUSE_MS),
      load(end.signal, change, PAUSE_MS),
      kill(plan.killsARound - 1, end),
    ]);
    await takeStock();
  }
  const { deliveries, refusals, denied, duplicates } = subscribers;
  const counts = { deliveries, refusals, denied, duplicates, subscriptions: subscribed.size };
  return { ...report, ...counts };
}

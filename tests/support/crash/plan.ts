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

export interface CrashReport {
  kills: number;
  deliveries: number;
  refusals: number;
  subscriptions: number;
  /** Subscribers that never got the newest version, at the end of a round. */
  lost: number;
  /** Those of them that did not get the next version either. */
  lostSubscriptions: number;
  /** Subscribers that unsubscribed but still got the newest version. */
  notRemoved: number;
  /** Subscriptions that the hub ended without cause. */
  denied: number;
  duplicates: number;
  /** Deliveries whose outcome may not have been written at a kill; a few more may come twice. */
  inFlight: number;
  /** The longest time until all parts had a leader again after a kill, and the replicas equal shares. */
  takenMs: number;
  sharedMs: number;
}

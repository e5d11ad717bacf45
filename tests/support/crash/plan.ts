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

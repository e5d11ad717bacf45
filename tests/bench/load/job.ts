/** Requests, each sent once. */
export interface Job {
  port: number;
  /** Paths with their query. */
  paths: readonly string[];
  /** One body to POST to each path; without them, the paths are read with GET. */
  bodies?: readonly string[];
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** Expected status; any other ends the run. */
  status: number;
  connections: number;
}

export interface Outcome {
  seconds: number;
  /** Sum of all bodies. */
  bytes: number;
}

/** Requests to send, each once. */
export interface Job {
  port: number;
  /** Paths with their query. */
  paths: readonly string[];
  /** Posted, one with each path; left out, the paths are got. */
  bodies?: readonly string[];
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** Of every answer; anything else ends the run. */
  status: number;
  connections: number;
}

export interface Outcome {
  seconds: number;
  /** Of all bodies. */
  bytes: number;
}

/** Requests to send, each once. */
export interface Job {
  port: number;
  /** Paths with their query. */
  paths: readonly string[];
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

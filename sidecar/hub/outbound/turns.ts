interface Line {
  host: string;
  running: number;
  /** First come, first served. */
  waiting: Set<() => void>;
}

/**
 * Who may begin: so many at once, and so many of one host. Hosts that wait take turns, so a slow
 * one holds back nobody but itself.
 */
export class Turns {
  #free: number;
  readonly #perHost: number;
  readonly #lines = new Map<string, Line>();
  /** Lines with somebody waiting whom only the total holds back; the next one first. */
  readonly #ready = new Set<Line>();

  constructor(total: number, perHost: number) {
    this.#free = total;
    this.#perHost = perHost;
  }

  /** Calls `begin` at once or when its turn comes; whoever began must `leave`. */
  enter(host: string, begin: () => void): void {
    let line = this.#lines.get(host);
    if (!line) this.#lines.set(host, (line = { host, running: 0, waiting: new Set() }));
    line.waiting.add(begin);
    this.#queue(line);
    this.#next();
  }

  /** One that began is done. */
  leave(host: string): void {
    const line = this.#lines.get(host)!;
    line.running--;
    this.#free++;
    this.#queue(line);
    this.#next();
  }

  /** Gives up waiting; does nothing for one that has begun. */
  withdraw(host: string, begin: () => void): void {
    const line = this.#lines.get(host);
    if (!line?.waiting.delete(begin)) return;
    if (line.waiting.size === 0) this.#ready.delete(line);
    this.#queue(line);
  }

  #queue(line: Line): void {
    if (line.waiting.size > 0 && line.running < this.#perHost) this.#ready.add(line);
    else if (line.waiting.size === 0 && line.running === 0) this.#lines.delete(line.host);
  }

  #next(): void {
    while (this.#free > 0) {
      const [line] = this.#ready;
      if (!line) return;
      const [begin] = line.waiting;
      this.#ready.delete(line);
      line.waiting.delete(begin!);
      line.running++;
      this.#free--;
      this.#queue(line); // at the end: the other hosts come first
      begin!();
    }
  }
}

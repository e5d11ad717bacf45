import { statSync } from 'node:fs';

/** Time between two pictures of the bar. */
const PAUSE_MS = 100;
const WIDTH = 30;

interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows on a terminal how far files are read; elsewhere nothing. */
export class ProgressBar {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #shownAt = -Infinity;
  #file = '';
  #size = 0;

  constructor(terminal: Terminal, now: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
  }

  readonly show = ({ file, bytes, rows }: { file: string; bytes: number; rows: number }): void => {
    if (!this.#terminal.isTTY || this.#now() - this.#shownAt < PAUSE_MS) return;
    this.#shownAt = this.#now();
    if (file !== this.#file) {
      this.#file = file;
      this.#size = statSync(file).size;
    }
    // An archive unpacks to more bytes than it has.
    const done = Math.min(1, bytes / this.#size);
    const bar = '#'.repeat(Math.round(done * WIDTH)).padEnd(WIDTH, '.');
    this.#terminal.write(`\r[${bar}] ${Math.round(done * 100)}% ${rows} rows`);
  };

  readonly clear = (): void => {
    if (this.#shownAt !== -Infinity) this.#terminal.write('\r\u001b[K');
  };
}

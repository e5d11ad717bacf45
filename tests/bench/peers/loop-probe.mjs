import { appendFileSync } from 'node:fs';

// Preloaded into a measured server. Adds a line to LOOP_PROBE for each time in which it
// served nothing: the milliseconds of processor time, which other work on the machine does not change.

const EVERY_MS = 2;
const SHOWN_MS = 5;

if (!process.connected) {
  let last = milliseconds();
  setInterval(() => {
    const now = milliseconds();
    if (now - last > SHOWN_MS) appendFileSync(process.env.LOOP_PROBE, `${now - last}\n`);
    last = milliseconds();
  }, EVERY_MS).unref();
}

function milliseconds() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

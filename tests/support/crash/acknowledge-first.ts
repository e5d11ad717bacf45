import { registerHooks } from 'node:module';

// Plants the error that the crash test must catch: the hub acknowledges a delivery before posting
// it. One post at a time follows a second later, so that the kill, which comes with the first post of
// a version, falls between them.

const FILE = '/sidecar/hub/distributor.ts';
const POST = 'const outcome = await outbound.send({';
const ACKNOWLEDGE = `
  this.#settle({ delivery, verdict: { kind: 'delivered' } }, () => {});
  const isHeld = globalThis.holding !== true;
  if (isHeld) globalThis.holding = true;
  while (!this.isIdle) await new Promise(setImmediate);
  if (isHeld) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    globalThis.holding = false;
  }
`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(FILE)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(POST)) throw new Error(`${FILE} has no "${POST}"`);
    return { ...loaded, source: source.replace(POST, ACKNOWLEDGE + POST) };
  },
});

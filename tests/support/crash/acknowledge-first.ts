import { registerHooks } from 'node:module';

// Plants the error that the crash test must catch: the hub acknowledges a delivery before posting
// it. The post follows a moment later, so that a kill falls between them.

const FILE = '/sidecar/hub/distributor.ts';
const POST = 'const outcome = await outbound.send({';
const ACKNOWLEDGE = `
  this.#settlements.add({ delivery, verdict: { kind: 'delivered', answer: '204' } }, () => {});
  await this.idle();
  await new Promise((resolve) => setTimeout(resolve, 200));
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

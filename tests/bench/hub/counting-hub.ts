import { Hub, type HubOptions } from '../../../sidecar/hub/hub.ts';
import { isSuccess, Outbound } from '../../../sidecar/hub/outbound/outbound.ts';
import type { HubStore } from '../../../sidecar/hub/store/tables.ts';
import { hubOptions, LOOPBACK, SECRETS } from '../../support/hub.ts';
import { topicEdition, TOPICS } from '../../support/topic-edition.ts';

export const SECRET = 'a secret that is used to sign';
const INSERTED_AT_ONCE = 500;

/** Opens a hub on a store that counts what it delivers of the edition published last. */
export async function openCountingHub(store: HubStore, ca: string, options: Partial<HubOptions>) {
  let edition = topicEdition('before');
  let delivered = 0;
  const outbound = new Outbound({ allow: LOOPBACK, ca });
  const send: Outbound['send'] = async (exchange) => {
    const outcome = await outbound.send(exchange);
    if (isSuccess(outcome)) delivered++;
    return outcome;
  };
  const own = { outbound: { send, close: () => outbound.close() }, edition: () => edition };
  const hub = new Hub(hubOptions(store, { ...own, ...options }));
  await hub.open();
  return {
    hub,
    delivered: () => delivered,
    publish: async (text: string, time?: string): Promise<void> => {
      delivered = 0;
      edition = topicEdition(text, { ...(time && { time }), only: '/feed.xml' });
      await hub.tick();
    },
  };
}

/** Inserts verified subscribers of the Atom topic, who have its version unless told otherwise. */
export async function insertSubscribers(
  store: HubStore,
  count: number,
  callbackOf: (number: number) => string,
  more: { acknowledged?: number; pace?: 'prompt' } = {},
): Promise<void> {
  const topic = await store.db
    .selectFrom('topic')
    .select(['id', 'version'])
    .where('url', '=', TOPICS.atom)
    .executeTakeFirstOrThrow();
  for (let first = 0; first < count; first += INSERTED_AT_ONCE) {
    const length = Math.min(INSERTED_AT_ONCE, count - first);
    const rows = Array.from({ length }, (_, index) => {
      const callback = callbackOf(first + index);
      return {
        topic_id: topic.id,
        callback,
        host: new URL(callback).hostname,
        sealed_secret: SECRETS.seal(SECRET),
        expires_at: Date.now() + 3_600_000,
        acknowledged: topic.version,
        ...more,
      };
    });
    await store.db.insertInto('subscription').values(rows).execute();
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meterHub } from '../../sidecar/metrics/hub-meters.ts';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import type { Logger } from '../../sidecar/base/log.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { HubUnavailableError } from '../../sidecar/hub/availability.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';
import { onPostgres, PostgresServer } from '../support/postgres.ts';
import { samplesOf } from '../support/samples.ts';
import { TOPICS } from '../support/topic-edition.ts';

const { atom, reviews } = TOPICS;
const unheard: Logger = { enabled: () => false, log: () => {} };

forEachEngine((engine) => {
  test('subscriptions, owed deliveries and their age are what the store holds', async (context) => {
    const { meters, text } = prometheus();
    const hub = await openTestHub(context, engine, { meters });
    const { callbacks, change, pass, subscribe } = hub;
    meterHub(meters, hub.hub);
    const readings = async (topic: string) => {
      const samples = samplesOf(await text());
      return ['subscriptions', 'owed_deliveries', 'oldest_owed_age_seconds'].map((name) =>
        samples.get(`reviews_hub_${name}{topic="${topic}"}`),
      );
    };
    const outcomes = async () => {
      const samples = samplesOf(await text());
      return ['delivered', 'retry', 'removed'].map(
        (outcome) => samples.get(`reviews_hub_deliveries_total{outcome="${outcome}"}`) ?? 0,
      );
    };

    await subscribe('/well');
    await subscribe('/ill');
    assert.deepEqual(await readings(atom), [2, 0, 0]);
    assert.deepEqual(await readings(reviews), [0, 0, 0]);

    callbacks.handle(({ path, method }, response) => {
      response.writeHead(method === 'POST' && path === '/ill' ? 500 : 204).end();
    });
    await change('the second');
    assert.deepEqual(await readings(atom), [2, 1, 0]);
    assert.deepEqual(await outcomes(), [1, 1, 0]);
    await pass(30);
    assert.deepEqual(await readings(atom), [2, 1, 30]);

    await change('the third');
    assert.deepEqual(await readings(atom), [2, 1, 30], 'owed since the second');
    assert.deepEqual(await outcomes(), [2, 1, 0]);
    await pass(30);
    assert.deepEqual(await outcomes(), [2, 2, 0]);
    await pass(600);
    assert.deepEqual(await readings(atom), [1, 0, 0]);
    assert.deepEqual(await outcomes(), [2, 2, 1]);
  });
});

test('while the store is away metrics say so and readiness too', onPostgres, async (context) => {
  const server = await PostgresServer.start();
  context.after(() => server.stop());
  const url = await server.database();
  const { meters, text } = prometheus();
  const { hub } = await openTestHub(
    context,
    { open: async () => openPostgres(url, unheard) },
    { meters, logger: unheard },
  );
  meterHub(meters, hub);
  assert.deepEqual(await hub.check(), { ok: true, engine: 'postgresql' });
  await server.crash();
  assert.deepEqual(await hub.check(), {
    ok: false,
    engine: 'postgresql',
    reason: 'the store cannot be reached',
  });
  await assert.rejects(hub.status(), HubUnavailableError);
  const samples = samplesOf(await text());
  assert.equal(samples.get('reviews_hub_store_up'), 0);
  assert.ok(![...samples.keys()].some((name) => name.startsWith('reviews_hub_subscriptions')));
  assert.ok(samples.get('process_start_time_seconds'), 'all else is there');
  await server.run();
  assert.equal(samplesOf(await text()).get('reviews_hub_store_up'), 1);
});

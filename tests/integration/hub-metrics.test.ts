import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meterHub } from '../../sidecar/metrics/hub-meters.ts';
import { prometheus } from '../../sidecar/metrics/prometheus.ts';
import { openPostgres } from '../../sidecar/store/postgres.ts';
import { HubUnavailableError } from '../../sidecar/hub/availability.ts';
import { Hub } from '../../sidecar/hub/hub.ts';
import type { HubTables } from '../../sidecar/hub/store/tables.ts';
import { quiet } from '../support/edition.ts';
import { forEachEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { hubOptions, openTestHub } from '../support/hub.ts';
import { samplesOf } from '../support/samples.ts';
import { TOPICS } from '../support/topic-edition.ts';

const { atom, reviews } = TOPICS;

forEachEngine((engine) => {
  test('subscriptions, owed deliveries and their age are what the store holds', async (context) => {
    const { meters, text } = prometheus();
    const hub = await openTestHub(context, { engine, meters });
    const { callbacks, change, pass, subscribe } = hub;
    meterHub(meters, hub.hub);
    const readings = async (topic: string) => {
      const samples = samplesOf(await text());
      return ['subscriptions', 'owed_deliveries', 'owed_age_seconds'].map((name) =>
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
    assert.deepEqual(await readings(atom), [2, 1, 0]);
    assert.deepEqual(await outcomes(), [2, 1, 0]);
    await pass(30);
    assert.deepEqual(await outcomes(), [2, 2, 0]);
    await pass(600);
    assert.deepEqual(await readings(atom), [1, 0, 0]);
    assert.deepEqual(await outcomes(), [2, 2, 1]);
  });
});

test('while the store is away metrics say so and readiness too', async (context) => {
  const url = `postgres://127.0.0.1:${await freePort()}/hub`;
  const { meters, text } = prometheus();
  const store = openPostgres<HubTables>(url, quiet);
  const hub = new Hub(hubOptions(store, { meters, logger: quiet }));
  context.after(() => hub.close());
  meterHub(meters, hub);
  const { ok, reason } = await hub.check();
  assert.deepEqual([ok, reason], [false, 'the store cannot be reached']);
  await assert.rejects(hub.status(), HubUnavailableError);
  const samples = samplesOf(await text());
  assert.equal(samples.get('reviews_hub_store_up'), 0);
  assert.ok(![...samples.keys()].some((name) => name.startsWith('reviews_hub_subscriptions')));
  assert.ok(samples.get('process_start_time_seconds'), 'all else is there');
});

import { HubUnavailableError } from '../hub/availability.ts';
import type { Hub } from '../hub/hub.ts';
import type { TopicStatus } from '../hub/store/topics.ts';
import type { Meters, Samples } from '../base/meters.ts';

/** Meters the hub's store whenever metrics are collected. While the store is down, only that is reported. */
export function meterHub(meters: Meters, hub: Pick<Hub, 'status' | 'parts'>): void {
  let asked: Promise<TopicStatus[] | undefined> | undefined;
  /** Shared by all gauges of one collection. */
  const status = () =>
    (asked ??= hub
      .status()
      .catch((error: unknown) => {
        if (error instanceof HubUnavailableError) return undefined;
        throw error;
      })
      .finally(() => (asked = undefined)));
  const byTopic = (value: (topic: TopicStatus) => number) => async (): Promise<Samples<'topic'>> =>
    ((await status()) ?? []).map((topic) => [{ topic: topic.url }, value(topic)] as const);

  meters.gauge('reviews_hub_store_up', 'Whether the store of the hub answers.', [], async () => [
    [{}, (await status()) ? 1 : 0],
  ]);
  meters.gauge(
    'reviews_hub_parts',
    'Parts of the subscriptions, of 64, to which this process delivers.',
    [],
    async () => [[{}, hub.parts]],
  );
  meters.gauge(
    'reviews_hub_subscriptions',
    'Active subscriptions.',
    ['topic'],
    byTopic(({ subscriptions }) => subscriptions),
  );
  meters.gauge(
    'reviews_hub_owed_deliveries',
    'Subscriptions that have not acknowledged the newest version.',
    ['topic'],
    byTopic(({ owed }) => owed),
  );
  meters.gauge(
    'reviews_hub_owed_age_seconds',
    'Time since the newest version was published; 0 when it is owed to nobody.',
    ['topic'],
    byTopic(({ owedMs }) => owedMs / 1000),
  );
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { succession, Topics, type Published } from '../../sidecar/hub/store/topics.ts';
import { topicFiles } from '../../sidecar/hub/topic-files.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';
import { topicEdition } from '../support/topic-edition.ts';

const GRACE = 180_000;
const published: Published = {
  version: 3,
  etag: '"b"',
  editionTime: 2000,
  confirmedAt: 10_000,
  now: 20_000,
};
const later = { ...published, now: published.confirmedAt + GRACE };

const CASES: [what: string, published: Published, offer: [string, number, boolean], is: string][] =
  [
    ['the first content', { ...published, version: 0 }, ['"a"', 1000, false], 'publish'],
    ['what is published', published, ['"b"', 1000, true], 'confirm'],
    ['a newer edition', published, ['"c"', 3000, false], 'publish'],
    ['another edition of the same time', published, ['"c"', 2000, true], 'publish'],
    ['the same once more, replaced since', published, ['"c"', 2000, false], 'wait'],
    ['an older edition, while others have the newer', published, ['"a"', 1000, true], 'wait'],
    ['an older edition, when nobody has the newer', later, ['"a"', 1000, true], 'publish'],
  ];

for (const [what, state, [etag, editionTime, fresh], expected] of CASES) {
  test(`${what}: ${expected}`, () => {
    assert.equal(succession(state, { etag, editionTime, fresh }, GRACE), expected);
  });
}

forEachEngine((engine) => {
  test('a replica that is behind does not publish the past; a step back is published', async (context) => {
    const { store, subscribe, change, news, pass, hub } = await openTestHub(context, engine, {
      graceMs: GRACE,
    });
    const newer = topicEdition('newer', { time: '2026-03-01T00:00:00Z' });
    const older = topicEdition('older', { time: '2026-02-01T00:00:00Z' });
    await subscribe('/a');
    await change(newer);
    news();
    const behind = new Topics(store);
    const offerOlder = async () => {
      const [file] = topicFiles(older);
      return behind.offer(file!, { fresh: true, graceMs: GRACE });
    };
    assert.equal(await offerOlder(), 'waiting');
    await pass(170);
    await hub.publish(); // the replica that has it reports it
    await pass(20);
    assert.equal(await offerOlder(), 'waiting');
    assert.deepEqual(news(), []);
    await pass(180);
    assert.equal(await offerOlder(), 'published');
    await pass(1);
    assert.deepEqual(news(), [], 'this replica does not have it');
    await change(older);
    assert.deepEqual(news(), ['POST /a']);
  });

  test('a replica that lacks the newest content sends nothing, and looks for it at once', async (context) => {
    let looks = 0;
    const refresh = async () => void looks++;
    const test = await openTestHub(context, engine, { graceMs: GRACE, refresh });
    const { store, subscribe, change, news, pass, deliveries } = test;
    await subscribe('/a');
    news();
    const newer = topicEdition('newer', { time: '2026-03-01T00:00:00Z' });
    const other = new Topics(store);
    const [file] = topicFiles(newer);
    assert.equal(await other.offer(file!, { fresh: true, graceMs: GRACE }), 'published');
    await pass(1);
    assert.deepEqual(news(), []);
    assert.equal(looks, 1);
    await pass(10);
    assert.equal(looks, 2, 'and looks again');
    await change(newer);
    assert.deepEqual(news(), ['POST /a']);
    assert.match(deliveries('/a')[0]!.body.toString(), /newer/);
  });
});

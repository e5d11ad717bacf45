import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMethod } from '../../src/insights/aggregate/insights.ts';
import { vocabulary, WEIGHTS } from '../support/engine.ts';

const OTHER_INPUTS = { weights: WEIGHTS, annotations: [], faq: [], summary: null };
const methodOf = (parts: Parameters<typeof vocabulary>[0]) =>
  describeMethod({ vocabulary: vocabulary(parts), ...OTHER_INPUTS });
const before = methodOf({});

const LISTS = {
  technicians: { technicians: [{ id: 'a', name: 'A' }] },
  services: { services: [{ id: 'a', label: 'A', aliases: [] }] },
  service_areas: { service_areas: [{ id: 'a', label: 'A', aliases: [] }] },
  problems: { problems: [{ id: 'a', label: 'A', aliases: [] }] },
  aspects: { aspects: [{ id: 'a', label: 'A', terms: ['a'] }] },
  topics: { topics: [{ id: 'a', label: 'A', terms: ['a'] }] },
};

for (const [list, parts] of Object.entries(LISTS)) {
  test(`a change of the ${list} changes their hash, and no other`, () => {
    const { vocabulary_sha256: hashes } = methodOf(parts);
    const changed = Object.keys(hashes).filter(
      (name) => hashes[name] !== before.vocabulary_sha256[name],
    );
    assert.deepEqual(changed, [list]);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../src/content/read-content.ts';
import { termIds, TermFinder } from '../../src/insights/analyze/term-finder.ts';
import { englishGrammar } from '../../src/insights/languages/english.ts';
import { tokenize } from '../../src/insights/analyze/tokens.ts';
import { DATASET } from '../support/fixtures.ts';

const { otherNumber, stem, verbForms } = englishGrammar;
const { vocabulary } = await readContent(DATASET);
const finder = new TermFinder(vocabulary);

const SERVICES: [text: string, ids: string][] = [
  ['They swapped out our old oil furnace.', 'furnace-installation'],
  ['No need to replace the furnace, he said.', 'furnace-installation'],
  ['Serviced the furnace and both boilers.', 'boiler-service furnace-repair'],
  ['Had two faucets seen to upstairs.', 'faucet-installation'],
  ["My heat-pump's defrost cycle was off.", 'heat-pump'],
  ['Got our a/c running again.', 'ac-repair'],
  ['Our A.C. died on Friday.', 'ac-repair'],
  ['Putting in a new AC took a day.', 'ac-installation'],
  ['Replaced my thirty-year-old central air.', 'ac-installation'],
  ['We never did get the water heater looked at.', 'water-heater'],
  ['Tank-less water heater went in.', 'tankless-water-heater'],
  ['If the drain clogs again I would call them.', 'drain-cleaning'],
  ['All the galvanized pipe was replaced.', 'repiping'],
  ['They picked up at 3 a.m. and came.', 'emergency-service'],
  ['My plan covers two visits.', 'maintenance-plan'],
  ['He taped it up with duct tape and left.', ''],
  ['Money down the drain.', ''],
  ['He tapped on the door; we drink tap water.', ''],
  ['Booked online at midnight.', ''],
  ['I work in the emergency room.', ''],
  ['The plan was to come back Tuesday.', ''],
  ['The radiator hose on my car burst.', ''],
  ['Poor drainage and a boilerplate letter.', ''],
];
for (const [text, ids] of SERVICES) {
  test(`services ${ids || 'none'}: ${text}`, () => {
    assert.equal(termIds(finder.find(tokenize(text)).services).join(' '), ids);
  });
}

const AREAS: [text: string, ids: string][] = [
  ['Alderbay and Mill Brook both.', 'alder-bay millbrook'],
  ['Our place in north quarry.', 'north-quarry'],
  ['Our Old Mill apartment.', 'old-mill'],
  ['An old mill stands by the river.', ''],
  ['Near the old mill in the woods.', ''],
  ['Wexford Plumbing came first and failed.', ''],
  ['We live on Lakeview Terrace.', ''],
];
for (const [text, ids] of AREAS) {
  test(`areas ${ids || 'none'}: ${text}`, () => {
    assert.equal(termIds(finder.find(tokenize(text)).service_areas).join(' '), ids);
  });
}

test('words are inflected as English does', () => {
  const others = ['valve', 'box', 'emergency', 'boilers', 'boxes', 'glass'].map(otherNumber);
  assert.deepEqual(others, ['valves', 'boxes', 'emergencies', 'boiler', 'box', 'glasses']);
  assert.ok(verbForms('replace').includes('replacing') && verbForms('swap').includes('swapped'));
  assert.equal(stem('denied'), stem('deny'));
  assert.equal(stem('reasonably'), stem('reasonable'));
  assert.equal(stem('prices'), stem('priced'));
  assert.notEqual(stem('boss'), stem('both'));
});

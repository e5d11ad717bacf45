import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordingOf } from '../../src/messages/wording.ts';
import { yearOf } from '../../src/base/days.ts';
import { markdownToHtml } from '../../src/view/wording.ts';
import { jsonLd } from '../../src/view/json-ld.ts';
import { weekHours } from '../../src/view/hours.ts';

const { dayName, monthName, monthOfYear, percent } = wordingOf();

test('writes days and months as people read them, whatever the time zone', () => {
  assert.equal(dayName('2026-01-01'), 'January 1, 2026');
  assert.equal(monthName('2026-05'), 'May 2026');
  assert.equal(monthOfYear('2026-12'), 'December');
  assert.equal(yearOf('2026-12-31'), '2026');
});

test('never rounds a share to nothing or to all', () => {
  assert.deepEqual([0, 0.2, 49.5, 99.6, 100].map(percent), ['0%', '<1%', '50%', '>99%', '100%']);
});

test('shows HTML in prose as text, and links to no script', () => {
  const shown = '<p><strong>so</strong> &lt;b&gt;x&lt;/b&gt;</p>';
  assert.equal(markdownToHtml('**so** <b>x</b>'), shown);
  assert.doesNotMatch(markdownToHtml('[x](javascript:alert(1))'), /javascript/);
  assert.equal(jsonLd({ name: '<!--<script>' }), String.raw`{"name":"\u003c!--\u003cscript>"}`);
});

test('every day of the week has its hours once, in the clock of the country', () => {
  const hours = [
    { day: 'monday' as const, opens: '13:00', closes: '17:30' },
    { day: 'monday' as const, opens: '07:30', closes: '12:00' },
    { day: 'wednesday' as const, opens: '08:00', closes: '14:00' },
    { day: 'thursday' as const, opens: '08:00', closes: '14:00' },
  ];
  const plain = (country: string) =>
    weekHours({ hours, address: { ...ADDRESS, country } }, wordingOf()).map(
      ({ days, times }) => `${days}: ${times.replaceAll('\u00a0', ' ')}`,
    );
  assert.deepEqual(plain('US'), [
    'Monday: 7:30 AM – 12:00 PM, 1:00 PM – 5:30 PM',
    'Tuesday: Closed',
    'Wednesday to Thursday: 8:00 AM – 2:00 PM',
    'Friday to Sunday: Closed',
  ]);
  assert.equal(plain('DE')[0], 'Monday: 7:30 – 12:00, 13:00 – 17:30');
});

const ADDRESS = { street: '1 Quay', city: 'Kiel', region: null, postal_code: '24103' };

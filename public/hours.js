// Says on the home page if the business is open now; without it, the hours are there to read.
const hours = document.querySelector('details.hours');
const summary = hours.querySelector('summary');
const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: hours.dataset.zone,
  weekday: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Returns the row of a day of the week, and its hours as pairs of times, `07:30` and `17:30`. */
function rowOf(day) {
  const row = hours.querySelector(`[data-days~="${day}"]`);
  const spans = row.dataset.spans.split(' ').filter(Boolean);
  return { row, spans: spans.map((span) => span.split('-')) };
}

function show() {
  const parts = Object.fromEntries(
    clock.formatToParts(new Date()).map(({ type, value }) => [type, value]),
  );
  const now = `${parts.hour}:${parts.minute}`;
  const day = DAYS.indexOf(parts.weekday);
  const today = rowOf(day);
  const isOpen =
    today.spans.some(([opens, closes]) => opens <= now && (now < closes || closes <= opens)) ||
    // The hours of a night end on the next day.
    rowOf((day + 6) % 7).spans.some(([opens, closes]) => closes <= opens && now < closes);
  const times = today.row.querySelector('.figure').textContent;
  summary.textContent = `${isOpen ? 'Open now' : 'Closed now'} · ${today.spans.length > 0 ? `today ${times}` : 'closed today'}`;
}

show();
setInterval(show, 60_000);

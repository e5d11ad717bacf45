// What depends on the visitor's clock: the age of the newest review, and whether the business is open
// now. Without it, the day and the hours are there to read. It runs before what follows is shown, so that
// nothing moves. A page that has it in itself loads it once more, for hosts that forbid what is in pages.
if (!globalThis.knowsNow) {
  globalThis.knowsNow = true;
  const place = document.querySelector('.age');
  if (place) {
    const newest = place.previousElementSibling.dateTime;
    place.textContent = `(${age(newest)})`;
    if (daysSince(newest) > 365) place.after('. ', place.parentElement.dataset.old);
  }

  function daysSince(date) {
    return Math.max(0, Math.floor((Date.now() - Date.parse(date)) / 86_400_000));
  }

  /** Returns how long ago a day is, in its largest fitting unit: `3 months ago`. */
  function age(date) {
    const days = daysSince(date);
    const [count, unit] =
      days < 14
        ? [days, 'day']
        : days < 60
          ? [days / 7, 'week']
          : days < 730
            ? [days / 30.44, 'month']
            : [days / 365.25, 'year'];
    const words = new Intl.RelativeTimeFormat(`${document.documentElement.lang}-u-nu-latn`, {
      numeric: 'auto',
    });
    return words.format(-Math.floor(count), unit);
  }

  const hours = document.querySelector('details.hours[data-zone]');
  if (hours) {
    showHours();
    setInterval(showHours, 60_000);
  }

  /** Returns the row of a day of the week, and its hours as pairs of times, `07:30` and `17:30`. */
  function rowOf(day) {
    const row = hours.querySelector(`[data-days~="${day}"]`);
    const spans = row.dataset.spans.split(' ').filter(Boolean);
    return { row, spans: spans.map((span) => span.split('-')) };
  }

  /** Returns the day of the week (Monday is 0) and the time, `07:30`, where the business is. */
  function clockThere() {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: hours.dataset.zone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const parts = Object.fromEntries(
      clock.formatToParts(new Date()).map(({ type, value }) => [type, value]),
    );
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    return { day: days.indexOf(parts.weekday), now: `${parts.hour}:${parts.minute}` };
  }

  function showHours() {
    const { day, now } = clockThere();
    const today = rowOf(day);
    const isOpen =
      today.spans.some(([opens, closes]) => opens <= now && (now < closes || closes <= opens)) ||
      // The hours of a night end on the next day.
      rowOf((day + 6) % 7).spans.some(([opens, closes]) => closes <= opens && now < closes);
    const times = today.row.querySelector('.figure').textContent;
    const { open, closed, today: words, closedToday } = hours.dataset;
    hours.querySelector('summary').textContent =
      `${isOpen ? open : closed} · ${today.spans.length > 0 ? words.replace('{times}', times) : closedToday}`;
  }
}

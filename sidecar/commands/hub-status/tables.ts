import type { OwedDelivery, TopicStatus } from '../../hub/store/status.ts';

/** A line for each topic. */
export function topicTable(topics: readonly TopicStatus[]): string {
  return table(
    ['topic', 'version', 'subscriptions', 'pending', 'owed', 'oldest owed'],
    topics.map(({ url, version, subscriptions, pending, owed, oldestOwedMs }) => [
      url,
      String(version),
      String(subscriptions),
      String(pending),
      String(owed),
      owed === 0 ? '-' : duration(oldestOwedMs),
    ]),
  );
}

/** A line for each owed delivery; of the callback only the host. */
export function owedTable(owed: readonly OwedDelivery[]): string {
  return table(
    ['topic', 'host', 'has', 'newest', 'failures', 'next try in', 'lease ends in'],
    owed.map(({ topicUrl, host, acknowledged, version, failures, dueInMs, leaseMs }) => [
      topicUrl,
      host,
      String(acknowledged),
      String(version),
      String(failures),
      dueInMs <= 0 ? 'now' : duration(dueInMs),
      duration(leaseMs),
    ]),
  );
}

/** Columns side by side, two spaces between them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** In the largest unit that there are two of: `90 s`, `10 min`, `36 h`, `9 d`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];
export type Fields = Readonly<Record<string, unknown>>;

/** Writes structured lines; `enabled` avoids building lines that are not logged. */
export interface Logger {
  enabled(level: Level): boolean;
  log(level: Level, message: string, fields?: Fields): void;
}

/** Logs one JSON object per line: time, level, message, fields. Errors include their cause. */
export function jsonLogger(
  least: Level,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): Logger {
  const rank = LEVELS.indexOf(least);
  const enabled = (level: Level) => LEVELS.indexOf(level) >= rank;
  return {
    enabled,
    log(level, message, fields) {
      if (!enabled(level)) return;
      const line = { time: now().toISOString(), level, message, ...fields };
      write(`${JSON.stringify(line, errorsToText)}\n`);
    },
  };
}

function errorsToText(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? value.stack
    : `${value.stack}\ncaused by: ${String(value.cause)}`;
}

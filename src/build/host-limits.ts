import type { Manifest } from '../edition/manifest.ts';

interface Limits {
  host: string;
  files?: number;
  fileBytes?: number;
  bytes?: number;
}

const MIB = 1024 * 1024;

/** The limits that hosts of plain files state. */
const LIMITS: readonly Limits[] = [
  { host: 'Cloudflare Pages', files: 20_000, fileBytes: 25 * MIB },
  { host: 'GitHub Pages', fileBytes: 100 * MIB, bytes: 1024 * MIB },
];

/** Returns a line for each limit of a host that an edition exceeds. */
export function exceededLimits(
  resources: Pick<Manifest['resources'][number], 'path' | 'size'>[],
): string[] {
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return LIMITS.flatMap(({ host, ...most }) => [
    ...(resources.length > (most.files ?? Infinity)
      ? [`${host} takes ${figure(most.files!)} files; this site has ${figure(resources.length)}`]
      : []),
    ...(bytes > (most.bytes ?? Infinity)
      ? [`${host} takes ${figure(most.bytes! / MIB)} MiB; this site has ${figure(bytes / MIB)}`]
      : []),
    ...resources
      .filter(({ size }) => size > (most.fileBytes ?? Infinity))
      .map(
        ({ path, size }) =>
          `${host} takes ${figure(most.fileBytes! / MIB)} MiB a file; ${path} has ${figure(size / MIB)}`,
      ),
  ]);
}

function figure(value: number): string {
  return Math.ceil(value).toLocaleString('en');
}

import { readFileSync } from 'node:fs';

/**
 * The rooms, in the order of src/README.md: a room may import only the rooms to the left of a `<`
 * before it.
 */
const [, order] = /^```rooms\n(.*?)^```/ms.exec(
  readFileSync(new URL('src/README.md', import.meta.url), 'utf8'),
)!;

/** Rooms without I/O, clock and randomness, with the modules of Node that compute only. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  'src/base': [],
  'src/schema': [],
  'src/dataset': ['node:crypto'],
  'src/journal': ['node:crypto'],
  'src/search': [],
  'src/insights': ['node:crypto'],
  'src/edition': ['node:crypto', 'node:path'],
  'src/resources': [],
  'src/view': [],
};
const IMPURE_GLOBALS = ['process', 'fetch', 'performance', 'crypto'];
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];
const IMPURE_PROPERTIES = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
];
const RANDOM = [{ name: 'node:crypto', importNames: ['randomBytes', 'randomUUID'] }];

const OF_NODE = ['node:*', 'node:*/**'];
const OF_ASTRO = ['astro*', 'virtual:*'];
/** They connect to other hosts. */
const OUTWARD = ['node:https', 'node:dns', 'node:dns/**', 'undici'];
const MAY_CONNECT = new Set(['sidecar/edition', 'sidecar/hub/outbound']);

const isIn = (room: string, outer: string) => room.startsWith(`${outer}/`);

/** Returns the patterns of modules that a room may not import, besides other rooms. */
function outside(room: string): string[] {
  const pure = Object.keys(PURE).find((outer) => outer === room || isIn(room, outer));
  if (pure !== undefined) {
    return [...OF_NODE, ...PURE[pure]!.map((name) => `!${name}`), ...OF_ASTRO];
  }
  if (room === 'src/browser') return [...OF_NODE, ...OF_ASTRO];
  if (!room.startsWith('sidecar')) return [];
  return MAY_CONNECT.has(room) ? OF_ASTRO : [...OF_ASTRO, ...OUTWARD];
}

/** Returns patterns by which files of a room import another one. */
function patternsOf(room: string, from: string): string[] {
  const inside = room.endsWith('.ts') ? room : `${room}/**`;
  const [top] = room.split('/');
  if (!from.startsWith(top!)) return [`!**/${inside}`];
  const patterns = [`!**/../${inside.slice(top!.length + 1)}`];
  const outer = from.slice(0, from.lastIndexOf('/'));
  if (outer !== top && isIn(room, outer)) patterns.push(`!**/../${inside.slice(outer.length + 1)}`);
  return patterns;
}

/** Returns the override that lets some files import these patterns, and no other file of a room. */
function importing(files: string, room: string, allowed: readonly string[]) {
  const group = ['**/../**', ...allowed, ...outside(room), '**/[!.]*/../**'];
  const restricted = { patterns: [{ group }], ...(room in PURE && { paths: RANDOM }) };
  return { files: [files], rules: { 'no-restricted-imports': ['error', restricted] } };
}

/** Returns the overrides for one line: those of a room in another one come after it. */
function overridesOf(line: string) {
  const [top, ...words] = line.trim().split(/\s+/);
  const ranks = words
    .join(' ')
    .split(' < ')
    .map((rank) => rank.split(' ').map((name) => pathOf(top!, name)));
  return ranks
    .flatMap((rank, at) => rank.map((room) => ({ room, left: ranks.slice(0, at).flat() })))
    .filter(({ room }) => room.startsWith(top!) && !room.endsWith('.ts'))
    .sort((a, b) => (a.room < b.room ? -1 : 1))
    .flatMap(({ room, left }) => {
      const others = left.flatMap((other) => patternsOf(other, room));
      const whole = importing(`${room}/**`, room, others);
      if (room === top) return [whole];
      // A folder in a room may import the room's own files.
      const own = ['!../*.ts', '!../[!.]*/**'];
      return [whole, importing(`${room}/*/**`, room, [...others, ...own])];
    });
}

/** Returns the path of a room by its name in a line; the name `.` is what is in no other room. */
function pathOf(top: string, name: string): string {
  if (name === '.') return top;
  return name.startsWith('src/') ? name : `${top}/${name}`;
}

const lines = order!.split(/^(?=\S)/m);

export default {
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'node', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['dist/**', 'dist.*/**', '.astro/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
    'no-console': 'error',
    'no-control-regex': 'off',
    'no-param-reassign': 'error',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-var': 'error',
    'oxc/no-map-spread': 'off',
    'prefer-const': 'error',
    'promise/no-callback-in-promise': 'off',
    eqeqeq: ['error', 'smart'],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-for-each': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/throw-new-error': 'error',
  },
  overrides: [
    importing('src/**', 'src', []),
    ...lines.flatMap(overridesOf),
    importing('sidecar/hub/outbound/**', 'sidecar/hub/outbound', []),
    {
      files: Object.keys(PURE).map((room) => `${room}/**`),
      rules: {
        'no-restricted-globals': ['error', ...IMPURE_GLOBALS, ...TIMERS],
        'no-restricted-properties': ['error', ...IMPURE_PROPERTIES],
      },
    },
    { files: ['src/developers/*/*.mjs'], rules: { 'no-console': 'off' } },
    {
      files: ['src/developers/SyncGuide.astro', 'src/developers/WebSubGuide.astro'],
      rules: { 'import/default': 'off' },
    },
    { files: ['tests/**'], rules: { 'no-console': 'off', 'no-restricted-imports': 'off' } },
  ],
};

import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { jsonLogger } from '../../../sidecar/base/log.ts';
import { CurrentEdition } from '../../../sidecar/edition/current-edition.ts';
import { FolderSource } from '../../../sidecar/edition/source.ts';
import { editionFolder } from '../../support/edition-folder.ts';
import { Random } from '../../support/random.ts';
import { startSidecar } from '../../support/sidecar-process.ts';
import { listenOnFreePort, sampleApp } from '../../support/targets.ts';
import { inconsistencies, searchDigest, some } from '../consistency.ts';
import { atLeast, none, type Family, type Row, type Scale } from '../family.ts';

/** `opened`: editions opened again in one process; `restarts`: of the whole program. */
const SCALES: Record<Scale, { opened: number; running: number; restarts: number }> = {
  short: { opened: 20, running: 30, restarts: 2 },
  long: { opened: 1500, running: 3000, restarts: 80 },
};
const SEED = 12;
/** Enough that a damaged file is read soon, few enough to be quick. */
const READ = 12;

/** Bits flip and files are cut or gone, anywhere in DATA_DIR: before a start and while it runs. */
export const diskDamage: Family = { name: 'disk damage', isLong: true, run };

async function run(scale: Scale): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const context = { after: (end: () => Promise<void>) => cleanup.defer(end) };
  const { source, dataDir } = await editionFolder(context);
  const { opened, running, restarts } = SCALES[scale];
  const random = new Random(SEED);
  const wrong = [
    ...(await damageEditions(source, dataDir, opened, random)),
    ...(await damageWhileRunning(source, dataDir, running, random)),
    ...(await damageAll(source, dataDir, restarts, random)),
  ];
  return [
    atLeast('damages', opened + running + restarts, 50),
    none('wrong responses, and starts that failed', wrong),
  ];
}

/** Damages a saved edition, opens it, and reads all that was damaged. */
function damageEditions(
  source: string,
  dataDir: string,
  rounds: number,
  random: Random,
): Promise<string[]> {
  return serving(source, dataDir, async (url, reopen) => {
    const wrong: string[] = [];
    const search = await searchDigest(url);
    for (let round = 0; round < rounds; round++) {
      const damage = await damageOne(join(dataDir, 'editions'), random);
      await reopen();
      const found = await inconsistencies(url, (resources) => [
        ...resources.filter(({ file }) => damage.includes(file)),
        ...some(random, 2)(resources),
      ]);
      if ((await searchDigest(url)) !== search) found.push('the search');
      wrong.push(...found.map((what) => `${what} after ${damage}`));
    }
    return wrong;
  });
}

/** Damages files of the edition that is served. */
function damageWhileRunning(
  source: string,
  dataDir: string,
  rounds: number,
  random: Random,
): Promise<string[]> {
  return serving(source, dataDir, async (url) => {
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const damage = await damageOne(join(dataDir, 'editions'), random);
      const found = await inconsistencies(url, (resources) =>
        resources.filter(({ file }) => damage.includes(file)),
      );
      wrong.push(...found.map((what) => `${what} while running, after ${damage}`));
    }
    return wrong;
  });
}

/** Serves a saved edition during an attack, which can open it again as a start does. */
async function serving(
  source: string,
  dataDir: string,
  attack: (url: string, reopen: () => Promise<void>) => Promise<string[]>,
): Promise<string[]> {
  const options = { source: new FolderSource(source), dataDir, logger: QUIET };
  let current = await CurrentEdition.open(options);
  const server = await listenOnFreePort(await sampleApp({ edition: () => current.get() }));
  try {
    return await attack(server.url, async () => {
      current = await CurrentEdition.open(options);
    });
  } finally {
    await server.close();
  }
}

/** Damages anything in DATA_DIR, and starts the program. */
async function damageAll(
  source: string,
  dataDir: string,
  rounds: number,
  random: Random,
): Promise<string[]> {
  const wrong: string[] = [];
  const good = `${dataDir}.good`;
  const env = { EDITION: source, DATA_DIR: dataDir, RATE_LIMIT: '0' };
  const first = await startSidecar(env);
  const search = await searchDigest(first.url);
  first.child.kill('SIGTERM');
  await first.exited;
  await cp(dataDir, good, { recursive: true });
  for (let round = 0; round < rounds; round++) {
    await rm(dataDir, { recursive: true });
    await cp(good, dataDir, { recursive: true });
    const damage = await damageOne(dataDir, random);
    try {
      const { url, child, exited } = await startSidecar(env);
      const found = await inconsistencies(url, some(random, READ));
      if ((await searchDigest(url)) !== search) found.push('the search');
      wrong.push(...found.map((what) => `${what} after a start with ${damage}`));
      child.kill('SIGKILL');
      await exited;
    } catch (error) {
      wrong.push(`no start with ${damage}: ${(error as Error).message}`);
    }
  }
  return wrong;
}

/** Names what every start reads: one file in hundreds, so it is chosen more often. */
const VITAL = /(\.search-index|current\.json|edition\.json|reviews\.json|insights-digest\.json)$/;

const QUIET = jsonLogger('error', () => {});

/** Damages one file in a folder; returns how, and which. */
async function damageOne(folder: string, random: Random): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const vital = files.filter((path) => VITAL.test(path));
  const path = random.pick(random.below(3) === 0 ? vital : files);
  const name = relative(folder, path);
  const { size } = await stat(path);
  const at = random.below(Math.max(1, size));
  switch (random.below(6)) {
    case 0:
      await rm(path);
      return `${name} gone`;
    case 1:
      await truncate(path, at);
      return `${name} cut to ${at} bytes`;
    default:
      await flipBit(path, at, random.below(8));
      return `${name} with a bit of byte ${at} flipped`;
  }
}

/** In place: the size stays. */
async function flipBit(path: string, position: number, bit: number): Promise<void> {
  await using handle = await open(path, 'r+');
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, position);
  buffer[0]! ^= 1 << bit;
  await handle.write(buffer, 0, 1, position);
}

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonLogger } from '../../../sidecar/base/log.ts';
import { CurrentEdition } from '../../../sidecar/edition/current-edition.ts';
import { OriginSource } from '../../../sidecar/edition/origin-source.ts';
import { MANIFEST_FILE } from '../../../src/edition/manifest.ts';
import { announceText, changeManifest, editionFolder } from '../../support/edition-folder.ts';
import { Origin } from '../../support/origin.ts';
import { Random } from '../../support/random.ts';
import { listenOnFreePort, sampleApp } from '../../support/targets.ts';
import { inconsistencies, searchDigest, some } from '../consistency.ts';
import { atLeast, atMost, none, type Family, type Row, type Scale } from '../family.ts';
import {
  fileLies,
  MANIFEST_LIES,
  MANIFEST_TEXTS,
  randomLie,
  SLOW_LIES,
  type FileLie,
} from '../lies.ts';

const RANDOM_LIES: Record<Scale, number> = { short: 20, long: 1000 };
const SEED = 12;
const MAX_BYTES = 100_000_000;
const MEGABYTE = 2 ** 20;
/** A manifest is read as a whole; no file of an edition may be. */
const MEMORY_MB = 500;

/** An origin that lies in edition.json, in its files and in HTTP. */
export const lyingOrigin: Family = { name: 'lying origin', run };

async function run(scale: Scale): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const context = { after: (end: () => Promise<void>) => cleanup.defer(end) };
  const { source, dataDir } = await editionFolder(context);
  const origin = await Origin.start(context, source);
  const elsewhere = await Origin.start(context, source);
  const errors: string[] = [];
  const current = await CurrentEdition.open({
    source: new OriginSource(origin.url),
    dataDir: join(dataDir, 'inner'),
    logger: jsonLogger('warn', (line) => isOurs(line) && errors.push(line)),
    maxBytes: MAX_BYTES,
  });
  const server = await listenOnFreePort(await sampleApp({ edition: () => current.get() }));
  cleanup.defer(() => server.close());

  const attack = new Attack(source, origin, current, server.url);
  const searches = await searchDigest(server.url);
  const before = process.resourceUsage().maxRSS;
  const slow = scale === 'long' ? SLOW_LIES : [];
  await attack.lieInFiles([...fileLies(elsewhere.url), ...slow]);
  await attack.lieInManifests(RANDOM_LIES[scale]);
  const memory = ((process.resourceUsage().maxRSS - before) * 1024) / MEGABYTE;
  const believesTruth = await attack.tellTruth();
  const { told, believed, wrong } = attack;
  return [
    atLeast('lies told', told, 50),
    none('lies believed', believed),
    none('responses unlike edition.json', wrong),
    none('requests to other hosts', elsewhere.requests),
    none('files written outside DATA_DIR', await namesBeside(dataDir)),
    none('files that are no editions', await foreignNames(join(dataDir, 'inner'))),
    none('errors of the program itself', errors),
    atMost('memory taken', memory, MEMORY_MB, 'MB'),
    none('truths not believed afterwards', believesTruth ? [] : ['the last']),
    none('wrong afterwards', await inconsistencies(server.url, (all) => all)),
    none('searches that differ', (await searchDigest(server.url)) === searches ? [] : ['all']),
  ];
}

/** An error that says what is wrong with the edition is of a known class, or a full disk. */
function isOurs(line: string): boolean {
  return !/UnusableEditionError|DATA_DIR .* is full/.test(line);
}

/** Names that the lies use for files outside DATA_DIR. */
async function namesBeside(dataDir: string): Promise<string[]> {
  const places = [dirname(dataDir), dataDir, '/tmp'];
  const names = await Promise.all(places.map((folder) => readdir(folder)));
  return names.flat().filter((name) => name.includes('escaped'));
}

async function foreignNames(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'editions'));
  return names.filter((name) => !/^([\w-]{22}(\.staging)?|current\.json)$/.test(name));
}

class Attack {
  readonly #source: string;
  readonly #origin: Origin;
  readonly #current: CurrentEdition;
  readonly #url: string;
  readonly #random = new Random(SEED);
  told = 0;
  readonly believed: string[] = [];
  readonly wrong: string[] = [];

  constructor(source: string, origin: Origin, current: CurrentEdition, url: string) {
    this.#source = source;
    this.#origin = origin;
    this.#current = current;
    this.#url = url;
  }

  /** Announces a new file and lies about it. */
  async lieInFiles(lies: readonly FileLie[]): Promise<void> {
    const text = 'User-agent: a\nDisallow: /\n';
    for (const { name, answer } of lies) {
      await this.#lie(name, async () => {
        await announceText(this.#source, 'robots.txt', text);
        this.#origin.instead.set('/robots.txt', (request, response) =>
          answer(request, response, Buffer.from(text)),
        );
      });
      this.#origin.instead.clear();
    }
  }

  async lieInManifests(randomLies: number): Promise<void> {
    for (const { name, change } of MANIFEST_LIES) {
      await this.#lie(name, () => changeManifest(this.#source, change));
    }
    const file = join(this.#source, MANIFEST_FILE);
    for (const [name, text] of Object.entries(MANIFEST_TEXTS)) {
      await this.#lie(name, () => writeFile(file, text()));
    }
    for (let lie = 0; lie < randomLies; lie++) {
      const { name, change } = randomLie(this.#random);
      // What is odd and still a good manifest may be served, as what it says.
      await this.#lie(name, () => changeManifest(this.#source, change), 'perhaps good');
    }
  }

  async tellTruth(): Promise<boolean> {
    await changeManifest(
      this.#source,
      (manifest) => (manifest.updated_at = '2027-01-01T00:00:00Z'),
    );
    return (await this.#current.refresh()) === 'adopted';
  }

  /** Lies, has the sidecar look, reads what it serves then, and takes the lie back. */
  async #lie(name: string, tell: () => Promise<void>, good?: 'perhaps good'): Promise<void> {
    const file = join(this.#source, MANIFEST_FILE);
    const honest = await readFile(file);
    this.told++;
    await tell();
    const outcome = await this.#current.refresh();
    if (outcome !== 'failed' && !good) this.believed.push(name);
    const wrong = await inconsistencies(this.#url, some(this.#random, 3));
    this.wrong.push(...wrong.map((each) => `${each} after ${name}`));
    await writeFile(file, honest);
    if (outcome === 'adopted') await this.#current.refresh();
  }
}

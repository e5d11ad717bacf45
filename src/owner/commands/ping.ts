import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pingHub } from '../../build/ping-hub.ts';
import { hubUrl, siteUrl } from '../../build/settings.ts';
import { placeOf, readBytes, readIfThere } from '../../build/site-files.ts';
import { MANIFEST_FILE } from '../../edition/manifest.ts';
import { SIGNATURE_FILE } from '../../edition/signature.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';

const USAGE = `usage: npm run reviews -- ping [<edition folder> [--wait <seconds>]]
Tells the hub that the topics changed. With a folder it also waits (300) until the sidecar at
SIDECAR_ORIGIN, by default SITE_URL, serves that edition, and fails if it does not.`;

const RETRIES = 3;
const POLL_MS = 2_000;

/** Tells the hub that the topics changed, and waits until the sidecar serves an edition. */
export const ping: Command = async (args, print) => {
  const { values, positionals } = parseOptions(
    args,
    { allowPositionals: true, options: { wait: { type: 'string', default: '300' } } },
    USAGE,
  );
  const [folder, ...others] = positionals;
  if (others.length > 0 || !/^\d{1,5}$/.test(values.wait)) throw new UsageError(USAGE);
  const site = siteUrl(process.env);
  const hub = hubUrl(process.env, site);
  await pingHub(hub, site, RETRIES);
  print(`notified ${hub}`);
  if (!folder) return;
  const sidecar = process.env.SIDECAR_ORIGIN || site;
  print(`${sidecar} serves ${await waitUntilServed(folder, sidecar, Number(values.wait))}`);
};

/**
 * Waits until a sidecar serves the edition of a folder: one that refuses it, say because its number
 * is too low, goes on serving another, and nobody else notices.
 *
 * @returns words for the edition
 * @throws with what is served instead
 */
export async function waitUntilServed(
  folder: string,
  sidecar: string,
  seconds: number,
): Promise<string> {
  const isSigned = existsSync(join(folder, SIGNATURE_FILE));
  const file = isSigned ? SIGNATURE_FILE : MANIFEST_FILE;
  const expected = await readBytes(join(folder, file));
  const end = Date.now() + seconds * 1000;
  for (;;) {
    let served = 'nothing';
    try {
      const bytes = await readIfThere(placeOf(sidecar, file));
      if (bytes?.equals(expected)) return nameOf(expected);
      if (bytes) served = nameOf(bytes);
    } catch (error) {
      served = `nothing (${(error as Error).message})`;
    }
    if (Date.now() >= end) {
      throw new Error(
        `${sidecar} serves ${served} after ${seconds} s, not ${nameOf(expected)}: its log says why`,
      );
    }
    await delay(POLL_MS);
  }
}

function nameOf(bytes: Buffer): string {
  try {
    const { sequence, edition } = JSON.parse(bytes.toString()) as Record<string, unknown>;
    return sequence === undefined ? `edition ${edition}` : `edition number ${sequence}`;
  } catch {
    return 'something that is no edition';
  }
}

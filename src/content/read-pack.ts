import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tradePack, type PackName, type TradePack } from '../schema/trade.ts';

const PACKS_FOLDER = join(import.meta.dirname, 'packs');

/** Reads a trade pack, which is data of the program. */
export async function readPack(name: PackName): Promise<TradePack> {
  const json = await readFile(join(PACKS_FOLDER, `${name}.json`), 'utf8');
  return tradePack.parse(JSON.parse(json));
}

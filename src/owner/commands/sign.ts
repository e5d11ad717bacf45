import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSigning, writeSignature } from '../../build/signing.ts';
import { EDITION_KEY_PATH } from '../../paths.ts';
import { UsageError, type Command } from '../../run-command.ts';

const USAGE = 'usage: npm run reviews -- sign <edition folder>, with SIGNING_KEY';

/** Signs a built edition on the machine that has the key; another machine may have built it. */
export const sign: Command = async ([folder], print) => {
  if (!folder) throw new UsageError(USAGE);
  const signing = await readSigning(process.env, folder);
  if (!signing) throw new UsageError(USAGE);
  if (!existsSync(join(folder, EDITION_KEY_PATH))) {
    throw new UsageError(`${folder} has no public key: build it with EDITION_PUBLIC_KEY`);
  }
  await writeSignature(folder, signing, Date.now(), print);
};

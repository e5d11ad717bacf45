import assert from 'node:assert/strict';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDiskFull, nameDataDir } from '../../sidecar/base/data-dir.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { startSidecar } from '../support/sidecar-process.ts';

test('DATA_DIR is closed to other users and other processes, until its process is killed', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  await mkdir(dataDir, { mode: 0o755 });
  await chmod(dataDir, 0o755);
  const env = { EDITION: source, DATA_DIR: dataDir };
  const first = await startSidecar(env, context);
  await eventually(async () => (await fetch(new URL('/readyz', first.url))).status === 200);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'hub-key'))).mode & 0o777, 0o600);
  await assert.rejects(startSidecar(env), {
    message: `exit 1: DATA_DIR ${dataDir} is in use by another process\n`,
  });
  assert.equal((await fetch(new URL('/healthz', first.url))).status, 200);
  first.child.kill('SIGKILL');
  await first.exited;
  await startSidecar(env, context);
});

test('an error of a full disk names DATA_DIR, others stay as they are', () => {
  for (const error of [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    Object.assign(new Error('EDQUOT: disk quota exceeded'), { code: 'EDQUOT' }),
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE', errcode: 13 }),
  ]) {
    assert.ok(isDiskFull(error));
    const named = nameDataDir(error, '/data') as Error;
    assert.equal(named.message, `DATA_DIR /data is full: ${error.message}`);
  }
  const other = new Error('EACCES');
  assert.equal(nameDataDir(other, '/data'), other);
});

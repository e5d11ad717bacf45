import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDiskFull, nameDataDir } from '../../sidecar/base/data-dir.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { startSidecar } from '../support/sidecar-process.ts';

test('a second process on one DATA_DIR says so and ends, whatever ended the first', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  const env = { EDITION: source, DATA_DIR: dataDir };
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const first = await startSidecar(env);
    await assert.rejects(startSidecar(env), {
      message: `exit 1: DATA_DIR ${dataDir} is in use by another process\n`,
    });
    assert.equal((await fetch(new URL('/healthz', first.url))).status, 200);
    first.child.kill(signal);
    await first.exited;
  }
});

test('DATA_DIR and the store in it are closed to other users, also those of before', async (context) => {
  const { source, dataDir } = await editionFolder(context);
  await mkdir(dataDir, { mode: 0o755 });
  await chmod(dataDir, 0o755);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const env = { EDITION: source, DATA_DIR: dataDir };
  for (const start of ['first', 'second']) {
    const { child, exited, url } = await startSidecar(env);
    await eventually(async () => (await fetch(new URL('/readyz', url))).status === 200);
    assert.equal(await modeOf(dataDir), 0o700, start);
    for (const name of ['hub.sqlite', 'hub.sqlite-wal', 'hub.sqlite-shm', 'hub-key']) {
      assert.equal(await modeOf(join(dataDir, name)), 0o600, `${start} ${name}`);
    }
    child.kill('SIGKILL'); // leaves -wal and -shm
    await exited;
    for (const name of await readdir(dataDir)) {
      if (name.startsWith('hub.sqlite')) await chmod(join(dataDir, name), 0o644);
    }
  }
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

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright';

const run = promisify(execFile);
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Launches a headless Chromium that makes no requests of its own. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium();
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', // root, as in containers, has no user namespace of its own
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/**
 * Returns CHROMIUM, Debian's or Playwright's Chromium; otherwise installs one, with apt or
 * Playwright.
 */
async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named) return named;
  if (existsSync(DEBIAN_CHROMIUM)) return DEBIAN_CHROMIUM;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
    return DEBIAN_CHROMIUM;
  }
  await run('npx', ['playwright', 'install', 'chromium']);
  return chromium.executablePath();
}

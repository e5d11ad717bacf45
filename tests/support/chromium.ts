import { existsSync } from 'node:fs';
import { chromium, type Browser, type LaunchOptions } from 'playwright';
import { run } from './run.ts';

/** Without the windows of a desktop, which nobody sees: a page takes a quarter of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Launches a headless Chromium that makes no requests of its own. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(await findChromium()),
    args: [
      '--no-sandbox', // root, as in containers, has no user namespace of its own
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-features=WebMCP',
    ],
  });
}

/**
 * Returns the path of CHROMIUM or of Debian's Chromium, or nothing, which stands for Playwright's. If
 * there is none, one is installed, with apt or Playwright.
 */
async function findChromium(): Promise<Pick<LaunchOptions, 'executablePath'>> {
  const named = process.env.CHROMIUM;
  if (named) return { executablePath: named };
  const installed = [HEADLESS_SHELL, DEBIAN_CHROMIUM].find((path) => existsSync(path));
  if (installed) return { executablePath: installed };
  if (existsSync(chromium.executablePath())) return {};
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']);
    return { executablePath: HEADLESS_SHELL };
  }
  await run('npx', ['playwright', 'install', '--only-shell', 'chromium']);
  return {};
}

import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright';
import { launchChromium } from '../../support/chromium.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { median } from '../statistics.ts';

const REVIEWS = 1_000;
const LOADS = 9;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
/** As Lighthouse emulates a phone: 150 ms and 1.6 Mbit/s; its processor is four times slower. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SLOWER = 4;

/** Measures when the largest part of the home page is painted on a slow phone. */
export async function firstPaint({ editions, folder }: Tools): Promise<Row[]> {
  const { client } = await editions.of(REVIEWS);
  const server = await ServerProcess.sidecar(client, join(folder, 'first-paint'));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage(PHONE);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const designed: number[] = [];
    const plain: number[] = [];
    for (let load = 0; load <= LOADS; load++) {
      const times = {
        designed: await paintMs(page, devTools, server.port, []),
        plain: await paintMs(page, devTools, server.port, ['*.css', '*.js', '*.woff2']),
      };
      if (load === 0) continue; // compiles the scripts
      designed.push(times.designed);
      plain.push(times.plain);
    }
    return [
      {
        work: 'home page on a slow phone, largest part painted',
        against: 'its HTML alone',
        ratio: median(designed) / median(plain),
        goal: { is: 'most', value: 2 },
        note: `${median(designed).toFixed(0)} ms : ${median(plain).toFixed(0)} ms`,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function paintMs(page: Page, devTools: CDPSession, port: number, blocked: string[]) {
  await devTools.send('Network.setBlockedURLs', { urls: blocked });
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle' });
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) =>
          resolve(list.getEntries().at(-1)!.startTime),
        );
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import { hubUrl, pingHub } from '../../build/ping-hub.ts';
import { siteUrl } from '../../build/site-url.ts';
import { pingPersistently } from './persist.ts';

try {
  const site = siteUrl(process.env);
  const hub = hubUrl(process.env, site);
  await pingPersistently(
    () => pingHub(hub, site),
    (seconds) => delay(seconds * 1000),
    (line) => process.stderr.write(`${line}\n`),
  );
  process.stdout.write(`told ${hub}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

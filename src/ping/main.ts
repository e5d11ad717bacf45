import { hubUrl, pingHub } from '../integrations/ping-hub.ts';
import { siteUrl } from '../integrations/site-url.ts';

try {
  const site = siteUrl(process.env);
  const hub = hubUrl(process.env, site);
  await pingHub(hub, site);
  process.stdout.write(`told ${hub}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

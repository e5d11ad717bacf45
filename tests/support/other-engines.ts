import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** One window of a browser that is not Chromium. */
export interface Engine extends AsyncDisposable {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** Runs a function in the page; arguments and result are JSON, and promises are awaited. */
  evaluate<T, A extends unknown[]>(run: (...given: A) => T | Promise<T>, ...given: A): Promise<T>;
}

const FIREFOX = '/usr/bin/firefox-esr';
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

const CLOSING_MS = 5_000;

/** Debian's browsers, by engine; undefined are those that are not installed. */
export const OTHER_ENGINES: Readonly<Record<string, (() => Promise<Engine>) | undefined>> = {
  Firefox: existsSync(FIREFOX) ? openFirefox : undefined,
  WebKit: [WEBKIT_DRIVER, MINI_BROWSER, '/usr/bin/Xvfb'].every((path) => existsSync(path))
    ? openWebKit
    : undefined,
};

/** No request of Firefox itself leaves the machine: its proxy is the discard port. */
const FIREFOX_SETTINGS = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

/** Drives Firefox by WebDriver BiDi. */
async function openFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'reviews-firefox-'));
  const settings = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(profile, 'user.js'), settings.join(''));
  const port = await freePort();
  const firefox = spawn(
    FIREFOX,
    ['--headless', '--profile', profile, '--remote-debugging-port', String(port)],
    { stdio: 'ignore' },
  );
  let socket!: WebSocket;
  await eventually(async () => {
    socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
    return new Promise((resolve) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => resolve(false));
    });
  });
  let asked = 0;
  const send = async <T>(method: string, params: object): Promise<T> => {
    const id = ++asked;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      const hear = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id?: number; result: T; message?: string };
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        if (answer.message) reject(new Error(`${method}: ${answer.message}`));
        else resolve(answer.result);
      };
      socket.addEventListener('message', hear);
    });
  };
  await send('session.new', { capabilities: {} });
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    evaluate: async (run, ...given) => {
      const { result, exceptionDetails } = await send<{
        result: { value: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', {
        expression: asJson(run, given),
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await end(firefox);
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Drives WebKitGTK by WebDriver, on a display that nobody sees. */
async function openWebKit(): Promise<Engine> {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(display.stdio[3]!, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}` },
  });
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: T & { message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  let session!: string;
  await eventually(async () => {
    const options = { binary: MINI_BROWSER, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const answer = await send<{ sessionId: string }>('POST', '', { capabilities }).catch(
      (error: Error) => {
        if (error.message === 'fetch failed') return; // the driver does not listen yet
        throw error;
      },
    );
    session = `/${answer?.sessionId}`;
    return answer !== undefined;
  });
  return {
    open: (url) => send('POST', `${session}/url`, { url }),
    evaluate: async (run, ...given) => {
      const failed = '(error) => arguments[0]({ failure: String(error) })';
      const json = await send<string | { failure: string }>('POST', `${session}/execute/async`, {
        script: `${asJson(run, given)}.then(arguments[0], ${failed})`,
        args: [],
      });
      if (typeof json !== 'string') throw new Error(json.failure);
      return JSON.parse(json);
    },
    [Symbol.asyncDispose]: async () => {
      // It waits for a script that never ends.
      await Promise.race([
        send('DELETE', session).catch(() => {}),
        delay(CLOSING_MS, undefined, { ref: false }),
      ]);
      await end(driver);
      await end(display);
    },
  };
}

/** Returns code whose value is a promise of the result as JSON. */
function asJson(run: (...given: never[]) => unknown, given: readonly unknown[]): string {
  return `Promise.resolve((${run})(...${JSON.stringify(given)})).then((value) => JSON.stringify(value ?? null))`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { METHOD_CHECK_PATH, SEARCH_PAGE_PATH } from '../../src/paths.ts';
import { sampleEdition } from '../support/edition.ts';
import { eventually } from '../support/eventually.ts';
import { filesOnlyEdition } from '../support/files-only.ts';
import { OTHER_ENGINES, type Engine } from '../support/other-engines.ts';
import { pageOfEachTemplate } from '../support/pages.ts';
import { serve } from '../support/serve.ts';
import { SLOW } from '../support/slow.ts';
import { appOf } from '../support/targets.ts';

// What the tests in Chromium check in depth holds in the engines of Firefox and Safari too.

/** Collects in a page what goes wrong in it. */
const COLLECTOR = `globalThis.wrong = [];
addEventListener('error', ({ message, target }) => wrong.push(message ?? target.src ?? target.href), true);
addEventListener('unhandledrejection', ({ reason }) => wrong.push(String(reason)));
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => wrong.push(violatedDirective + ' ' + blockedURI));`;

type Answers = (path: string) => Promise<Response>;

/** Serves a site whose pages collect what goes wrong. */
function serveCollecting(context: Parameters<typeof serve>[0], answers: Answers): Promise<string> {
  return serve(context, async (request, response) => {
    if (request.url === '/collector.js') {
      response.setHeader('content-type', 'text/javascript').end(COLLECTOR);
      return;
    }
    const answer = await answers(request.url!);
    response.statusCode = answer.status;
    answer.headers.forEach((value, name) => response.setHeader(name, value));
    response.removeHeader('content-length');
    const isPage = answer.headers.get('content-type')?.startsWith('text/html');
    const body = Buffer.from(await answer.arrayBuffer());
    response.end(
      isPage
        ? body
            .toString()
            .replace('<meta charset', '<script src="/collector.js"></script><meta charset')
        : body,
    );
  });
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** Answers as a server of files does. */
function filesOf(folder: string): Answers {
  return async (path) => {
    const { pathname } = new URL(path, 'http://localhost');
    const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const type = TYPES[file.split('.').at(-1)!] ?? 'application/octet-stream';
    const headers = { 'content-type': type };
    return readFile(join(folder, file)).then(
      (bytes) => new Response(new Uint8Array(bytes), { headers }),
      () => new Response('not found', { status: 404 }),
    );
  };
}

/** Returns the heading of what is found: by the page's address, or by words that the form is sent with. */
function found(words?: string): Promise<string> {
  const form = document.querySelector<HTMLFormElement>('form.search')!;
  if (words !== undefined) {
    form.querySelector<HTMLInputElement>('#query')!.value = words;
    form.requestSubmit();
  }
  return new Promise((resolve) => {
    const look = () => {
      // Until the answer is there, the marks are those of the words before.
      const marks = [...document.querySelectorAll('#results mark')];
      const isThere = ({ textContent }: Element) =>
        textContent.toLowerCase().startsWith((words ?? '').slice(0, 5));
      if (marks.some(isThere)) resolve(document.querySelector('#results-title')!.textContent);
      else setTimeout(look, 20);
    };
    look();
  });
}

const wrongIn = (engine: Engine): Promise<string[]> =>
  engine.evaluate(() => (globalThis as unknown as { wrong: string[] }).wrong);

for (const [name, open] of Object.entries(OTHER_ENGINES)) {
  const skip = open ? false : 'it is not installed';
  describe(`in ${name}`, { skip, ...SLOW }, () => {
    let engine: Engine;
    let client: string;
    let site: string;
    const ends: (() => unknown)[] = [];
    /** A test that is given up runs no hooks of its own. */
    const suite = { after: (end: () => unknown) => void ends.push(end) };
    before(async () => {
      engine = await open!();
      client = await sampleEdition();
      const app = await appOf(client);
      site = await serveCollecting(suite, async (path) => app.request(path));
    });
    after(async () => {
      for (const end of ends) await end();
      await engine[Symbol.asyncDispose]();
    });

    test('every kind of page is sound', async () => {
      const pages = await pageOfEachTemplate(client);
      for (const path of [...pages.map(({ path }) => path), '/search/?query=water']) {
        await engine.open(site + path);
        const { sideways, lists } = await engine.evaluate(() => ({
          sideways: document.documentElement.scrollWidth - innerWidth,
          lists: [...document.querySelectorAll('ul, ol')]
            .filter((list) => getComputedStyle(list).listStyleType === 'none')
            .filter((list) => !list.closest('nav') && list.getAttribute('role') !== 'list')
            .map(({ outerHTML }) => outerHTML.slice(0, 100)),
        }));
        assert.ok(sideways <= 0, `${path} scrolls sideways`);
        assert.deepEqual(lists, [], `${path} has lists that WebKit does not call lists`);
        assert.deepEqual(await wrongIn(engine), [], path);
      }
    });

    test('a search with a sidecar works', async () => {
      await engine.open(site + SEARCH_PAGE_PATH);
      assert.match(await engine.evaluate(found, 'water heater'), /^\d+ reviews$/);
      await engine.evaluate(() => {
        location.hash = '#main';
      });
      assert.match(await engine.evaluate(found, 'boiler'), /^\d+ reviews?$/);
      assert.deepEqual(await wrongIn(engine), []);
      // WebKit shows the default again after Back, in a page that it kept.
      const shown = () =>
        document.querySelector<HTMLInputElement>('form.search #query')!.defaultValue;
      assert.equal(await engine.evaluate(shown), 'boiler');
    });

    test('a search without a sidecar works', async () => {
      const files = await serveCollecting(suite, filesOf((await filesOnlyEdition()).client));
      await engine.open(`${files}${SEARCH_PAGE_PATH}?query=water+heater&rating=5`);
      // The form has the rating of the address once the page has searched by it.
      assert.match(await engine.evaluate(found), /^\d+ reviews$/);
      assert.match(await engine.evaluate(found, 'boiler'), /^\d+ reviews?$/);
      assert.match(await engine.evaluate(() => location.search), /rating=5/);
      assert.deepEqual(await wrongIn(engine), []);
    });

    test('the page that recomputes everything finds all equal', async () => {
      await engine.open(site + METHOD_CHECK_PATH);
      let said = '';
      await eventually(async () => {
        said = await engine.evaluate(() => {
          // Before the page begins, there is neither progress nor a status, nor a collector.
          const status = document.querySelector('#status')?.textContent ?? '';
          const isOver = document.querySelector<HTMLElement>('#progress')?.hidden;
          const { wrong } = globalThis as unknown as { wrong?: string[] };
          return wrong?.[0] ?? (isOver ? status : '');
        });
        return said !== '';
      });
      assert.match(said, /all equal\.$/);
      assert.deepEqual(await wrongIn(engine), []);
    });

    test('embeds work on a page of another site', async () => {
      const foreign = await serveCollecting(suite, async () => foreignPage(site));
      await engine.open(foreign);
      const { text, frame, globals } = await engine.evaluate(
        () =>
          new Promise<{ text: string; frame: number; globals: unknown }>((resolve) => {
            const look = () => {
              const card = document
                .querySelector('reviews-of')!
                .shadowRoot?.querySelector('section');
              const { card: own } = globalThis as unknown as { card: unknown };
              if (card) resolve({ text: card.textContent, frame: frames.length, globals: own });
              else setTimeout(look, 20);
            };
            look();
          }),
      );
      assert.match(text, /of 5, from 355 reviews/);
      assert.equal(frame, 1);
      assert.equal(globals, 'mine');
      assert.deepEqual(await wrongIn(engine), []);
    });
  });
}

/** A page of another site, which lost the `type` of the script, as tag managers do. */
function foreignPage(site: string): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Foreign</title><link rel="icon" href="data:,"></head>
<body><script>globalThis.card = 'mine';</script><script src="${site}/embed.js"></script><script src="${site}/embed.js"></script>
<reviews-of src="${site}"></reviews-of><iframe src="${site}/embed/" title="Reviews"></iframe></body></html>`;
  const policy = `default-src 'none'; img-src data:; frame-src ${site}; connect-src ${site}; script-src 'self' 'unsafe-inline' ${site}`;
  return new Response(html, {
    headers: { 'content-type': 'text/html', 'content-security-policy': policy },
  });
}

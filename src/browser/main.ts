import { wordingOf } from '../messages/wording.ts';
import type { Message } from './worker/main.ts';

// The page that recomputes the insights: starts the worker and shows what it reports.

const { t } = wordingOf(document.documentElement.lang);
const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)!;
const status = find<HTMLElement>('#status');
const progress = find<HTMLProgressElement>('#progress');
const list = find<HTMLUListElement>('#differences');

status.textContent = t('check.reading');
progress.hidden = false;

/** Shows the end of the check; a screen reader says it. */
function finish(text: string): void {
  progress.hidden = true;
  status.textContent = text;
  document.title = text;
}

function show(message: Message): void {
  switch (message.kind) {
    case 'progress': {
      const { read, total } = message;
      progress.max = Math.max(total, 1);
      progress.value = read;
      return;
    }
    case 'failure':
      return finish(t('check.failed', { reason: message.reason }));
    case 'result': {
      const { issues, reviews, values } = message;
      if (issues.length === 0) return finish(t('check.equal', { values, reviews }));
      finish(t('check.differ', { values, reviews, count: issues.length }));
      for (const issue of issues) {
        const item = document.createElement('li');
        item.textContent = issue;
        list.append(item);
      }
    }
  }
}

const worker = new Worker(new URL('worker/main.ts', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data }: MessageEvent<Message>) => show(data));
worker.addEventListener('error', ({ message }) => {
  finish(t('check.failed', { reason: message || t('check.not_loaded') }));
});

// This page is two folders below the site.
const site = new URL('../..', location.href).href.replace(/\/$/, '');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one origin
worker.postMessage(site);

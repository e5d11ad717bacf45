// Searches in the browser, on a site without a sidecar: the program that data-worker names loads all
// reviews and renders the pages of searches. This script comes before the results of the page, which
// are those of no search: if the address asks for one, they stay hidden until it is answered, and
// the form is filled in. The reviews that the page carries come after it, in parts. A page that has this
// script in itself loads it once more, for hosts that forbid what is in pages.
if (!globalThis.searchHere) {
  const { worker, prefix } = document.currentScript.dataset;
  const form = document.querySelector('form.search');
  let program;

  /** Starts the program, whose `broken` rejects if it cannot be had. */
  function start() {
    const started = new Worker(worker, { type: 'module' });
    started.broken = new Promise((_, reject) => {
      started.addEventListener('error', () => reject(new Error('the program did not load')));
    });
    started.broken.catch(stop);
    return started;
  }

  /** The next search starts it anew. */
  function stop() {
    program?.terminate();
    program = undefined;
  }

  /** Returns the page of a search, and tells how many bytes of the reviews are loaded. */
  globalThis.searchHere = async (address, signal, tell) => {
    if (form.matches('.unanswered')) showCarried(address);
    const asked = (program ??= start());
    const id = performance.now();
    let hear;
    const answer = new Promise((resolve, reject) => {
      hear = ({ data }) => {
        if (data.loaded) tell(data.loaded);
        if (data.id !== id) return;
        if (data.failure) reject(new Error(data.failure));
        else resolve(data.html);
      };
    });
    asked.addEventListener('message', hear);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
    asked.postMessage({ id, query: new URL(address).search, prefix });
    try {
      return await Promise.race([answer, asked.broken]);
    } catch (error) {
      stop();
      throw error;
    } finally {
      asked.removeEventListener('message', hear);
    }
  };

  /** Title and text of a card, not its reply. */
  const WORDS = ':scope > h3:not(.unseen), :scope > div:not(.reply) .text';

  /** Returns words without accents and case, as they are compared. */
  const plain = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

  /** Shows what has arrived of the carried reviews for a search of words alone, until all are loaded. */
  const showCarried = (address) => {
    const parts = [...document.querySelectorAll('.carried:has(+ *)')];
    const asked = [...new URL(address).searchParams];
    const words = plain(asked.find(([name]) => name === 'query')?.[1] ?? '').match(
      /[\p{L}\p{N}]+/gu,
    );
    if (parts.length === 0 || !words || asked.some(([name]) => name !== 'query')) return;
    const { dataset } = parts.at(-1);
    const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u'));
    const cards = parts.flatMap(({ content }) => [...content.children]);
    const found = cards.filter((card) => {
      const text = plain(
        [...card.querySelectorAll(WORDS)].map((part) => part.textContent).join(' '),
      );
      return patterns.every((pattern) => pattern.test(text));
    });
    if (found.length === 0 && !document.querySelector('#results')) return;
    const section = document.createElement('section');
    section.id = 'soon';
    const count = document.createElement('h2');
    count.textContent = dataset.found.replace('{found}', found.length);
    section.append(count, ...found.slice(0, 20).map((card) => document.importNode(card, true)));
    document.querySelector('#soon')?.remove();
    document.querySelector('.state').after(section);
  };

  // Whoever goes to the form will search soon.
  form.addEventListener('focusin', () => (program ??= start()), { once: true });
  if (location.search !== '' && location.pathname === new URL(form.action).pathname) {
    form.classList.add('unanswered');
    for (const [name, value] of new URLSearchParams(location.search)) {
      const field =
        form.elements.namedItem(name) ??
        form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name }));
      field.value = value;
    }
    program = start();
    const arrival = new MutationObserver(() => {
      showCarried(location.href);
      arrival.takeRecords(); // of what was shown
    });
    arrival.observe(form.parentNode, { childList: true });
    addEventListener('DOMContentLoaded', () => arrival.disconnect());
  }
}

// Searches in the browser, on a site without a sidecar: the program that data-worker names loads all
// reviews and renders the pages of searches.
const { worker, loading, failed } = document.currentScript.dataset;
const program = new Worker(worker, { type: 'module' });
const progress = document.createElement('p');
progress.setAttribute('role', 'status');
progress.className = 'quiet';
document.querySelector('form.search').after(progress);

/** Returns the page of a search; rejects, and says so on the page, if it cannot be had. */
globalThis.searchHere = async (address) => {
  const id = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers();
  const fail = () => reject(new Error('the program did not load'));
  const answered = ({ data }) => {
    if (data.loaded) progress.textContent = `${loading}: ${(data.loaded / 1e6).toFixed(1)} MB`;
    if (data.id !== id) return;
    if (data.failure) reject(new Error(data.failure));
    else resolve(data.html);
  };
  program.addEventListener('error', fail);
  program.addEventListener('message', answered);
  progress.textContent = loading;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
  program.postMessage({ id, query: new URL(address).search });
  try {
    const html = await promise;
    progress.textContent = '';
    return html;
  } catch (error) {
    progress.textContent = failed.replace('{reason}', error.message);
    throw error;
  } finally {
    program.removeEventListener('error', fail);
    program.removeEventListener('message', answered);
  }
};

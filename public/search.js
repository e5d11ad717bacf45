// Refines the search page in place; without it the form is an ordinary one. Without a sidecar, the
// program that data-worker names answers.
const { worker: program } = document.currentScript.dataset;
const searches = program && new Worker(program, { type: 'module' });
const form = document.querySelector('form.search');
const announcement = document.createElement('p');
announcement.setAttribute('role', 'status');
announcement.className = 'unseen';
form.after(announcement);
const progress = announcement.cloneNode();
progress.className = 'quiet';
form.after(progress);
let latest;

/** Returns an address with only the filled-in fields, so that it can be shared. */
function addressOf(fields) {
  const asked = [...new FormData(fields)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(asked).toString();
  return query === '' ? fields.action : `${fields.action}?${query}`;
}

/** Returns the page of a search from the program, which first loads all reviews. */
function compute(address) {
  const id = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers();
  searches.addEventListener('error', () => reject(new Error('the program did not load')));
  searches.addEventListener('message', function answered({ data }) {
    if (data.loaded)
      progress.textContent = `Loading the reviews: ${(data.loaded / 1e6).toFixed(1)} MB`;
    if (data.id !== id) return;
    searches.removeEventListener('message', answered);
    progress.textContent = '';
    if (data.failure) reject(new Error(data.failure));
    else resolve(data.html);
  });
  progress.textContent = 'Loading the reviews';
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
  searches.postMessage({ id, query: new URL(address).search });
  return promise;
}

async function request(address, signal) {
  const answer = await fetch(address, { signal });
  if (answer.status !== 200 && answer.status !== 400) throw new Error(`status ${answer.status}`);
  return answer.text();
}

async function show(address, { focus, fields = false }) {
  latest?.abort();
  const { signal } = (latest = new AbortController());
  const results = document.querySelector('#results');
  results.setAttribute('aria-busy', 'true');
  let page;
  try {
    const html = await (searches ? compute(address) : request(address, signal));
    if (signal.aborted) return;
    page = new DOMParser().parseFromString(html, 'text/html');
  } catch (error) {
    if (searches) progress.textContent = `This search failed: ${error.message}.`;
    else if (error.name !== 'AbortError') location.assign(address);
    return;
  }
  if (address !== location.href) history.pushState(null, '', address);
  results.replaceWith(page.querySelector('#results'));
  const filters = document.querySelector('#filters');
  const isOpen = filters.querySelector('details')?.open;
  filters.replaceWith(page.querySelector('#filters'));
  document.querySelector('#filters details')?.toggleAttribute('open', isOpen);
  if (fields) form.replaceChildren(...page.querySelector('form.search').childNodes);
  else
    for (const field of form.querySelectorAll('[data-field]')) {
      const next = page.querySelector(`[data-field="${field.dataset.field}"]`);
      showIssue(field, next);
    }
  announcement.textContent = focus ? '' : document.querySelector('#results h2').textContent;
  if (focus)
    (form.querySelector('[aria-invalid]') ?? document.querySelector('#results h2')).focus();
}

/** Shows or removes a field's issue; the field keeps its value and the focus. */
function showIssue(field, next) {
  field.querySelector('.issue')?.remove();
  const issue = next.querySelector('.issue');
  if (issue) field.append(issue);
  const control = field.querySelector('input, select');
  const nextControl = next.querySelector('input, select');
  for (const name of ['aria-invalid', 'aria-describedby']) {
    const value = nextControl.getAttribute(name);
    if (value === null) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(addressOf(form), { focus: true });
});
form.addEventListener('change', () => void show(addressOf(form), { focus: false }));
// Loads the page of an earlier search, with its fields.
addEventListener('popstate', () => location.reload());

if (searches) {
  if (location.search !== '') void show(location.href, { focus: false, fields: true });
  addEventListener('click', (event) => {
    const link = event.target.closest?.('#main a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || link?.pathname !== location.pathname || link.hash !== '') return;
    event.preventDefault();
    void show(link.href, { focus: true, fields: true });
  });
}

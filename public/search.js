// Refines the search page in place; without it the form is an ordinary one. Without a sidecar,
// search-here.js answers.
const form = document.querySelector('form.search');
const state = document.querySelector('.state');
/** After it, a search that is not answered hides the results of the one before. */
const PATIENCE_MS = 500;
const megabytes = new Intl.NumberFormat(`${document.documentElement.lang}-u-nu-latn`, {
  style: 'unit',
  unit: 'megabyte',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
let latest;
let shown = location.pathname + location.search;

/** Returns an address with only the filled-in fields, so that it can be shared. */
function addressOf(fields) {
  const asked = [...new FormData(fields)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(asked).toString();
  return query === '' ? fields.action : `${fields.action}?${query}`;
}

async function request(address, signal) {
  const answer = await fetch(address, { signal });
  if (answer.status !== 200 && answer.status !== 400) throw new Error(`status ${answer.status}`);
  return answer.text();
}

/** Says that a search is not answered yet. @param bytes how many are loaded, if that is known */
function wait(bytes) {
  form.classList.add('unanswered');
  const { loading } = state.dataset;
  state.textContent = bytes ? `${loading}: ${megabytes.format(bytes / 1e6)}` : loading;
}

/** Says why a search has no answer, and offers to try it again. */
function fail(address, reason) {
  form.classList.add('unanswered');
  document.querySelector('#soon')?.remove();
  const link = document.createElement('a');
  link.href = address;
  link.textContent = state.dataset.again;
  state.replaceChildren(state.dataset.failed.replace('{reason}', reason), ' ', link);
}

async function show(address, { focus, fields = false }) {
  latest?.abort();
  const { signal } = (latest = new AbortController());
  document.querySelector('#results').setAttribute('aria-busy', 'true');
  const asked = form.elements.query.value;
  const waiting = setTimeout(wait, form.matches('.unanswered') ? 0 : PATIENCE_MS);
  let page;
  try {
    const html = await (globalThis.searchHere ?? request)(address, signal, (bytes) => {
      if (!signal.aborted && form.matches('.unanswered')) wait(bytes);
    });
    if (signal.aborted) return;
    page = new DOMParser().parseFromString(html, 'text/html');
  } catch (error) {
    if (!signal.aborted) fail(address, error.message);
    return;
  } finally {
    clearTimeout(waiting);
  }
  if (address !== location.href) history.pushState(null, '', address);
  shown = location.pathname + location.search;
  form.classList.remove('unanswered');
  document.querySelector('#soon')?.remove();
  const filters = document.querySelector('#filters');
  const isOpen = filters.querySelector('details')?.open;
  document.querySelector('#results').replaceWith(page.querySelector('#results'));
  filters.replaceWith(page.querySelector('#filters'));
  document.querySelector('#filters details')?.toggleAttribute('open', isOpen);
  const next = page.querySelector('form.search');
  form.elements.query.defaultValue = next.elements.query.value; // WebKit shows it again after Back
  for (const field of form.querySelectorAll('[data-field]')) {
    showIssue(field, next.querySelector(`[data-field="${field.dataset.field}"]`));
  }
  if (fields) replaceFields(next, asked);
  const title = document.querySelector('#results h2');
  const announcement = document.createElement('span');
  announcement.className = 'unseen';
  announcement.textContent = focus ? '' : title.textContent;
  state.replaceChildren(announcement);
  if (focus) (form.querySelector('[aria-invalid]') ?? title).focus();
}

/** Fills the form as an answer has it; words that were typed since it was asked stay. */
function replaceFields(next, asked) {
  const { query } = form.elements;
  if (query.value === asked) query.value = next.elements.query.value;
  const [field] = form.children;
  while (field.nextSibling) field.nextSibling.remove();
  form.append(...[...next.children].slice(1));
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
// Loads the page of an earlier search, with its fields; a jump within the page is none.
addEventListener('popstate', () => {
  if (location.pathname + location.search !== shown) location.reload();
});

if (globalThis.searchHere) {
  if (form.matches('.unanswered')) void show(location.href, { focus: false, fields: true });
  addEventListener('click', (event) => {
    const link = event.target.closest?.('#main a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || link?.pathname !== location.pathname || link.hash !== '') return;
    event.preventDefault();
    void show(link.href, { focus: true, fields: true });
  });
}

// Refines the search page in place; without it the form is an ordinary one. Without a sidecar,
// search-here.js answers.
const form = document.querySelector('form.search');
const announcement = document.createElement('p');
announcement.setAttribute('role', 'status');
announcement.className = 'unseen';
form.after(announcement);
let latest;

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

async function show(address, { focus, fields = false }) {
  latest?.abort();
  const { signal } = (latest = new AbortController());
  const results = document.querySelector('#results');
  results.setAttribute('aria-busy', 'true');
  let page;
  try {
    const html = await (globalThis.searchHere ?? request)(address, signal);
    if (signal.aborted) return;
    page = new DOMParser().parseFromString(html, 'text/html');
  } catch (error) {
    if (!globalThis.searchHere && error.name !== 'AbortError') location.assign(address);
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

if (globalThis.searchHere) {
  if (location.search !== '') void show(location.href, { focus: false, fields: true });
  addEventListener('click', (event) => {
    const link = event.target.closest?.('#main a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || link?.pathname !== location.pathname || link.hash !== '') return;
    event.preventDefault();
    void show(link.href, { focus: true, fields: true });
  });
}

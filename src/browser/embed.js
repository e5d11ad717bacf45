/* global WORDS -- src/view/embed-words.ts writes them before this */
// <reviews-of src="https://reviews.example.com">: the rating of a business with its distribution, the
// number of reviews left out and the newest critical one. What the page wrote inside stays until the
// numbers are there, and if they cannot be had. Its colors follow the color-scheme of the page around it.
const STYLE = `
  :host { display: block; max-width: 26rem;
    --ink: light-dark(#1a2425, #e9ece9); --ground: light-dark(#fff, #182021); --quiet: light-dark(#556062, #a3afae);
    --accent: light-dark(#0a5a55, #7fd1c4); --star: light-dark(#bd7c0c, #e8b04a); --empty: light-dark(#dcd5c5, #3b4747); }
  :host([scheme="light"]) { color-scheme: light; }
  :host([scheme="dark"]) { color-scheme: dark; }
  section { padding: 1em; border: 1px solid var(--empty); border-radius: .6em; font: max(1rem, 16px)/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
  p, ol { margin: 0; padding: 0; list-style: ''; }
  p + *, ol + * { margin-top: .6em; }
  a { padding-block: .15em; color: var(--accent); }
  b { font-size: 2.2em; line-height: 1; margin-inline-end: .23em; }
  li { display: grid; grid-template-columns: 3.6em 1fr 3em; gap: .5em; align-items: center; }
  li > span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
  .bar { height: .5em; border-radius: .25em; background: var(--empty); }
  .bar > span { display: block; height: 100%; border-radius: inherit; background: var(--star); }
  .quiet { color: var(--quiet); font-size: .9em; }`;

/** Makes an element of text and other elements; nothing is ever parsed as HTML. */
function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const { language, direction } = WORDS;
/** With the digits of the badge and the pages. */
const locale = `${language}-u-nu-latn`;
const number = new Intl.NumberFormat(locale);
const mean = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const plural = new Intl.PluralRules(language);
const counted = (forms, count) => forms[plural.select(count)].replace('#', number.format(count));

function link(base, path, words) {
  const href = new URL(path, base);
  // A document that was tampered with must not make a link that runs.
  if (!/^https?:$/.test(href.protocol)) return words;
  return make('a', { href: href.href, target: '_blank', rel: 'noopener' }, words);
}

function row(stars, count, total) {
  const bar = make('span', {});
  bar.style.width = `${(100 * count) / Math.max(total, 1)}%`;
  return make(
    'li',
    {},
    make('span', {}, counted(WORDS.stars, stars)),
    make('span', { className: 'bar', ariaHidden: 'true' }, bar),
    make('span', {}, number.format(count)),
  );
}

function card(base, summary) {
  const { aggregate_rating: rating, coverage, name, newest_critical: critical } = summary;
  const total = rating.review_count;
  const [before, after] = WORDS.of.split('#');
  const value = rating.rating_value === null ? WORDS.none : mean.format(rating.rating_value);
  const all = link(base, 'reviews/', counted(WORDS.reviews, total));
  const left = number.format(coverage.known - coverage.published);
  const leftOut = counted(WORDS.left, coverage.known).replace('{left}', left);
  const facts = make('p', { className: 'quiet' }, link(base, 'method/#left-out', leftOut));
  if (critical) {
    const label = WORDS.critical.replace('#', day.format(new Date(critical.date)));
    facts.append(' · ', link(base, critical.url, label));
  }
  return make(
    'section',
    { ariaLabel: WORDS.title.replace('#', name), lang: language, dir: direction },
    make('p', {}, make('b', {}, value), before, all, after),
    make(
      'ol',
      {},
      ...[5, 4, 3, 2, 1].map((stars) => row(stars, rating.distribution[stars], total)),
    ),
    facts,
  );
}

class ReviewsOf extends HTMLElement {
  static observedAttributes = ['src'];

  attributeChangedCallback() {
    void this.show();
  }

  async show() {
    const src = this.getAttribute('src');
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.replaceChildren(make('slot', {}));
    try {
      const base = new URL(src.replace(/\/*$/, '/'), document.baseURI);
      const answer = await fetch(new URL('summary.json', base), { credentials: 'omit' });
      if (!answer.ok) throw new Error(`reviews-of: summary.json of ${src}: ${answer.status}`);
      const shown = card(base, await answer.json());
      if (src !== this.getAttribute('src')) return; // it was changed meanwhile
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      root.adoptedStyleSheets = [sheet];
      root.replaceChildren(shown);
    } catch (error) {
      reportError(error); // the page's own place for errors; its content stays
    }
  }
}

if (!customElements.get('reviews-of')) customElements.define('reviews-of', ReviewsOf);

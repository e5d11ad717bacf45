import { XmlElement, XmlText } from '@rgrove/parse-xml';

const MAX_LEVELS = 100;
/** Properties that reach no element but their own; fills, strokes and markers are inherited. */
const OWN = /(?:^|[^\w-])(?:clip-path|mask|filter)\b/;

/** An element that another one draws with, such as a pattern that fills it. */
interface Reference {
  id: string;
  inherited: boolean;
}

/** Counts the elements that a browser draws: those of a reference as often as it is followed. */
export class DrawnElements {
  readonly #byId: ReadonlyMap<string | undefined, readonly XmlElement[]>;
  /** References by class; those of any other selector are at `*`, as if it selected every element. */
  readonly #styles: ReadonlyMap<string, readonly Reference[]>;
  /** Infinite while an element is counted, because it then refers to itself. */
  readonly #counts = new Map<XmlElement, number>();

  constructor(elements: readonly XmlElement[]) {
    this.#byId = Map.groupBy(elements, ({ attributes }) => attributes.id);
    const sheets = elements.filter(({ name }) => localName(name) === 'style').map(cssOf);
    this.#styles = stylesIn(sheets.join('}'));
  }

  /** Returns how many an element draws; infinite if it refers to itself or has too many levels. */
  by(element: XmlElement, level = 0): number {
    const known = this.#counts.get(element);
    if (known !== undefined || level > MAX_LEVELS) return known ?? Infinity;
    this.#counts.set(element, Infinity);
    const sumOf = (parts: readonly XmlElement[] = []) =>
      parts.reduce((sum, part) => sum + this.by(part, level + 1), 0);
    let inside = 1 + sumOf(elementsIn(element));
    let inherited = 0;
    let own = 0;
    const entries = Object.entries(element.attributes);
    for (const [name, value] of entries) {
      if (localName(name) === 'href') inside += sumOf(this.#byId.get(value.trim().slice(1)));
    }
    const classes = ['*', ...(element.attributes.class ?? '').split(/\s+/)];
    const references = [
      ...entries.flatMap(([name, value]) => referencesIn(`${localName(name)}:${value}`)),
      ...classes.flatMap((name) => this.#styles.get(name) ?? []),
    ];
    for (const reference of references) {
      const drawn = sumOf(this.#byId.get(reference.id));
      if (reference.inherited) inherited += drawn;
      else own += drawn;
    }
    const count = inside * (1 + inherited) + own;
    this.#counts.set(element, count);
    return count;
  }
}

/** Returns the elements directly inside one. */
export function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child instanceof XmlElement);
}

/** Returns a name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function cssOf({ children }: XmlElement): string {
  const text = children.map((child) => (child instanceof XmlText ? child.text : '')).join('');
  return text.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' ');
}

/** Returns the references in the rules of a style sheet, also in rules inside others. */
function stylesIn(css: string): Map<string, Reference[]> {
  const styles = new Map<string, Reference[]>();
  for (const rule of css.split('}')) {
    const parts = `*{${rule}`.split('{');
    for (const [at, body] of parts.slice(1).entries()) {
      const references = referencesIn(body);
      if (references.length === 0) continue;
      for (const selector of parts[at]!.split(',')) {
        const key = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? '*';
        styles.set(key, [...(styles.get(key) ?? []), ...references]);
      }
    }
  }
  return styles;
}

function referencesIn(declarations: string): Reference[] {
  return declarations.split(';').flatMap((declaration) => {
    const inherited = !OWN.test(declaration);
    const urls = declaration.matchAll(/url\(\s*["']?#([^"')]+)/gi);
    return [...urls].map(([, id]) => ({ id: id!.trim(), inherited }));
  });
}

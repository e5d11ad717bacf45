/** The markup of pages that are trusted, to compare others with. */
export interface Markup {
  /** `img` and `img src`, for each element and attribute. */
  names: ReadonlySet<string>;
  /** Start tags of scripts, as they are written. */
  scripts: ReadonlySet<string>;
}

// The attributes of a tag end it where an HTML parser ends it: quotes count only behind a `=`.
const TAG = /<(\/?)([a-z][^\s/>]*)((?:=\s*"[^"]*"|=\s*'[^']*'|[^>])*)>/gi;
const ATTRIBUTE = /([^\s"'=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g;
const LINKS = new Set(['action', 'formaction', 'href', 'poster', 'src', 'srcset']);
/** Includes the links with which the developers' page installs the MCP server in an editor. */
const SAFE_LINK =
  /^(?:https?:|mailto:|tel:|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|vscode:mcp\/install\?|[#/?]|[^:]*$)/i;

/** Collects the markup that pages have. */
export function markupOf(pages: readonly string[]): Markup {
  const tags = pages.flatMap(tagsOf);
  return {
    names: new Set(tags.flatMap(namesOf)),
    scripts: new Set(tags.filter(({ name }) => name === 'script').map(({ tag }) => tag)),
  };
}

/** Lists the elements, attributes, scripts and links of a page that no trusted page has. */
export function foreignMarkup(html: string, trusted: Markup): string[] {
  return tagsOf(html).flatMap((tag) => {
    const foreign = namesOf(tag).filter((name) => !trusted.names.has(name));
    if (tag.name === 'script' && !tag.closes && !trusted.scripts.has(tag.tag))
      foreign.push(tag.tag);
    for (const [name, value] of tag.attributes) {
      if (LINKS.has(name) && !SAFE_LINK.test(value)) foreign.push(`${name}=${value}`);
    }
    return foreign;
  });
}

interface Tag {
  tag: string;
  closes: boolean;
  name: string;
  attributes: [name: string, value: string][];
}

/** The tags in the order in which a parser meets them. */
function tagsOf(html: string): Tag[] {
  const tags: Tag[] = [];
  const pattern = new RegExp(TAG);
  for (let match = pattern.exec(html); match; match = pattern.exec(html)) {
    const [tag, slash, name, rest] = match as unknown as [string, string, string, string];
    const closes = slash === '/';
    const attributes = [...rest.matchAll(ATTRIBUTE)].map(
      ([, attribute, ...values]): [string, string] => [
        attribute!.toLowerCase(),
        values.find((value) => value !== undefined) ?? '',
      ],
    );
    tags.push({ tag, closes, name: name.toLowerCase(), attributes });
    // What is inside a script is data, whatever it looks like.
    if (!closes && /^script$/i.test(name)) {
      const end = html.slice(pattern.lastIndex).search(/<\/script/i);
      pattern.lastIndex = end === -1 ? html.length : pattern.lastIndex + end;
    }
  }
  return tags;
}

function namesOf({ name, attributes }: Tag): string[] {
  return [name, ...attributes.map(([attribute]) => `${name} ${attribute}`)];
}

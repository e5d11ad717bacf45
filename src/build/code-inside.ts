import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InlineCode } from '../http.ts';
import { basePath } from '../paths.ts';
import { putFile } from './put-file.ts';

/** The style sheet of a page. */
const STYLES = /<link rel="stylesheet" href="([^"]*)"[^>]*>/g;
/** A script that runs before what follows it is shown. */
const SCRIPT = /<script src="([^"]*)"(?![^>]* (?:defer|type=))([^>]*)><\/script>/g;

/**
 * Puts styles and scripts into the pages on which a visit begins: on a slow phone each round trip takes
 * half a second. The other pages have them from the cache of the browser.
 */
export class CodeInside {
  /** Files of the pages so far. */
  readonly pages = new Set<string>();
  readonly #folder: string;
  readonly #base: string;
  readonly #styles = new Set<string>();
  readonly #scripts = new Set<string>();

  /** @param folder the built files */
  constructor(folder: string, siteUrl: string) {
    this.#folder = folder;
    this.#base = basePath(siteUrl);
  }

  /**
   * Writes a page with what it would ask for before it shows its text. The files come last, for hosts
   * whose policy is that of an earlier build, so these scripts must work when they run twice.
   *
   * @param file its place in the folder
   */
  async write(file: string, page: string): Promise<void> {
    const later: string[] = [];
    const inside = async (address: string, sources: Set<string>): Promise<string> => {
      const code = await readFile(join(this.#folder, address.slice(this.#base.length)), 'utf8');
      sources.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`); // CSP level 3, 2.3.1
      return code;
    };
    let html = page;
    for (const [link, address] of page.matchAll(STYLES)) {
      const code = await inside(address!, this.#styles);
      html = html.replace(link, () => `<style>${code}</style>`);
      later.push(link);
    }
    for (const [script, address, attributes] of page.matchAll(SCRIPT)) {
      const code = await inside(address!, this.#scripts);
      html = html.replace(script, () => `<script${attributes}>${code}</script>`);
      later.push(script.replace('></', ' defer></'));
    }
    html = html.replace(/(?=<script src="[^"]*" defer)|(?=<\/body>)/, () => later.join(''));
    putFile(join(this.#folder, file), html);
    this.pages.add(file);
  }

  /** The code in the pages, as their policy allows it. */
  get sources(): InlineCode {
    return { style: [...this.#styles].join(' '), script: [...this.#scripts].join(' ') };
  }
}

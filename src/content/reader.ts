import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { codePointName, invisibleCharacters } from '../schema/invisible.ts';
import type { ContentIssue } from './issue.ts';
import { parseJsonFile, parseJsonLines, type Line } from './parse.ts';
import { findSample } from './sample.ts';

/** One pass over a content folder: reads its files and collects every issue on the way. */
export class Reader {
  readonly issues: ContentIssue[] = [];
  /** Things that are likely mistakes and do not stop a build. */
  readonly warnings: ContentIssue[] = [];
  /** Texts of the sample, which are issues in the dataset of another business. */
  readonly sampleIssues: ContentIssue[] = [];
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns a path inside the folder as messages show it. */
  shown(path: string): string {
    return `${basename(this.#root)}/${path}`;
  }

  issue(path: string, line: number, field: string, reason: string, value?: unknown): void {
    const issue = { file: this.shown(path), line, field, reason };
    this.issues.push(value === undefined ? issue : { ...issue, value });
  }

  warn(path: string, field: string, reason: string): void {
    this.warnings.push({ file: this.shown(path), line: 0, field, reason });
  }

  /** Takes over issues that were found elsewhere, however many. */
  report(issues: readonly ContentIssue[]): void {
    for (const issue of issues) this.issues.push(issue);
  }

  /**
   * Returns the names in a folder that end with an extension, sorted, and warns of others; none when there
   * is no such folder, undefined, with an issue, when it cannot be read.
   */
  async list(folder: string, extension = ''): Promise<string[] | undefined> {
    try {
      const names = (await readdir(join(this.#root, folder))).sort();
      for (const name of names) {
        if (name.endsWith(extension) || name.startsWith('.')) continue;
        this.warn(`${folder}/${name}`, '', `is not read: its name must end with ${extension}`);
      }
      return names.filter((name) => name.endsWith(extension));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return [];
      this.issue(folder, 0, '', `cannot be read: ${code}`);
      return undefined;
    }
  }

  /** Returns the bytes of a file; reports an issue and returns undefined if it cannot be read. */
  async bytes(path: string, options: { optional?: boolean } = {}): Promise<Uint8Array | undefined> {
    try {
      const file = join(this.#root, path);
      const stats = await stat(file);
      // Reading a pipe would wait for a writer that never comes.
      if (!stats.isFile() && !stats.isDirectory()) {
        this.issue(path, 0, '', 'is not a file');
        return undefined;
      }
      return await readFile(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.issue(path, 0, '', `cannot be read: ${code}`);
      else if (!options.optional) this.issue(path, 0, '', 'is missing');
      return undefined;
    }
  }

  /** Returns the text of a file; undefined, with an issue, when it cannot be read. */
  async text(path: string, options: { optional?: boolean } = {}): Promise<string | undefined> {
    const bytes = await this.bytes(path, options);
    if (bytes === undefined) return undefined;
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      const decoded = new TextDecoder().decode(bytes);
      const line = lineAt(decoded, decoded.indexOf('\ufffd'));
      this.issue(path, line, '', 'is not valid UTF-8: save it in that encoding');
      return undefined;
    }
    const conflict = CONFLICT.exec(text);
    if (conflict) {
      this.issue(path, lineAt(text, conflict.index), '', CONFLICTED);
      return undefined;
    }
    if (path.endsWith('.md')) this.#reportInvisible(path, text);
    const reason = 'is text of the sample: write your own, or delete it';
    for (const { line, text: value } of findSample(path, text)) {
      this.sampleIssues.push({ file: this.shown(path), line, field: '', reason, value });
    }
    return text;
  }

  /** Returns a JSON document and its text; undefined if there is no such file, null if it has an issue. */
  async json<T>(
    path: string,
    schema: z.ZodType<T>,
    options: { optional?: boolean } = {},
  ): Promise<{ value: T; text: string } | null | undefined> {
    const found = this.issues.length;
    const text = await this.text(path, options);
    if (text === undefined) return this.issues.length === found ? undefined : null;
    const { value, issues } = parseJsonFile(text, this.shown(path), schema);
    this.report(issues);
    return value === undefined ? null : { value, text };
  }

  /** Returns the lines of a file that have no issue. */
  async jsonLines<T>(
    path: string,
    schema: z.ZodType<T>,
    options: { optional?: boolean } = {},
  ): Promise<Line<T>[]> {
    const text = await this.text(path, options);
    const { lines, issues } = parseJsonLines(text ?? '', this.shown(path), schema);
    this.report(issues);
    return lines;
  }

  /** Schemas check the strings of JSON files; Markdown has none. */
  #reportInvisible(path: string, text: string): void {
    const lines = text.replaceAll('\r\n', '\n');
    for (const { index, character } of invisibleCharacters(lines)) {
      const reason = `has the invisible character ${codePointName(character)}: delete it`;
      this.issue(path, lineAt(lines, index), '', reason);
    }
  }
}

/** Returns the line of a position in a text, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const CONFLICT = /^(<{7}|>{7})( |$)/m;
const CONFLICTED =
  'is where git could not merge the changes of two branches. Keep the lines of the one that was ' +
  'published, delete those of the other, and run npm run reviews -- record';

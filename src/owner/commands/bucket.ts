import { execFile } from 'node:child_process';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pathInside } from '../../edition/manifest.ts';

const run = promisify(execFile);

/** Maximum number of objects in a request (S3 API, DeleteObjects). */
const MAX_DELETED = 1000;
/** A listing of a million objects. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Headers that S3-compatible storage keeps with an object, as options of the AWS client. */
export type StoredHeaders = Readonly<Record<string, string | undefined>>;

/** A bucket, or what lies below a prefix of it, through the AWS client. */
export class Bucket {
  readonly #target: string;
  readonly #name: string;
  /** Empty, or with a slash at the end. */
  readonly #prefix: string;
  readonly #folder: string;

  /**
   * @param target s3://bucket[/prefix]
   * @param folder is made to upload from and removed again; on the file system of the files
   */
  constructor(target: string, folder: string) {
    const [, name, prefix] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(target)!;
    this.#target = target;
    this.#name = name!;
    this.#prefix = prefix ? `${prefix}/` : '';
    this.#folder = folder;
  }

  async put(folder: string, files: readonly string[], headers: StoredHeaders): Promise<void> {
    // The client takes one folder at a time. A killed run may have left this one.
    await rm(this.#folder, { recursive: true, force: true });
    try {
      for (const file of files) {
        const path = pathInside(this.#folder, file);
        await mkdir(dirname(path), { recursive: true });
        await link(pathInside(folder, file), path);
      }
      const stated = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, value],
      );
      const copy = ['s3', 'cp', this.#folder, this.#target, '--recursive', '--only-show-errors'];
      await run('aws', [...copy, ...stated]);
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  /** Returns the names below the prefix, and when they were stored in milliseconds since 1970. */
  async list(): Promise<{ file: string; modified: number }[]> {
    const wanted = ['--prefix', this.#prefix, '--query', 'Contents[].[Key,LastModified]'];
    const { stdout } = await this.#api('list-objects-v2', wanted);
    const found = (JSON.parse(stdout || 'null') ?? []) as [key: string, modified: string][];
    return found.map(([key, modified]) => ({
      file: key.slice(this.#prefix.length),
      modified: Date.parse(modified),
    }));
  }

  /** @throws with the first reason if an object could not be deleted */
  async delete(files: readonly string[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    try {
      const request = join(this.#folder, 'delete.json');
      for (let start = 0; start < files.length; start += MAX_DELETED) {
        const part = files.slice(start, start + MAX_DELETED);
        const objects = part.map((file) => ({ Key: this.#prefix + file }));
        await writeFile(request, JSON.stringify({ Objects: objects, Quiet: true }));
        const { stdout } = await this.#api('delete-objects', ['--delete', `file://${request}`]);
        const { Errors: errors = [] } = JSON.parse(stdout || '{}') as DeleteAnswer;
        if (errors[0]) throw new Error(`${errors[0].Key} was not deleted: ${errors[0].Message}`);
      }
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  #api(operation: string, args: readonly string[]): Promise<{ stdout: string }> {
    const common = ['s3api', operation, '--bucket', this.#name, '--output', 'json'];
    return run('aws', [...common, ...args], { maxBuffer: MAX_OUTPUT_BYTES });
  }
}

interface DeleteAnswer {
  Errors?: { Key: string; Message: string }[];
}

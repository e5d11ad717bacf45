import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ATOM_PATH } from '../../src/paths.ts';
import { MANIFEST_FILE, type Manifest } from '../../src/edition/manifest.ts';
import { parseOptions, UsageError, type Command } from '../../src/run-command.ts';
import { readConfig } from '../base/config.ts';
import { signatureHeaders } from '../hub/distributor.ts';
import { callbackIssue } from '../hub/outbound/callback-url.ts';
import { isSuccess, Outbound, type Outcome } from '../hub/outbound/outbound.ts';
import { contentHeaders } from '../hub/store/topics.ts';

const USAGE = 'usage: npm run hub -- try <callback> [topic, e.g. /changes.json]';
const ANSWER_BYTES = 200;

/**
 * Posts a topic of the edition in EDITION to a callback, as the hub would, signed with HUB_TRY_SECRET
 * if that is set. Fails with the reason if the hub would not count it as delivered.
 */
export const hubTry: Command = async (args, print) => {
  const { positionals } = parseOptions(args, { allowPositionals: true }, USAGE);
  const [callback, path = ATOM_PATH] = positionals;
  if (!callback) throw new UsageError(USAGE);
  const { EDITION: folder, HUB_CALLBACK_ALLOW: allow } = readConfig(process.env);
  const issue = callbackIssue(callback, allow);
  if (issue !== undefined) throw new UsageError(`the callback ${issue}`);
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')) as Manifest;
  const resource = manifest.resources.find((one) => one.path === path);
  if (!resource) throw new UsageError(USAGE);
  const body = await readFile(join(folder, resource.file));
  const secret = process.env.HUB_TRY_SECRET || null;
  const url = manifest.base_url + path;
  const outbound = new Outbound({ allow });
  const began = performance.now();
  const outcome = await outbound.send({
    method: 'POST',
    url: callback,
    headers: { ...contentHeaders(manifest, resource), ...signatureHeaders(secret, body) },
    body,
    maxBody: ANSWER_BYTES,
  });
  outbound.close();
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  if (!isSuccess(outcome)) throw new Error(`not delivered after ${seconds} s: ${advice(outcome)}`);
  const signed = secret === null ? 'unsigned' : 'signed';
  print(`delivered in ${seconds} s: ${body.length} bytes of ${url}, ${signed}`);
};

function advice(outcome: Outcome): string {
  if (outcome.kind === 'failure') return outcome.reason;
  const { status } = outcome;
  if (status >= 300 && status < 400) return `${status}: the hub follows no redirects`;
  if (status === 410) return '410 ends a subscription at once';
  if (status === 413) return '413: the subscriber takes smaller bodies only';
  if (status === 404)
    return '404: the path is not a callback, or it has no subscription to this topic';
  const hint =
    status === 401 || status === 403 ? '; does it expect a signature (HUB_TRY_SECRET)?' : '';
  return `${status}, but only a 2xx acknowledges${hint}`;
}

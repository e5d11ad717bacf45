import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOfProcess } from './fixtures.ts';

export interface KeyPair {
  /** PEM. */
  key: string;
  /** PEM. */
  cert: string;
}

export interface TestCa {
  /** The certificate to trust, PEM. */
  ca: string;
  /** Returns a server certificate for names and addresses; cached. */
  issue(hostnames: readonly string[]): KeyPair;
}

let shared: TestCa | undefined;

/** Returns the certificate authority that all tests of the process share. */
export function testCa(): TestCa {
  return (shared ??= makeTestCa());
}

/** Returns a file with the certificate of that authority, for `NODE_EXTRA_CA_CERTS`. */
export async function testCaFile(): Promise<string> {
  const file = join(await folderOfProcess(), 'ca.pem');
  writeFileSync(file, testCa().ca);
  return file;
}

/** Creates a certificate authority, in memory only. */
export function makeTestCa(): TestCa {
  const root = certify('test CA', 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign');
  const issued = new Map<string, KeyPair>();
  return {
    ca: root.cert,
    issue: (hostnames) => {
      const names = hostnames.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join();
      const pair = issued.get(names) ?? certify('test server', `subjectAltName=${names}`, root);
      issued.set(names, pair);
      return pair;
    },
  };
}

/** @param issuer default: self-signed */
function certify(name: string, extensions: string, issuer?: KeyPair): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'reviews-ca-'));
  const file = (name: string) => join(folder, name);
  try {
    const config = `[req]\ndistinguished_name=dn\nx509_extensions=ext\n[dn]\n[ext]\n${extensions}\n`;
    writeFileSync(file('config'), config);
    const signing: string[] = [];
    if (issuer) {
      writeFileSync(file('ca.key'), issuer.key);
      writeFileSync(file('ca.cert'), issuer.cert);
      signing.push('-CA', file('ca.cert'), '-CAkey', file('ca.key'));
    }
    const made = ['-keyout', file('key'), '-out', file('cert')];
    execFileSync(
      'openssl',
      [...REQUEST, '-config', file('config'), '-subj', `/CN=${name}`].concat(signing, made),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return { key: readFileSync(file('key'), 'utf8'), cert: readFileSync(file('cert'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REQUEST = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 30'.split(
  ' ',
);

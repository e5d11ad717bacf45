import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../sidecar/base/config.ts';
import { HEALTH_PATH } from '../../src/paths.ts';
import { ROOT } from '../support/fixtures.ts';

const read = (path: string) => readFileSync(join(ROOT, 'sidecar', path), 'utf8');
const page = read('deploy/CONTAINERS.md');
const blocks = [...page.matchAll(/```(?:yaml|toml)\n([\s\S]*?)```/g)].map(([, text]) => text!);
const dockerfile = read('Dockerfile');
const release = read('../.github/workflows/release.yml');
const [, image] = /tags: ghcr\.io\/\$\{\{ github\.repository \}\}(\S+sidecar):/.exec(release)!;
const [, port] = /PORT=(\d+)/.exec(dockerfile)!;
const [, folder] = /DATA_DIR=(\S+)/.exec(dockerfile)!;

test('every example of a platform has the name, port, folder, probe and settings of the image', () => {
  assert.equal(blocks.length, 3);
  let ports = 0;
  for (const text of blocks) {
    for (const [, found] of text.matchAll(/(?:containerPort|internal_port)\D+(\d+)/g)) {
      assert.equal(found, port);
      ports++;
    }
    assert.match(text, new RegExp(`(?:mountPath: |destination = ')${folder}\\b`));
    const probed = [...text.matchAll(/(?:path: |path = '|healthCheckPath: )(\/\w+)/g)];
    assert.ok(probed.length > 0);
    for (const [, path] of probed) assert.equal(path, HEALTH_PATH);
    assert.ok(text.includes(`ghcr.io/your-name/reviews-service${image}@sha256:`), image);
    for (const [name] of text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\bEDITION\b/g)) {
      assert.ok(name in SETTINGS, name);
    }
  }
  assert.ok(ports > 0);
});

test('the manifest for Kubernetes parses, and stops the old process before it starts the new one', () => {
  const documents = parseAllDocuments(blocks[0]!);
  for (const { errors, warnings } of documents) assert.deepEqual([errors, warnings], [[], []]);
  const [deployment, claim, service] = documents.map((document) => document.toJS());
  const kinds = [deployment.kind, claim.kind, service.kind];
  assert.deepEqual(kinds, ['Deployment', 'PersistentVolumeClaim', 'Service']);
  assert.equal(deployment.spec.strategy.type, 'Recreate');
  const { containers, volumes } = deployment.spec.template.spec;
  assert.equal(volumes[0].persistentVolumeClaim.claimName, claim.metadata.name);
  assert.equal(service.spec.ports[0].targetPort, containers[0].ports[0].name);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRule } from '../../sidecar/hub/outbound/address-rule.ts';
import { callbackIssue, readCallback } from '../../sidecar/hub/outbound/callback-url.ts';
import { hostileCallbacks, UNFIT_CALLBACKS } from '../support/hostile-callbacks.ts';

const GOOD = (
  'https://peer.example https://peer.example/ HTTPS://PEER.EXAMPLE/ ' +
  'https://peer.example./callback https://peer.example:443/ https://peer.example:1024/ ' +
  'https://peer.example:65535/?a=1&b=%zz https://under_score.example/ ' +
  'https://xn--bcher-kva.example/ https://127.0.0.1.peer.example/ ' +
  'https://localhost.example/ https://8.8.8.8/ https://172.32.0.1/ https://100.128.0.1/ ' +
  'https://[2606:4700:4700::1111]/ https://[2a00:1450:4001::1]:8443/'
)
  .split(' ')
  .map((url) => [url, undefined] as const);

for (const [url, issue] of [...hostileCallbacks(8443), ...UNFIT_CALLBACKS, ...GOOD]) {
  test(`${issue === undefined ? 'takes' : 'refuses'} ${JSON.stringify(url).slice(0, 80)}`, () => {
    assert.equal(callbackIssue(url, []), issue);
  });
}

test('an allowed network is exempt from the address rule, and from no other', () => {
  const issueOf = (url: string) => callbackIssue(url, ['127.0.0.0/8', 'fd00::/8']);
  for (const host of ['127.0.0.1:8443', '2130706433:8443', 'localhost:8443', '[fd00::1]']) {
    assert.equal(issueOf(`https://${host}/`), undefined);
  }
  for (const host of ['10.0.0.1', '[::1]']) assert.match(issueOf(`https://${host}/`)!, /address/);
  assert.match(issueOf('https://127.0.0.1:80/')!, /port/);
  assert.match(issueOf('http://127.0.0.1:8443/')!, /https/);
  assert.match(issueOf('https://user@127.0.0.1/')!, /user/);
});

for (const cidr of ['', '127.0.0.1', '127.0.0.0/33', '::1/129', 'a/8', '10.0.0.0/8/8']) {
  test(`says that ${JSON.stringify(cidr)} is not a CIDR`, () => {
    const message = `not a CIDR: ${cidr}`;
    assert.throws(() => callbackIssue('https://peer.example/', [cidr]), { message });
  });
}

/** A host has one name; path and query stay byte for byte. */
const READ: [url: string, host: string, target: string][] = [
  ['https://peer.example', 'peer.example', '/'],
  ['https://peer.example?', 'peer.example', '/?'],
  ['https://peer.example?a=b', 'peer.example', '/?a=b'],
  ['https://peer.example/a/../b/./%2e%2E/c', 'peer.example', '/a/../b/./%2e%2E/c'],
  ["https://peer.example/?q='%27|{}^`&&=%zz%4a+", 'peer.example', "/?q='%27|{}^`&&=%zz%4a+"],
  ['https://PEER.example:8443/', 'peer.example:8443', '/'],
  ['https://peer.example.:8443/', 'peer.example:8443', '/'],
  ['https://%70eer.example:08443/', 'peer.example:8443', '/'],
  ['https://[2A00:0::1]:8443/', '[2a00::1]:8443', '/'],
];
for (const [url, host, target] of READ) {
  test(`reads ${url} as ${host} and ${target}`, () => {
    assert.deepEqual(readCallback(url, new AddressRule([])), { host, target });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRule } from '../../sidecar/hub/outbound/address-rule.ts';
import { callbackIssue, readCallback } from '../../sidecar/hub/outbound/callback-url.ts';
import { hostileCallbacks, UNFIT_CALLBACKS } from '../support/hostile-callbacks.ts';

for (const [url, issue] of [...hostileCallbacks(8443), ...UNFIT_CALLBACKS]) {
  test(`refuses ${JSON.stringify(url).slice(0, 80)}`, () => {
    assert.equal(callbackIssue(url, []), issue);
  });
}

const GOOD = (
  'https://peer.example https://peer.example/ HTTPS://PEER.EXAMPLE/ ' +
  'https://peer.example./callback https://peer.example:443/ https://peer.example:1024/ ' +
  'https://peer.example:65535/?a=1&b=%zz https://under_score.example/ ' +
  'https://xn--bcher-kva.example/ https://127.0.0.1.peer.example/ ' +
  'https://localhost.example/ https://8.8.8.8/ https://172.32.0.1/ https://100.128.0.1/ ' +
  'https://[2606:4700:4700::1111]/ https://[2a00:1450:4001::1]:8443/'
).split(' ');

for (const url of GOOD) {
  test(`takes ${url}`, () => {
    assert.equal(callbackIssue(url, []), undefined);
  });
}

test('an allowed network is exempt from the address rule, and from no other', () => {
  const allow = ['127.0.0.0/8', 'fd00::/8'];
  assert.equal(callbackIssue('https://127.0.0.1:8443/', allow), undefined);
  assert.equal(callbackIssue('https://2130706433:8443/', allow), undefined);
  assert.equal(callbackIssue('https://localhost:8443/', allow), undefined);
  assert.equal(callbackIssue('https://[fd00::1]/', allow), undefined);
  assert.match(callbackIssue('https://10.0.0.1/', allow)!, /address/);
  assert.match(callbackIssue('https://[::1]/', allow)!, /address/);
  assert.match(callbackIssue('https://127.0.0.1:80/', allow)!, /port/);
  assert.match(callbackIssue('http://127.0.0.1:8443/', allow)!, /https/);
  assert.match(callbackIssue('https://user@127.0.0.1/', allow)!, /user/);
});

for (const cidr of ['', '127.0.0.1', '127.0.0.0/33', '::1/129', 'a/8', '10.0.0.0/8/8']) {
  test(`says that ${JSON.stringify(cidr)} is not a CIDR`, () => {
    assert.throws(() => callbackIssue('https://peer.example/', [cidr]), {
      message: `not a CIDR: ${cidr}`,
    });
  });
}

const TARGETS = {
  'https://peer.example': '/',
  'https://peer.example?': '/?',
  'https://peer.example?a=b': '/?a=b',
  'https://peer.example/a/../b/./%2e%2E/c': '/a/../b/./%2e%2E/c',
  "https://peer.example/?q='%27|{}^`&&=%zz%4a+%20": "/?q='%27|{}^`&&=%zz%4a+%20",
};

for (const [url, target] of Object.entries(TARGETS)) {
  test(`keeps path and query of ${url} byte for byte`, () => {
    const callback = readCallback(url, new AddressRule([]));
    assert.deepEqual(callback, { host: 'peer.example', target });
  });
}

const HOSTS: Record<string, string> = {
  'PEER.example:8443': 'peer.example:8443',
  'peer.example.:8443': 'peer.example:8443',
  '%70eer.example:08443': 'peer.example:8443',
  '[2A00:0::1]:8443': '[2a00::1]:8443',
};

for (const [written, host] of Object.entries(HOSTS)) {
  test(`names the host ${written} as ${host}`, () => {
    const callback = readCallback(`https://${written}/`, new AddressRule([]));
    assert.deepEqual(callback, { host, target: '/' });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsFor } from '../../sidecar/hub/request.ts';

test('a host has 200 subscriptions, and a network 100 requests that wait', () => {
  for (const host of ['peer.example', '8.8.8.8', '[2606:4700:4700::1111]']) {
    const { perHost, pendingPerClient, pending } = limitsFor(`https://${host}/callback`, 1_000);
    assert.deepEqual([perHost, pendingPerClient, pending], [200, 100, 10_000], host);
  }
});

test('hosts at private addresses are the operator’s, and have no limits of their own', () => {
  for (const host of ['10.0.0.7', '127.0.0.1', '[fd00::1]']) {
    const { perHost, pendingPerClient, subscriptions } = limitsFor(`https://${host}/a`, 1_000);
    assert.deepEqual([perHost, pendingPerClient, subscriptions], [Infinity, Infinity, 1_000], host);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../../sidecar/hub/queue.ts';

function queueOf(...items: string[]): Queue<string> {
  const queue = new Queue<string>();
  for (const item of items) queue.push(item);
  return queue;
}

test('items leave in the order they came, each once', () => {
  const queue = queueOf('a', 'b', 'a', 'c');
  assert.equal(queue.size, 3);
  assert.equal(queue.first, 'a');
  assert.deepEqual([...queue.take(2)], ['a', 'b']);
  queue.push('a'); // behind the others now
  assert.deepEqual([...queue.take(Infinity)], ['c', 'a']);
  assert.equal(queue.first, undefined);
});

test('an item can leave from anywhere', () => {
  const queue = queueOf('a', 'b', 'c');
  assert.ok(queue.delete('a'));
  assert.ok(!queue.delete('a'));
  assert.equal(queue.first, 'b');
  assert.ok(queue.delete('b'));
  assert.deepEqual([...queue.take(Infinity)], ['c']);
});

test('whoever stops taking leaves the rest', () => {
  const queue = queueOf('a', 'b', 'c');
  for (const item of queue.take(Infinity)) if (item === 'b') break;
  assert.deepEqual([...queue.take(1)], ['c']);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verify } from '../../src/commands/verify.ts';
import { sampleEdition } from '../support/edition.ts';

const client = await sampleEdition();

test('every number of an edition can be derived again, from its labels and from its words', async () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const files = [join(client, 'reviews.json'), join(client, 'insights.json')];
  assert.equal(await verify(files, print), 0);
  assert.equal(await verify(['--deep', client], print), 0);
  assert.match(lines.join('\n'), /every count and quote holds.*\nevery review was read again/);
});

test('a document of another kind or version is refused in one line', async () => {
  const reviews = join(client, 'reviews.json');
  await assert.rejects(
    async () => verify([reviews, reviews], () => {}),
    ({ message }: Error) =>
      /reviews\.json is not of the kind and version.*more issues$/.test(message) &&
      !message.includes('\n'),
  );
});

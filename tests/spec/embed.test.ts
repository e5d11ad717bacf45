import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachTarget } from '../support/targets.ts';

// oEmbed 1.0, section 2.

interface Embed {
  html: string;
  width: number;
  height: number;
}

forEachTarget((target) => {
  const embedOf = (query: string) => target.json<Embed>(`/oembed.json?${query}`);

  test('the frame has at most the size that was asked for', async () => {
    const whole = await target.json<Embed>('/oembed.json');
    for (const [query, width, height] of [
      ['maxwidth=300', 300, whole.height],
      ['maxwidth=300&maxheight=200.5', 300, 200],
      ['maxwidth=9999&maxheight=0', whole.width, whole.height],
      ['maxwidth=wide', whole.width, whole.height],
    ] as const) {
      const embed = await embedOf(query);
      assert.deepEqual([embed.width, embed.height], [width, height], query);
      assert.ok(embed.html.includes(` width="${width}" height="${height}" `), embed.html);
    }
  });

  test('a page of the site has the frame, a page of another one is 404', async () => {
    const { base_url: baseUrl } = await target.manifest();
    const whole = await target.json<Embed>('/oembed.json');
    for (const page of [baseUrl, `${baseUrl}/`, `${baseUrl}/insights/`]) {
      assert.deepEqual(await embedOf(`format=json&url=${encodeURIComponent(page)}`), whole, page);
    }
    for (const page of ['https://elsewhere.example/', `${baseUrl}.elsewhere.example/`]) {
      const { status } = await target.fetch(`/oembed.json?url=${encodeURIComponent(page)}`);
      assert.equal(status, 404, page);
    }
  });

  test('another format than JSON is 501', async () => {
    const { status } = await target.fetch('/oembed.json?format=xml');
    assert.equal(status, 501);
  });
});

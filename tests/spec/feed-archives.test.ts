import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachTarget } from '../support/targets.ts';

// RFC 5005 (feed paging and archiving) and next_url of JSON Feed 1.1: readers can get every review.

/** The address of the archive that follows, in the text of a feed or an archive. */
const NEXT = {
  '/api/feed.json': /"next_url":"([^"]+)"/,
  '/feed.xml': /<link rel="prev-archive" href="([^"]+)"\/>/,
};

forEachTarget((target) => {
  for (const [start, next] of Object.entries(NEXT)) {
    test(`the chain from ${start} has every review, and each in one archive`, async () => {
      const pages = new Map<string, string[]>();
      for (let path: string | undefined = start; path !== undefined;) {
        assert.ok(!pages.has(path), `${path} follows itself`);
        const answer = await target.fetch(path);
        assert.equal(answer.status, 200, path);
        const text = await answer.text();
        pages.set(path, text.match(/(?<=<id>|"id":")urn:ulid:\w{26}/g) ?? []);
        const [, url] = next.exec(text) ?? [];
        path = url && new URL(url).pathname;
      }
      const [newest, ...archives] = pages.values();
      const ids = (await target.dataset()).reviews.map(({ id }) => `urn:ulid:${id}`);
      assert.deepEqual(newest, ids.slice(0, 50));
      const archived = archives.flat();
      assert.equal(new Set(archived).size, archived.length);
      // Entries with the same id are one (RFC 5005, section 4).
      assert.deepEqual([...new Set([...newest!, ...archived])], ids);
    });
  }
});

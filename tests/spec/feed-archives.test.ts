import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachTarget, type Target } from '../support/targets.ts';

// RFC 5005 (feed paging and archiving) and next_url of JSON Feed 1.1: readers can get every review.

/** A feed or an archive, reduced to what leads on. */
interface Page {
  ids: string[];
  next: string | undefined;
}

const FORMATS = [
  {
    path: '/api/feed.json',
    read: (text: string): Page => {
      const feed = JSON.parse(text) as { items: { id: string }[]; next_url?: string };
      return { ids: feed.items.map(({ id }) => id), next: feed.next_url };
    },
  },
  {
    path: '/feed.xml',
    read: (text: string): Page => ({
      ids: [...text.matchAll(/<entry [\s\S]*?<id>([^<]+)<\/id>/g)].map(([, id]) => id!),
      next: /<link rel="prev-archive" href="([^"]+)"\/>/.exec(text)?.[1],
    }),
  },
];

forEachTarget((target) => {
  for (const { path, read } of FORMATS) {
    test(`the chain from ${path} has every review, and each in one archive`, async () => {
      const [feed, ...archives] = await chain(target, path, read);
      const { reviews } = await target.dataset();
      const ids = reviews.map(({ id }) => `urn:ulid:${id}`);
      assert.deepEqual(feed!.ids, ids.slice(0, 50));
      const archived = archives.flatMap((archive) => archive.ids);
      assert.equal(new Set(archived).size, archived.length);
      // Entries with the same id are one (RFC 5005, section 4).
      assert.deepEqual([...new Set([...feed!.ids, ...archived])], ids);
    });
  }
});

/** Follows a feed to its end. */
async function chain(target: Target, start: string, read: (text: string) => Page): Promise<Page[]> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  for (let path: string | undefined = start; path !== undefined;) {
    assert.ok(!seen.has(path), `${path} follows itself`);
    seen.add(path);
    const answer = await target.fetch(path);
    assert.equal(answer.status, 200, path);
    const page = read(await answer.text());
    pages.push(page);
    path = page.next && new URL(page.next).pathname;
  }
  return pages;
}

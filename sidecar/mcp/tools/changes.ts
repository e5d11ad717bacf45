import { z } from 'zod';
import { reviewPath } from '../../../src/paths.ts';
import { journalEntry, journalHead } from '../../../src/schema/journal.ts';
import { calendarDate, count, instant } from '../../../src/schema/primitives.ts';
import { defineTool, reviewInPart, ToolError, withReviews } from './tool.ts';

/** Changes and reviews in an answer. */
const MAX_CHANGES = 100;
const MAX_REVIEWS = 10;

const change = journalEntry.pick({ seq: true, at: true, change: true, id: true, date: true });

export const whatChanged = defineTool({
  title: 'What changed',
  description:
    'Use this when somebody asks what is new or changed: reviews added, edited, answered (replied) or withdrawn since a day, or after head.seq of an earlier answer: counts, the ' +
    `newest ${MAX_CHANGES} changes, and ${MAX_REVIEWS} of the reviews as they are now. complete false: counts begin at known_from; older has the rest. ` +
    'Empty changes: nothing changed.',
  input: z.strictObject({
    since: calendarDate.optional().describe('Day of recording, YYYY-MM-DD.'),
    after: z.int().min(0).optional().describe('Number of the last known change.'),
  }),
  output: z.strictObject({
    head: journalHead,
    complete: z.boolean(),
    known_from: instant.nullable(),
    older: z.string().optional(),
    counts: z.strictObject({ added: count, edited: count, replied: count, withdrawn: count }),
    changes: z.array(change.extend({ url: z.string(), reason: z.string().optional() })),
    reviews: z.array(reviewInPart),
  }),
  answer({ since = '', after = 0 }, { changes: journal, ids, manifest, search }) {
    const { head, complete, changes, next } = journal;
    if (after > head.seq) {
      const message = `The newest change has number ${head.seq}: after must be head.seq of an earlier answer of this site.`;
      throw new ToolError({ error: 'unknown_change', message });
    }
    const found = changes.filter(({ at, seq }) => at.slice(0, 10) >= since && seq > after);
    const numberOf = (kind: string) => found.filter(({ change }) => change === kind).length;
    const positions = new Set(found.flatMap(({ id }) => ids.positionOf(id) ?? []));
    // If all known changes are in the answer, there may be older ones.
    const older = next && found.length === changes.length ? manifest.base_url + next : undefined;
    const answer = {
      head,
      complete: complete && older === undefined,
      known_from: changes.at(-1)?.at ?? null,
      ...(older && { older }),
      counts: {
        added: numberOf('added'),
        edited: numberOf('edited'),
        replied: numberOf('replied'),
        withdrawn: numberOf('withdrawn'),
      },
      changes: found.slice(0, MAX_CHANGES).map(({ seq, at, change, id, date, reason }) => {
        const url = manifest.base_url + reviewPath(id);
        return { seq, at, change, id, date, url, reason };
      }),
    };
    return withReviews(answer, search.lines, [...positions].slice(0, MAX_REVIEWS));
  },
});

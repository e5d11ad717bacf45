import { z } from 'zod';

/** Lifetime of a subscription in seconds; a requested lease outside of these is clamped. */
export const LEASE = { min: 300, max: 2_592_000, default: 864_000 } as const;

/** "The secret MUST be less than 200 bytes in length" (WebSub, section 5.1). */
export const SECRET_MAX_BYTES = 199;

/** Modes that a subscriber may ask for. */
export const MODES = ['subscribe', 'unsubscribe'] as const;

/** The form a subscriber sends to the hub (contract, section 4.9; W3C WebSub, section 5.1). */
export const hubRequest = z
  .object({
    'hub.callback': z
      .url({ protocol: /^https$/ })
      .describe('HTTPS URL that the subscriber controls; plain HTTP is refused.'),
    'hub.mode': z.enum(MODES),
    'hub.topic': z.url().describe('One of the topic URLs.'),
    'hub.lease_seconds': z
      .int()
      .min(0)
      .optional()
      .describe(
        `Wanted lifetime; held within ${LEASE.min} and ${LEASE.max}; ${LEASE.default} when left out or 0.`,
      ),
    'hub.secret': z
      .string()
      .max(SECRET_MAX_BYTES)
      .optional()
      .describe(`Under ${SECRET_MAX_BYTES + 1} bytes; every notification is then signed with it.`),
    'hub.etag': z
      .string()
      .optional()
      .describe(
        'ETag of the content that the subscriber has, in quotes; other content is sent at once.',
      ),
  })
  .meta({ title: 'Hub request' });

/** The form a publisher sends to the hub after a change. */
export const hubPing = z
  .object({
    'hub.mode': z.literal('publish'),
    'hub.url': z
      .url()
      .optional()
      .describe(
        'A topic URL, or several; hub.topic may name them instead. The hub reads them all.',
      ),
    'hub.topic': z.url().optional(),
  })
  .meta({ title: 'Hub ping' });

import { z } from 'zod';
import { HEALTH_PATH, READINESS_PATH } from '../paths.ts';
import { jsonBody, probe } from './openapi/answers.ts';
import type { Operation } from './operation.ts';

/** The state of the process, or of each of its parts. */
const health = z
  .object({ ok: z.boolean() })
  .catchall(z.unknown())
  .describe('ok, and for readiness an object with ok for each part.')
  .meta({ title: 'Health' });

export const PROBES: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'get',
    path: HEALTH_PATH,
    tag: 'Service',
    title: 'The process responds',
    description: 'For load balancers; says nothing of the hub or its store.',
    parts: { Health: health },
    answers: probe({ 200: jsonBody('Health', 'It does.') }),
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: READINESS_PATH,
    tag: 'Service',
    title: 'The state of every part',
    description: 'For operators: edition, hub and store.',
    answers: probe({
      200: jsonBody('Health', 'Every part does its work.'),
      503: jsonBody('Health', 'A part cannot do its work.'),
    }),
  },
];

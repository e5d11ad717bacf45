import { ATOM_TYPE, HUB_PATH, JSON_FEED_PATH, JSON_TYPE } from '../paths.ts';
import { ERRORS } from '../schema/error.ts';
import { hubPing, hubRequest } from '../schema/hub-request.ts';
import { HTML_TYPE, PLAIN_TYPE } from './openapi/answers.ts';
import { schemaRef } from './openapi/components.ts';
import type { HeaderName } from './openapi/headers.ts';
import type { Example, Operation, ResponseSpec } from './operation.ts';
import type { Source } from './source.ts';

/** Returns an error of the hub: a line of text, or JSON if Accept asks for it. */
const refused = (description: string, ...headers: HeaderName[]): ResponseSpec => ({
  description,
  content: { [PLAIN_TYPE]: null, [JSON_TYPE]: 'Error' },
  headers,
});

const string = { type: 'string' };

const parameter = (
  name: string,
  required: boolean,
  description: string,
  schema: object = string,
) => ({
  name: `hub.${name}`,
  in: 'query',
  required,
  description,
  schema,
});

const header = (description: string) => ({ description, schema: string });

const notificationHeader = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  ...header(description),
});

/** The requests that the hub sends to a subscriber (WebSub, sections 5.3 and 7). */
const callbacks = {
  subscriber: {
    '{$request.body#/hub.callback}': {
      get: {
        operationId: 'verifyIntent',
        tags: ['WebSub'],
        summary: 'The hub verifies a request, or tells of a subscription',
        description:
          'subscribe and unsubscribe must be answered with the challenge; denied is a notice.',
        parameters: [
          parameter('mode', true, 'What was asked for, or denied.', {
            type: 'string',
            enum: ['subscribe', 'unsubscribe', 'denied'],
          }),
          parameter('topic', true, 'The topic as given in the request.'),
          parameter('challenge', false, 'A random text to repeat; absent with denied.'),
          parameter('lease_seconds', false, 'Lifetime of the subscription.', { type: 'integer' }),
          parameter('reason', false, 'With denied: why the subscription was refused or has ended.'),
        ],
        responses: {
          '2XX': {
            description: 'Confirms the request if the body is exactly the challenge.',
            content: { [PLAIN_TYPE]: { schema: string } },
          },
          '4XX': { description: 'Refuses the request.' },
        },
      },
      post: {
        operationId: 'receiveNotification',
        tags: ['WebSub'],
        summary: 'The hub pushes a topic',
        description: 'Sent when the content changed, with all of it. Answer within 10 seconds.',
        parameters: [
          notificationHeader('Link', true, 'The topic with rel=self, the hub with rel=hub.'),
          notificationHeader('ETag', true, 'Of the content: recognizes repeats.'),
          notificationHeader('Content-Digest', true, 'SHA-256 of the body (RFC 9530).'),
          notificationHeader('X-Hub-Signature', false, 'With a secret: sha256= and the HMAC.'),
        ],
        requestBody: {
          required: true,
          content: {
            [ATOM_TYPE]: { schema: string },
            [JSON_TYPE]: {
              schema: {
                anyOf: [schemaRef('JsonFeed'), schemaRef('ReviewsDataset'), schemaRef('Changes')],
              },
            },
          },
        },
        responses: {
          '2XX': { description: 'Acknowledges the push.' },
          '410': { description: 'Ends the subscription.' },
          '5XX': {
            description: 'The push is retried; the third failure in a row ends the subscription.',
            headers: { 'Retry-After': header('Seconds to wait before the retry.') },
          },
        },
      },
    },
  },
};

export const HUB: Operation = {
  id: 'requestSubscription',
  method: 'post',
  path: HUB_PATH,
  needs: 'sidecar',
  tag: 'WebSub',
  title: 'Subscribe to changes (WebSub)',
  description:
    'Asks the hub to push a topic to your callback, or to stop. The hub first verifies the callback with a challenge. Errors are a line of text, or JSON if Accept asks for it. Publishers send hub.mode=publish after a change.',
  parts: { HubRequest: hubRequest, HubPing: hubPing },
  body: { 'application/x-www-form-urlencoded': ['HubRequest', 'HubPing'] },
  answers: {
    202: { description: 'Accepted; the hub now verifies it with the callback. Empty.' },
    400: refused('A field is invalid; issues lists every one.'),
    405: {
      ...refused('Sent for any other method, with an explanation; a page for browsers.', 'Allow'),
      content: { [PLAIN_TYPE]: null, [JSON_TYPE]: 'Error', [HTML_TYPE]: null },
    },
    413: refused('The form is over 8 KiB.'),
    415: refused('The body is not a form.'),
    429: refused('Too many requests from this address; see Retry-After.', 'Retry-After'),
    500: refused(ERRORS.internal[1]),
    503: refused('The hub is full or its store is down; see Retry-After.', 'Retry-After'),
  },
  callbacks,
  examples: subscriptionExamples,
};

function subscriptionExamples({ baseUrl }: Source): Example[] {
  const request = (callback: string) =>
    [
      `curl -s -w '%{http_code}\\n' '${baseUrl}${HUB_PATH}' \\`,
      `  --data-urlencode 'hub.mode=subscribe' \\`,
      `  --data-urlencode 'hub.topic=${baseUrl}${JSON_FEED_PATH}' \\`,
      `  --data-urlencode 'hub.callback=${callback}' \\`,
      `  --data-urlencode 'hub.secret=a long random string'`,
    ].join('\n');
  return [
    {
      says: 'Subscribe to a topic',
      command: request('https://subscriber.example/reviews'),
      answer: '202',
    },
    {
      says: 'Plain HTTP is refused with a one-line reason',
      command: request('http://subscriber.example/reviews'),
    },
  ];
}

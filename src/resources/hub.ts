import { HUB_PATH, JSON_FEED_PATH, JSON_TYPE } from '../paths.ts';
import { ERRORS } from '../schema/error.ts';
import { hubPing, hubRequest } from '../schema/hub-request.ts';
import { HTML_TYPE, PLAIN_TYPE } from './openapi/answers.ts';
import type { HeaderName } from './openapi/headers.ts';
import type { Example, Operation, ResponseSpec } from './operation.ts';
import type { Source } from './source.ts';

/** Returns an error of the hub: a line of text, or JSON if Accept asks for it. */
const refused = (description: string, ...headers: HeaderName[]): ResponseSpec => ({
  description,
  content: { [PLAIN_TYPE]: null, [JSON_TYPE]: 'Error' },
  headers,
});

export const HUB: Operation = {
  id: 'requestSubscription',
  method: 'post',
  path: HUB_PATH,
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

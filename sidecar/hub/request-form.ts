import type { Issue } from '../../src/schema/error.ts';
import { LEASE, MODES, SECRET_MAX_BYTES } from '../../src/schema/hub-request.ts';
import { callbackIssue } from './outbound/callback-url.ts';

/** A subscriber's request. */
export interface SubscriberRequest {
  mode: (typeof MODES)[number];
  callback: string;
  topicUrl: string;
  /** Null unless subscribing. */
  secret: string | null;
  leaseSeconds: number;
  /** ETag of the content that the subscriber has, if stated; other content is sent at once. */
  etag?: string;
}

/** A request whose text is valid. A ping says that the edition has changed, whichever topics it names. */
export type HubRequest = SubscriberRequest | { mode: 'publish' };

/** Rules that requests are checked against. */
export interface RequestRules {
  topicUrls: readonly string[];
  /** CIDRs of private addresses that callbacks may use. */
  allow: readonly string[];
}

const CALLBACK_LENGTH = 2048;
/** Some libraries send 0 for any lease, or a number with a fraction of zeros. */
const LEASE_SECONDS = /^(?:0|[1-9]\d*)(?:\.0+)?$/;
/** PostgreSQL rejects NUL; U+FFFD replaces invalid UTF-8, so the secret would differ. */
const NO_SECRET = /[\0\uFFFD]/;
/** A quoted ETag (RFC 9110, section 8.8.3), and that of this service, of whichever encoding. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const ETAG_LENGTH = 200;
const OWN_ETAG = /^(?:W\/)?("[\w-]{43})(?:-\w+)?"$/;
/** A character that no address needs to escape, such as `%2E` for a dot (RFC 3986, section 6.2.2.2). */
const ESCAPED = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi;
/** Other fields are ignored (WebSub, section 5.1). */
const FIELDS = ['callback', 'mode', 'topic', 'lease_seconds', 'secret', 'etag'] as const;
/** Fields that may name the topics of a ping. */
const PING_FIELDS = ['hub.url', 'hub.topic'] as const;

/** Parses a form by its text alone. Issues never repeat values. */
export function parseHubRequest(
  body: string,
  rules: RequestRules,
): { request: HubRequest } | { issues: Issue[] } {
  const form = new URLSearchParams(body);
  const mode = form.getAll('hub.mode');
  if (mode.length === 1 && mode[0] === 'publish') return parsePublish(form, rules);
  return parseSubscription(form, rules);
}

function parseSubscription(
  form: URLSearchParams,
  rules: RequestRules,
): { request: HubRequest } | { issues: Issue[] } {
  const issues: Issue[] = [];
  const addIssue = (field: string, code: string, message: string) =>
    void issues.push({ path: [`hub.${field}`], code, message });
  for (const field of FIELDS) {
    if (form.getAll(`hub.${field}`).length > 1) addIssue(field, 'repeated', 'must be given once');
  }
  const mode = MODES.find((known) => known === form.get('hub.mode'));
  if (!mode) addIssue('mode', 'invalid_mode', `must be ${MODES.join(', ')} or publish`);
  const callback = form.get('hub.callback') ?? '';
  const wrong = checkCallback(callback, rules.allow);
  if (wrong) addIssue('callback', ...wrong);
  const topicUrl = ownTopic(form.get('hub.topic') ?? '', rules);
  if (topicUrl === undefined) addIssue('topic', ...unknownTopic(rules));

  const subscribing = mode === 'subscribe';
  /** An empty field counts as absent. */
  const given = (field: string) => (subscribing && form.get(`hub.${field}`)) || null;
  const secret = given('secret');
  if (secret !== null && Buffer.byteLength(secret) > SECRET_MAX_BYTES) {
    addIssue('secret', 'invalid_secret', `must be at most ${SECRET_MAX_BYTES} bytes`);
  } else if (secret !== null && NO_SECRET.test(secret)) {
    addIssue('secret', 'invalid_secret', 'must be UTF-8 without a NUL');
  }
  const lease = given('lease_seconds');
  if (lease !== null && !LEASE_SECONDS.test(lease)) {
    addIssue('lease_seconds', 'invalid_lease', 'must be a whole number of seconds, or 0 for any');
  }
  const etag = given('etag');
  if (etag !== null && (etag.length > ETAG_LENGTH || !ETAG.test(etag))) {
    const message = `must be an ETag in quotes, at most ${ETAG_LENGTH} characters`;
    addIssue('etag', 'invalid_etag', message);
  }
  if (issues.length > 0 || !mode || topicUrl === undefined) return { issues };
  const leaseSeconds =
    Number(lease) === 0 ? LEASE.default : Math.min(Math.max(Number(lease), LEASE.min), LEASE.max);
  return {
    request: {
      mode,
      callback,
      topicUrl,
      secret,
      leaseSeconds,
      ...(etag !== null && { etag: etag.replace(OWN_ETAG, '$1"') }),
    },
  };
}

function ownTopic(url: string, { topicUrls }: RequestRules): string | undefined {
  const { href } = URL.parse(url.replaceAll(ESCAPED, decodeURIComponent)) ?? {};
  return topicUrls.find((topic) => topic === href);
}

function parsePublish(
  form: URLSearchParams,
  rules: RequestRules,
): { request: HubRequest } | { issues: Issue[] } {
  if (PING_FIELDS.every((field) => !form.has(field))) {
    const message = 'must name a topic, or hub.topic instead';
    return { issues: [{ path: ['hub.url'], code: 'missing', message }] };
  }
  const foreign = PING_FIELDS.filter((field) =>
    form.getAll(field).some((url) => ownTopic(url, rules) === undefined),
  );
  if (foreign.length === 0) return { request: { mode: 'publish' } };
  const [code, message] = unknownTopic(rules);
  return { issues: foreign.map((field) => ({ path: [field], code, message })) };
}

function checkCallback(
  callback: string,
  allow: readonly string[],
): [code: string, message: string] | undefined {
  if (callback === '') return ['missing', 'must be given'];
  if (callback.length > CALLBACK_LENGTH) {
    return ['too_long', `must be at most ${CALLBACK_LENGTH} characters`];
  }
  const issue = callbackIssue(callback, allow);
  return issue === undefined ? undefined : ['invalid_callback', issue];
}

function unknownTopic({ topicUrls }: RequestRules): [code: string, message: string] {
  return ['unknown_topic', `must be one of ${topicUrls.join(', ')}`];
}

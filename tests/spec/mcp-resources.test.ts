import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insightsDigest } from '../../src/schema/insights-digest.ts';
import { answerOf, ask, eachOf, post, request } from '../support/mcp.ts';
import type { Review } from '../../src/schema/review.ts';
import { forEachTarget } from '../support/targets.ts';

// MCP: resources, their templates, prompts.

/** Bytes of one part of the insights, which take 67,000 together. */
const PART_MAX = 8_000;

const REVIEW = 'reviews://review/{id}';
const PROMPT = 'summarize_service_reviews';

forEachTarget((target) => {
  const read = async (uri: string) => {
    const { contents } = await ask(target, 'resources/read', { uri });
    assert.equal(contents.length, 1);
    assert.deepEqual([contents[0].uri, contents[0].mimeType], [uri, 'application/json']);
    return JSON.parse(contents[0].text);
  };

  test('each resource that is listed can be read', async () => {
    const { resources } = await ask(target, 'resources/list');
    const [business, insights] = eachOf(resources, 'uri');
    assert.deepEqual([business, insights], ['reviews://business', 'reviews://insights']);
    assert.deepEqual(await read('reviews://business'), await answerOf(target, 'get_business'));
    const digest = await target.json('/insights-digest.json');
    assert.deepEqual(await read('reviews://insights'), digest);
  });

  test('aspects, services and technicians are listed one by one, and each is short', async () => {
    const { aspects, entities } = insightsDigest.parse(await target.json('/insights-digest.json'));
    const { resources } = await ask(target, 'resources/list');
    const parts = [
      ...aspects.map((value) => [`reviews://aspect/${value.id}`, value] as const),
      ...entities.services.map((value) => [`reviews://service/${value.id}`, value] as const),
      ...entities.technicians.map((value) => [`reviews://technician/${value.id}`, value] as const),
    ];
    const uris = parts.map(([uri]) => uri);
    assert.deepEqual(eachOf(resources, 'uri').slice(2), uris);
    for (const [uri, value] of parts) {
      assert.deepEqual(await read(uri), value);
      assert.ok(JSON.stringify(value).length < PART_MAX, uri);
    }
  });

  test('problems, areas, topics and answers of the FAQ are resources by their templates', async () => {
    const digest = insightsDigest.parse(await target.json('/insights-digest.json'));
    for (const [kind, [first]] of [
      ['problem', digest.entities.problems],
      ['area', digest.entities.service_areas],
      ['topic', digest.topics],
      ['faq', digest.faq],
    ] as const) {
      assert.deepEqual(await read(`reviews://${kind}/${first!.id}`), first);
    }
  });

  test('a review is a resource by the template', async () => {
    const { resourceTemplates } = await ask(target, 'resources/templates/list');
    const kinds = 'review aspect technician service problem area topic faq'.split(' ');
    const templates = kinds.map((kind) => `reviews://${kind}/{id}`);
    assert.deepEqual(eachOf(resourceTemplates, 'uriTemplate'), templates);
    const { reviews } = await target.dataset();
    assert.deepEqual(await read(REVIEW.replace('{id}', reviews[7]!.id)), reviews[7]);
  });

  test('an unknown resource is -32002, with its URI', async () => {
    for (const uri of [
      'reviews://nothing',
      'reviews://review/',
      'reviews://aspect/x',
      'file:///etc/passwd',
    ]) {
      const { status, body } = await post(target, request('resources/read', { uri }));
      assert.deepEqual([status, body!.error!.code, body!.error!.data], [200, -32002, { uri }]);
    }
  });

  test('every prompt brings along documents as they are published, before its task', async () => {
    const { prompts } = await ask(target, 'prompts/list');
    const { items } = await answerOf(target, 'list_insights', { kind: 'services' });
    const [{ id, date }] = (await target.dataset()).reviews as [Review];
    const asked: [name: string, args: Record<string, string>, documents: number][] = [
      [PROMPT, { service: items[0].label }, 1],
      ['report_month', { month: date.slice(0, 7) }, 2],
      ['list_unanswered_reviews', {}, 1],
      ['draft_reply', { id }, 2],
    ];
    assert.deepEqual(
      prompts.map(({ name, arguments: args = [] }: { name: string; arguments?: object[] }) => [
        name,
        args.map((each) => ({ ...each, description: undefined })),
      ]),
      asked.map(([name, args]) => [
        name,
        Object.keys(args).map((name) => ({ name, required: true, description: undefined })),
      ]),
    );
    for (const [name, args, documents] of asked) {
      const { messages } = await ask(target, 'prompts/get', { name, arguments: args });
      const { role, content: task } = messages.pop();
      assert.deepEqual([role, task.type], ['user', 'text']);
      assert.match(task.text, /data, never as instructions\.$/, name);
      if (name === PROMPT) assert.ok(task.text.includes(args.service));
      assert.equal(messages.length, documents, name);
      for (const { role, content } of messages) {
        assert.deepEqual([role, content.type], ['user', 'resource']);
        const { pathname, search } = new URL(content.resource.uri);
        const published = await target.json<object>(pathname + search);
        assert.partialDeepStrictEqual(published, JSON.parse(content.resource.text));
      }
    }
  });

  test('an argument that is missing, or names nothing, is -32602', async () => {
    const params = [{ month: '2026-13' }, { month: 'May' }, {}].map((args) => {
      return { name: 'report_month', arguments: args };
    });
    const services = ['teleportation', 'x'.repeat(300)];
    const unknown = services.map((service) => ({ name: PROMPT, arguments: { service } }));
    for (const each of [...params, { name: PROMPT, arguments: {} }, ...unknown]) {
      const { body } = await post(target, request('prompts/get', each));
      assert.equal(body!.error!.code, -32602);
    }
  });
});

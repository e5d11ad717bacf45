import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { readRelease } from '../../src/content/read-pack.ts';
import { packLabel } from '../../src/messages/pack-label.ts';
import { CATALOGS, type MessageId } from '../../src/messages/wording.ts';

const ENGLISH = CATALOGS.en;
const LANGUAGES = Object.entries(CATALOGS);

/** The files that write what a person reads, without those for developers. */
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(astro|ts)$/.test(name) && name !== 'messages/wording.ts')
  .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));
const code = files.map(({ text }) => text).join('\n');

/** Returns the values and tags of a message, as `{count}` and `<a>`. */
function placeholders(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return [`<${element.value}>`, ...placeholders(element.children)];
    const options = 'options' in element ? Object.values(element.options) : [];
    return [`{${element.value}}`, ...options.flatMap(({ value }) => placeholders(value))];
  });
}

const needed = (message: string) => [...new Set(placeholders(parse(message)))].sort();

test('each language has the messages of English, with the same values and tags', () => {
  assert.ok(LANGUAGES.length > 2 && Object.keys(ENGLISH).length > 300);
  for (const [language, catalog] of LANGUAGES) {
    assert.deepEqual(Object.keys(catalog), Object.keys(ENGLISH), language);
    for (const [id, message] of Object.entries(ENGLISH)) {
      const own = catalog[id as MessageId];
      // English has one form for some numbers, where another language has two.
      const isCounted = (value: string) => value !== '{count}' || needed(message).includes(value);
      assert.deepEqual(needed(own).filter(isCounted), needed(message), `${language} ${id}: ${own}`);
    }
  }
});

test('a message has no value with the name of a tag', () => {
  assert.ok(Object.values(ENGLISH).filter((message) => message.includes('<')).length > 20);
  for (const [id, message] of Object.entries(ENGLISH)) {
    const names = needed(message).map((each) => each.slice(1, -1));
    assert.equal(new Set(names).size, names.length, id);
  }
});

test('each plural has the forms of its language', () => {
  let plurals = 0;
  for (const [language, catalog] of LANGUAGES) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [id, message] of Object.entries(catalog)) {
      const own = parse(message).filter((element) => element.type === TYPE.plural);
      for (const { options } of own) {
        plurals++;
        // `many` of Romance languages is for millions, `zero` of Arabic reads like `other`.
        const optional = language === 'ar' ? 'zero' : 'many';
        const other = pluralCategories.filter((each) => each !== optional && !(each in options));
        assert.deepEqual(other, [], `${language} ${id}`);
      }
    }
  }
  assert.ok(plurals > 200, `${plurals} plurals`);
});

test('the code reads every message, and no message that is missing', () => {
  const prefixes = [...code.matchAll(/[`]([a-z_]+\.[a-z_]*)\$\{/g)].map(([, prefix]) => prefix!);
  const isRead = (id: string) =>
    code.includes(`'${id}'`) ||
    code.includes(`"${id}"`) ||
    id.startsWith('stated.') ||
    prefixes.some((prefix) => id.startsWith(prefix));
  for (const id of Object.keys(ENGLISH)) assert.ok(isRead(id), id);
});

/** "Verified reviews" claims more than was checked (src/schema/platforms.ts), in any language. */
const CLAIMS =
  /verified (?:customer )?reviews?|(?:verifizierte|geprüfte|bestätigte|echte)n? (?:Kunden)?bewertung|reseñas? (?:verificada|comprobada|auténtica)|avis (?:\S+ )?(?:vérifié|contrôlé|authentique)|تقييمات (?:موث|محقق|حقيقية)/iu;

test('no language calls reviews verified', () => {
  const claims = LANGUAGES.flatMap(([language, catalog]) =>
    Object.entries(catalog)
      .filter(([, message]) => CLAIMS.test(message))
      .map(([id]) => `${language} ${id}`),
  );
  assert.deepEqual(claims, []);
  for (const claim of ['geprüfte Bewertungen', 'avis vérifiés', 'تقييمات موثقة']) {
    assert.match(claim, CLAIMS);
  }
});

/** Markup that a person reads: text between tags, and the attributes that name things. */
const WORDS =
  /(?:>|\})([^<>{}=;]*\p{L}{2}[^<>{}=;]*)(?=<|\{)|(?<![\w.-])(?:aria-label|title|alt|placeholder|label|content)="([^"]*\p{L}{2}[^"]*)"/gu;
/** Names of formats, files and settings are the same in every language. */
const SAME = /^(?:SHA-256|npm run verify --|width=.*|website|summary_large_image|noindex|#\w+)$/;

test('templates have no words of their own', () => {
  const templates = files.filter(({ name }) =>
    /^(?!.*(developers|Guide))(components|layouts|pages)\b.*\.astro$/.test(name),
  );
  const found = templates.flatMap(({ name, text }) => {
    const markup = text
      .replace(/^---\n[^]*?\n---\n/, '')
      .replace(/<(script|style)\b[^]*?<\/\1>/g, '')
      .replace(/\{\/\*[^]*?\*\/\}/g, '')
      .replace(/=>/g, '');
    return [...markup.matchAll(WORDS)]
      .map(([, between, attribute]) => (between ?? attribute)!.trim())
      .map((words) => ({ name, words }));
  });
  const own = found.filter(
    ({ words }) => !SAME.test(words) && !/^[)\]\s]|[?&|(]|\bconst\b|^,\s+\w+:$/.test(words),
  );
  assert.deepEqual(own, []);
  assert.ok(templates.length > 40 && found.length > 10, `${templates.length}, ${found.length}`);
});

test('every label and question of a trade pack is in every language', async () => {
  const { packs } = await readRelease();
  const words = packs.flatMap(({ aspects, topics, problems, faq }) => [
    ...[...aspects, ...topics, ...problems].map(({ label }) => label),
    ...faq.map(({ question }) => question),
  ]);
  assert.ok(words.length > 200, `${words.length} words`);
  // Some words are the same in both languages.
  const same = new Set(['Communication', 'Corrections', 'Portions', 'Service', 'Wi-Fi']);
  for (const language of Object.keys(CATALOGS).filter((each) => each !== 'en')) {
    const missing = words.filter((word) => packLabel(word, language) === word && !same.has(word));
    assert.deepEqual(missing, [], language);
  }
});

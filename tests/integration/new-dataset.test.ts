import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { newDataset } from '../../src/owner/commands/new-dataset.ts';
import { converse } from '../../src/owner/new-conversation.ts';
import { readContent } from '../../src/content/read-content.ts';
import { localBusiness } from '../../src/view/json-ld.ts';
import { guessPack } from '../../src/content/read-pack.ts';
import { UsageError } from '../../src/run-command.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const folderOf = async (context: TestContext) => join(await temporaryFolder(context), 'content');

/** Runs `npm run new` with these flags, and with a name and a category. */
function runNew(folder: string, flags: Record<string, string | true> = {}) {
  const all = { name: 'A', category: 'plumber', ...flags };
  const args = Object.entries<string | true>(all).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, value],
  );
  return runHere(newDataset, folder, args);
}

/** Writes a dataset, and returns it as the build reads it, with what was printed. */
async function written(context: TestContext, flags: Record<string, string | true> = {}) {
  const folder = await folderOf(context);
  const { error, output } = await runNew(folder, flags);
  assert.ifError(error);
  return { ...(await readContent(folder)), output };
}

test('writes a dataset that the build reads, of what is known', async (context) => {
  const { business, faq, reviews, summary, vocabulary, words, output } = await written(context, {
    name: 'Bistro Málaga',
    category: 'restaurant',
    city: 'Málaga',
    country: 'es',
    website: 'bistro.example',
    phone: '+34 951 555 014',
    'author-display': 'initials',
    solicitation: 'everyone, insiders',
    language: 'es',
  });
  assert.deepEqual(
    [business.name, business.url, business.phone, business.author_display],
    ['Bistro Málaga', 'https://bistro.example', '+34951555014', 'initials'],
  );
  assert.deepEqual([business.address!.city, business.address!.country], ['Málaga', 'ES']);
  assert.deepEqual(business.solicitation, ['everyone', 'insiders']);
  assert.deepEqual(business.service_areas, ['malaga']);
  assert.equal(vocabulary.service_areas[0]!.label, 'Málaga');
  assert.deepEqual([reviews, summary], [[], null]);
  assert.ok(faq.length > 0 && faq.every(({ answer }) => answer === null));
  assert.deepEqual([business.language, words.staff.singular], ['es', 'persona del equipo']);
  assert.match(output, /the pack restaurant, which speaks of servers and dishes;/);
});

test('a city may be written in any letters', async (context) => {
  const { business, vocabulary } = await written(context, {
    name: 'مطعم البحر',
    category: 'مطعم',
    city: 'دبي',
    country: 'ae',
    language: 'ar',
  });
  const [{ id, label } = { id: '', label: '' }] = vocabulary.service_areas;
  assert.equal(label, 'دبي');
  assert.deepEqual(business.service_areas, [id]);
});

test('takes the logo into the dataset, and no picture that pages could not show', async (context) => {
  const file = `${await folderOf(context)}.Logo.SVG`;
  await writeFile(file, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { logo } = await written(context, { logo: file });
  assert.deepEqual(logo, { type: 'svg', bytes: await readFile(file) });
  await writeFile(file, '<html/>');
  const { error } = await runNew(await folderOf(context), { logo: file });
  assert.ok(error instanceof UsageError);
  assert.match(error.message, /^--logo: .*\.Logo\.SVG is not an SVG picture/);
});

test('takes a city and a country without a street', async (context) => {
  const { business, output } = await written(context, { city: 'Lyon', country: 'fr' });
  assert.match(output, /^Names of authors will be published in full: --author-display initials/m);
  assert.match(output, /^The pages will be in English: --language fr writes/m);
  const address = { street: null, city: 'Lyon', region: null, postal_code: null, country: 'FR' };
  assert.deepEqual(business.address, address);
  const site = 'https://reviews.example';
  const { address: published } = localBusiness({ ...business, reviews_url: `${site}/` }, site, []);
  assert.equal(JSON.stringify(published).includes('null'), false);
});

test('takes countries and languages by their names', async (context) => {
  for (const [country, language, code, tag] of [
    ['Deutschland', 'German', 'DE', 'de'],
    ['uk', 'English', 'GB', undefined],
    ['España', 'spanisch', 'ES', 'es'],
    ['The Netherlands', 'en', 'NL', undefined],
  ] as const) {
    const { business } = await written(context, { city: 'A', country, language });
    assert.deepEqual([business.address!.country, business.language], [code, tag], country);
  }
});

/** A terminal at which these lines are typed, or pasted, before it closes. */
function terminal(lines: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(''));
  const shown = () => String(output.read() ?? '');
  return { input, output, shown };
}

test('asks again at once for what could not be published, with the reason', async (context) => {
  const draft = `${await folderOf(context)}.draft.json`;
  const typed =
    'Fenwick,drains,Hull,Atlantis,Großbritannien,555,,,,no-such.svg,,,karate,,,klingon,,';
  const { shown, ...streams } = terminal(['', ...typed.split(',')]);
  const answers = await converse({}, { ...streams, draft, filesOnly: true });
  const output = shown();
  for (const reason of ['This is needed.', 'must be an ISO 3166 country code', 'must be E.164']) {
    assert.ok(output.includes(reason), reason);
  }
  assert.match(output, /--logo: ENOENT.*no-such\.svg/);
  assert.match(output, /--trade: must be one of .* \(was "karate"\)/);
  assert.match(output, /language: must be en, es, .* \(was "klingon"\)/);
  assert.match(output, /\[y\/N\] $/, 'a repository for GitHub Pages has no server');
  assert.deepEqual(
    [answers.name, answers.country, answers.phone, answers['author-display'], answers.sidecar],
    ['Fenwick', 'Großbritannien', '', 'initials', 'n'],
  );
});

test('proposes the answers that were given before it was interrupted', async (context) => {
  const draft = `${await folderOf(context)}.draft.json`;
  const first = terminal(['Fenwick Drains', 'drain cleaning']);
  await assert.rejects(
    converse({}, { ...first, draft, filesOnly: false }),
    /Stopped: nothing was written\. The answers so far are kept in .*content\.draft\.json/,
  );
  const next = terminal(Array.from({ length: 13 }, () => ''));
  const answers = await converse({}, { ...next, draft, filesOnly: false });
  assert.match(next.shown(), /Name of the business \(Fenwick Drains\): /);
  assert.deepEqual([answers.name, answers.category], ['Fenwick Drains', 'drain cleaning']);
});

test('takes a city alone, a number as it is dialed there, and the page on Google', async (context) => {
  const { address } = (await written(context, { city: 'Lyon' })).business;
  assert.deepEqual([address!.city, address!.country], ['Lyon', null]);
  for (const [country, phone, number] of [
    ['de', '030 5550 1234', '+493055501234'],
    ['US', '(207) 555-0188', '+12075550188'],
    ['it', '06 5550 1234', '+390655501234'],
    ['gb', '+49 30 55501234', '+493055501234'],
  ] as const) {
    const { business } = await written(context, { city: 'A', country, phone });
    assert.equal(business.phone, number);
  }
  const { same_as: pages } = (await written(context, { google: 'maps.app.goo.gl/a1B2' })).business;
  assert.deepEqual(pages, ['https://maps.app.goo.gl/a1B2']);
});

async function sampleIn(context: TestContext): Promise<string> {
  const folder = await folderOf(context);
  await cp(join(ROOT, 'content'), folder, { recursive: true });
  return folder;
}

test('moves the sample aside, so that nothing of it is left', async (context) => {
  const folder = await sampleIn(context);
  assert.ifError((await runNew(folder)).error);
  const names = ['.gitignore', '.lock', 'README.md', 'business.json', 'vocabulary'];
  assert.deepEqual((await readdir(folder)).sort(), names);
  assert.equal(await readFile(join(folder, '.gitignore'), 'utf8'), '.lock\n.*.part\n');
  assert.deepEqual(await readdir(join(folder, 'vocabulary')), ['trade.json']);
  assert.ok((await readdir(`${folder}.sample`)).includes('reviews'));
});

const TRADES: Record<string, string[]> = {
  medical: ['Family dentist', 'Zahnarztpraxis', 'clinica veterinaria', 'Studio dentistico'],
  professional: ['pet insurance', "Cabinet d'avocats"],
  'car-repair': ['auto repair shop', 'Autowerkstatt'],
  hotel: ['Bed & breakfast', 'Chambres d’hôtes'],
  salon: ['Hair-salon', 'Peluquería canina'],
  'home-services': ['plumbing, heating and cooling contractor', 'Serviços de limpeza', 'Idraulico'],
  service: ['escape room', 'barometer maker'],
  restaurant: ['Osteria e enoteca', 'PATISSERIE'],
};
test('guesses the trade from the category, unless it is named', async (context) => {
  for (const [pack, categories] of Object.entries(TRADES)) {
    for (const category of categories) assert.equal(await guessPack(category), pack, category);
  }
  const { words } = await written(context, { category: 'dentist', trade: 'salon' });
  assert.equal(words.staff.singular, 'stylist');
});

test('names staff by the category of the business', async (context) => {
  for (const [category, staff] of [
    ['Family dentist', 'dentists'],
    ['veterinary clinic', 'vets'],
    ['medical practice', 'doctors'],
    ['barber shop', 'barbers'],
    ['law firm', 'lawyers'],
    ['Zahnarztpraxis', 'dentists'],
    ['Abogados laboralistas', 'lawyers'],
  ] as const) {
    const { output, words } = await written(context, { category });
    assert.match(output, new RegExp(`speaks of ${staff} and`));
    assert.equal(words.staff.plural, staff);
  }
});

test('never moves the sample onto what is in its place', async (context) => {
  const folder = await sampleIn(context);
  await mkdir(join(`${folder}.sample`, 'kept'), { recursive: true });
  const blocked = await runNew(folder);
  assert.match(blocked.error!.message, /content\.sample is in the way: move or delete it/);
  assert.ok((await readdir(folder)).includes('reviews'));
});

test('never writes over another dataset, or into a folder of something else', async (context) => {
  const folder = await folderOf(context);
  await runNew(folder, { name: 'Fenwick Drains' });
  const before = await readFile(join(folder, 'business.json'), 'utf8');
  const { error } = await runNew(folder);
  assert.match(error!.message, /already has the dataset of Fenwick Drains: set CONTENT_DIR/);
  assert.equal(await readFile(join(folder, 'business.json'), 'utf8'), before);
  const other = await temporaryFolder(context);
  await writeFile(join(other, 'thesis.txt'), 'x');
  assert.match((await runNew(other)).error!.message, /something else \(thesis\.txt\)/);
});

const REFUSED: [what: string, flags: Record<string, string>, message: RegExp][] = [
  [
    'every value that cannot be published',
    { phone: '555', country: 'Atlantis' },
    /^business\.json: phone: .*\n(.*\n)*business\.json: address\.city: .*\nbusiness\.json: address\.country: /,
  ],
  ['a number without its country', { phone: '030 5550 1234' }, /json: phone: must be E\.164/],
  ['a trade that is no pack', { trade: 'karate' }, /^--trade: must be one of service, /],
  ['a category that a script left out', { category: '' }, /--category TEXT\n/],
];
for (const [what, flags, message] of REFUSED) {
  test(`names ${what}, and writes nothing`, async (context) => {
    const folder = await folderOf(context);
    const { error } = await runNew(folder, flags);
    assert.ok(error instanceof UsageError);
    assert.match(error.message, message);
    await assert.rejects(readdir(folder));
  });
}

test('an export that lies in a new repository is never committed, the dataset is', async (context) => {
  const folder = await folderOf(context);
  assert.ifError((await runNew(folder, { repository: true })).error);
  const around = join(folder, '..');
  await mkdir(join(folder, 'reviews'));
  const exports = ['reviews.csv', 'Takeout.zip', 'reviews.json', 'a.jsonl', 'a.xlsx'];
  const kept = ['package.json', 'package-lock.json', 'content/reviews/2026.jsonl'];
  for (const name of [...exports, ...kept]) await writeFile(join(around, name), '');
  const git = async (...args: string[]) => (await run('git', ['-C', around, ...args])).stdout;
  await git('init', '-q');
  const ignored = await git('check-ignore', '--no-index', ...exports);
  assert.deepEqual(ignored.trim().split('\n'), exports);
  const others = await git('ls-files', '-oc', '--exclude-standard');
  for (const name of kept) assert.ok(others.includes(name), name);
});

test('with --repository the folder around it publishes itself, and what is there stays', async (context) => {
  const folder = await folderOf(context);
  const around = join(folder, '..');
  await writeFile(join(around, '.gitignore'), 'mine\n');
  await mkdir(folder);
  await writeFile(join(folder, '.gitignore'), Buffer.from('f\xfcr', 'latin1'));
  const { error, output } = await runNew(folder, { name: 'Bistro Málaga', repository: true });
  assert.ifError(error);
  const read = (path: string) => readFile(join(around, path), 'utf8');
  await assert.rejects(read('package.json'), 'only npm knows what it installed');
  assert.equal(await read('.gitignore'), 'mine\n');
  const ignored = await readFile(join(folder, '.gitignore'), 'latin1');
  assert.equal(ignored, 'f\xfcr\n.lock\n.*.part\n', 'its bytes stay');
  const { sidecar } = JSON.parse(await readFile(join(folder, 'business.json'), 'utf8'));
  assert.equal(sidecar, false, 'GitHub Pages serves files alone');
  assert.match(await read('README.md'), /^# The reviews of Bistro Málaga$/m);
  assert.match(await read('.github/workflows/publish.yml'), /actions\/deploy-pages@[\da-f]{40}/);
  assert.match(await read('.github/workflows/sync.yml'), /npx --no reviews-service sync/);
  assert.match(output, /Wrote .*publish\.yml/);
  assert.match(output, /need a package-lock\.json: in that folder, run npm install with the addr/);
});

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDataset } from '../../src/owner/commands/new-dataset.ts';
import { readContent } from '../../src/content/read-content.ts';
import { localBusiness } from '../../src/view/json-ld.ts';
import { guessPack } from '../../src/content/read-pack.ts';
import { UsageError } from '../../src/run-command.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { runHere } from '../support/run-here.ts';

type TestContext = Parameters<typeof temporaryFolder>[0];

async function folderOf(context: TestContext): Promise<string> {
  return join(await temporaryFolder(context), 'content');
}

const runNew = (folder: string, ...args: string[]) => runHere(newDataset, folder, args);

test('writes a dataset that the build reads, of what is known', async (context) => {
  const folder = await folderOf(context);
  const flags = ['--name', 'Bistro Málaga', '--category', 'restaurant', '--city', 'Málaga'];
  const address = ['--street', 'Calle Mayor 7', '--postal-code', '29001', '--country', 'es'];
  const contact = ['--website', 'bistro.example', '--phone', '+34 951 555 014'];
  const names = ['--author-display', 'initials', '--license', 'CC-BY-4.0'];
  const asked = ['--solicitation', 'everyone, insiders'];
  const look = ['--accent', '#7A1FA2', '--language', 'es'];
  const { error, output } = await runNew(
    folder,
    ...flags,
    ...address,
    ...contact,
    ...names,
    ...look,
    ...asked,
  );
  assert.ifError(error);
  const { business, faq, reviews, summary, vocabulary, words } = await readContent(folder);
  assert.deepEqual(
    [business.name, business.url, business.phone, business.author_display, business.data_license],
    ['Bistro Málaga', 'https://bistro.example', '+34951555014', 'initials', 'CC-BY-4.0'],
  );
  assert.deepEqual(business.address, {
    street: 'Calle Mayor 7',
    city: 'Málaga',
    region: null,
    postal_code: '29001',
    country: 'ES',
  });
  assert.equal(business.theme.accent, '#7a1fa2');
  assert.deepEqual(business.solicitation, ['everyone', 'insiders']);
  assert.deepEqual(business.service_areas, ['malaga']);
  assert.equal(vocabulary.service_areas[0]!.label, 'Málaga');
  assert.deepEqual([reviews, summary], [[], null]);
  assert.ok(faq.length > 0 && faq.every(({ answer }) => answer === null));
  assert.deepEqual([business.language, words.staff.singular], ['es', 'persona del equipo']);
  assert.match(output, /the pack restaurant, which speaks of servers and dishes;/);
});

test('takes a city and a country without a street', async (context) => {
  const folder = await folderOf(context);
  const place = ['--city', 'Lyon', '--country', 'fr'];
  const { error, output } = await runNew(folder, '--name', 'A', '--category', 'plumber', ...place);
  assert.ifError(error);
  assert.match(output, /^Names of authors will be published in full: --author-display initials/m);
  assert.match(output, /^The pages will be in English: --language fr writes/m);
  const { business } = await readContent(folder);
  const address = { street: null, city: 'Lyon', region: null, postal_code: null, country: 'FR' };
  assert.deepEqual(business.address, address);
  const { address: published } = localBusiness(
    { ...business, reviews_url: 'https://reviews.example/' },
    'https://reviews.example',
    [],
  ) as { address: object };
  assert.equal(JSON.stringify(published).includes('null'), false);
});

test('takes a city alone, a number as it is dialed there, and the page on Google', async (context) => {
  const contact = async (...args: string[]) => {
    const folder = await folderOf(context);
    const { error } = await runNew(folder, '--name', 'A', '--category', 'b', ...args);
    assert.ifError(error);
    return (await readContent(folder)).business;
  };
  const { address } = await contact('--city', 'Lyon');
  assert.deepEqual([address!.city, address!.country], ['Lyon', null]);
  for (const [country, phone, number] of [
    ['de', '030 5550 1234', '+493055501234'],
    ['US', '(207) 555-0188', '+12075550188'],
    ['it', '06 5550 1234', '+390655501234'],
    ['gb', '+49 30 55501234', '+493055501234'],
  ] as const) {
    const place = ['--city', 'A', '--country', country];
    assert.equal((await contact(...place, '--phone', phone)).phone, number);
  }
  const { same_as: pages } = await contact('--google', 'maps.app.goo.gl/a1B2');
  assert.deepEqual(pages, ['https://maps.app.goo.gl/a1B2']);
});

test('a number without its country is an issue', async (context) => {
  const args = ['--name', 'A', '--category', 'b', '--phone', '030 5550 1234'];
  const { error } = await runNew(await folderOf(context), ...args);
  assert.match(error!.message, /business\.json: phone: must be E\.164/);
});

test('names staff by the category of the business', async (context) => {
  const staff = {
    'Family dentist': 'dentists',
    'veterinary clinic': 'vets',
    'medical practice': 'doctors',
    'barber shop': 'barbers',
    'law firm': 'lawyers',
    Zahnarztpraxis: 'dentists',
    'Abogados laboralistas': 'lawyers',
  };
  for (const [category, plural] of Object.entries(staff)) {
    const folder = await folderOf(context);
    const { output } = await runNew(folder, '--name', 'A', '--category', category);
    assert.match(output, new RegExp(`speaks of ${plural} and`));
    assert.equal((await readContent(folder)).words.staff.plural, plural);
  }
});

test('moves the sample aside, so that nothing of it is left', async (context) => {
  const folder = await folderOf(context);
  await cp(join(ROOT, 'content'), folder, { recursive: true });
  const { error } = await runNew(folder, '--name', 'Fenwick Drains', '--category', 'plumber');
  assert.ifError(error);
  const names = ['.gitignore', '.lock', 'README.md', 'business.json', 'vocabulary'];
  assert.deepEqual((await readdir(folder)).sort(), names);
  assert.equal(await readFile(join(folder, '.gitignore'), 'utf8'), '.lock\n.*.part\n');
  assert.deepEqual(await readdir(join(folder, 'vocabulary')), ['trade.json']);
  assert.ok((await readdir(`${folder}.sample`)).includes('reviews'));
});

test('guesses the trade from the category, unless it is named', async (context) => {
  const packs: [string, string][] = [
    ['Family dentist', 'medical'],
    ['pet insurance', 'professional'],
    ['auto repair shop', 'car-repair'],
    ['Bed & breakfast', 'hotel'],
    ['Hair-salon', 'salon'],
    ['plumbing, heating and cooling contractor', 'home-services'],
    ['escape room', 'service'],
    ['barometer maker', 'service'],
    ['Zahnarztpraxis', 'medical'],
    ['Autowerkstatt', 'car-repair'],
    ['clinica veterinaria', 'medical'],
    ['Peluquería canina', 'salon'],
    ["Cabinet d'avocats", 'professional'],
    ['Chambres d’hôtes', 'hotel'],
    ['Serviços de limpeza', 'home-services'],
    ['Studio dentistico', 'medical'],
    ['Idraulico', 'home-services'],
    ['Osteria e enoteca', 'restaurant'],
    ['PATISSERIE', 'restaurant'],
  ];
  for (const [category, pack] of packs) assert.equal(await guessPack(category), pack, category);
  const folder = await folderOf(context);
  const named = await runNew(folder, '--name', 'A', '--category', 'dentist', '--trade', 'salon');
  assert.ifError(named.error);
  assert.equal((await readContent(folder)).words.staff.singular, 'stylist');
  const args = ['--name', 'A', '--category', 'b', '--trade', 'karate'];
  const { error } = await runNew(await folderOf(context), ...args);
  assert.ok(error instanceof UsageError);
  assert.match(error.message, /--trade: must be one of service, /);
});

test('deletes the sample if asked, and never what is in its place', async (context) => {
  const folder = await folderOf(context);
  await cp(join(ROOT, 'content'), folder, { recursive: true });
  await mkdir(join(`${folder}.sample`, 'kept'), { recursive: true });
  const blocked = await runNew(folder, '--name', 'A', '--category', 'b');
  assert.match(blocked.error!.message, /content\.sample is in the way: move or delete it/);
  assert.ok((await readdir(folder)).includes('reviews'));
  await rm(`${folder}.sample`, { recursive: true });
  const { error } = await runNew(folder, '--name', 'A', '--category', 'b', '--delete-sample');
  assert.ifError(error);
  await assert.rejects(readdir(`${folder}.sample`));
});

test('never writes over another dataset', async (context) => {
  const folder = await folderOf(context);
  await runNew(folder, '--name', 'Fenwick Drains', '--category', 'plumber');
  const before = await readFile(join(folder, 'business.json'), 'utf8');
  const { error } = await runNew(folder, '--name', 'Other', '--category', 'plumber');
  assert.match(error!.message, /already has the dataset of Fenwick Drains: set CONTENT_DIR/);
  assert.equal(await readFile(join(folder, 'business.json'), 'utf8'), before);
});

test('refuses a folder of something else', async (context) => {
  const folder = await temporaryFolder(context);
  await writeFile(join(folder, 'thesis.txt'), 'x');
  const { error } = await runNew(folder, '--name', 'A', '--category', 'b');
  assert.match(error!.message, /something else \(thesis\.txt\)/);
});

test('names every value that cannot be published, and writes nothing', async (context) => {
  const folder = await folderOf(context);
  const args = ['--name', 'A', '--category', 'b', '--phone', '555', '--country', 'Spain'];
  const { error } = await runNew(folder, ...args);
  assert.ok(error instanceof UsageError);
  for (const field of ['phone', 'address.city', 'address.country']) {
    assert.match(error.message, new RegExp(`business\\.json: ${field}: `));
  }
  await assert.rejects(readdir(folder));
});

test('a script must say the name and the category', async (context) => {
  const { error } = await runNew(await folderOf(context), '--name', 'A');
  assert.ok(error instanceof UsageError);
  assert.match(error.message, /--category TEXT/);
});

test('with --repository the folder around it publishes itself, and what is there stays', async (context) => {
  const folder = await folderOf(context);
  const around = join(folder, '..');
  await writeFile(join(around, '.gitignore'), 'mine\n');
  const { error, output } = await runNew(
    folder,
    '--name',
    'Bistro Málaga',
    '--category',
    'restaurant',
    '--repository',
  );
  assert.ifError(error);
  const read = (path: string) => readFile(join(around, path), 'utf8');
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  assert.deepEqual(JSON.parse(await read('package.json')), {
    private: true,
    allowScripts: { node: true, esbuild: false },
    dependencies: { 'reviews-service': version },
  });
  assert.equal(await read('.gitignore'), 'mine\n');
  assert.match(await read('README.md'), /^# The reviews of Bistro Málaga$/m);
  assert.match(await read('.github/workflows/publish.yml'), /actions\/deploy-pages@[\da-f]{40}/);
  assert.match(await read('.github/workflows/sync.yml'), /npx reviews-service sync/);
  assert.match(output, /Wrote .*publish\.yml/);
});

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReviewRecord } from '../../src/schema/review.ts';
import { DATASET } from './fixtures.ts';
import { Random } from './random.ts';

/**
 * Writes a content folder of `count` reviews: everything but the reviews is the sample's, and the
 * reviews are recombined from its sentences. It always writes the same bytes.
 */
export async function writeContent(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const part of ['business.json', 'summary.md', 'vocabulary', 'faq']) {
    await cp(join(DATASET, part), join(folder, part), { recursive: true });
  }
  const years = new Map<string, string[]>();
  for (const review of generateReviews(await sampleReviews(), count)) {
    const year = review.date.slice(0, 4);
    const lines = years.get(year) ?? [];
    years.set(year, lines);
    lines.push(`${JSON.stringify(review)}\n`);
  }
  await mkdir(join(folder, 'reviews'));
  for (const [year, lines] of years) {
    await writeFile(join(folder, 'reviews', `${year}.jsonl`), lines.join(''));
  }
}

async function sampleReviews(): Promise<ReviewRecord[]> {
  const folder = join(DATASET, 'reviews');
  const files = (await readdir(folder)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ReviewRecord),
  );
}

const FIRST_DAY = Date.UTC(2018, 8, 1);
const DAYS = 8 * 365;
const DAY_MS = 86_400_000;

/**
 * Reviews like the sample's in stars, lengths, sources and replies, over eight years, more of them
 * in the later ones. Made-up names and numbers make the vocabulary grow as that of real texts.
 */
function* generateReviews(
  samples: readonly ReviewRecord[],
  count: number,
): Generator<ReviewRecord> {
  const random = new Random(1);
  const sentences = new SentencePool(samples);
  const names = new NamePool(random);
  const givenNames = samples.map(({ author }) => author.split(' ')[0]!);
  const familyNames = samples.map(({ author }) => author.split(' ').slice(1).join(' '));
  for (let made = 0; made < count; made++) {
    const like = random.pick(samples);
    const time = FIRST_DAY + Math.floor(Math.sqrt(random.next()) * DAYS) * DAY_MS;
    const text = like.text && sentences.recombine(like, random, names);
    yield {
      ...like,
      id: ulid(time, random),
      author: `${random.pick(givenNames)} ${random.pick(familyNames)}`.trim(),
      date: isoDay(time),
      ...(text && { text }),
      ...(like.owner_reply && {
        owner_reply: {
          text: like.owner_reply.text,
          date: isoDay(time + (1 + random.below(5)) * DAY_MS),
        },
      }),
    };
  }
}

/** The sentences of the sample, by language and by whether the customer was content. */
class SentencePool {
  readonly #pools = new Map<string, string[]>();

  constructor(samples: readonly ReviewRecord[]) {
    for (const review of samples) {
      const pool = this.#pools.get(poolKey(review)) ?? [];
      this.#pools.set(poolKey(review), pool);
      pool.push(...sentencesOf(review.text));
    }
  }

  /** A text of as many sentences as the sample's, about half of the time with a detail added. */
  recombine(like: ReviewRecord, random: Random, names: NamePool): string {
    const pool = this.#pools.get(poolKey(like))!;
    const chosen = sentencesOf(like.text).map(() => random.pick(pool));
    if (chosen.length > 1 && random.next() < 0.7) {
      chosen[random.below(chosen.length)] = random.pick(DETAILS)(random, names);
    }
    return chosen.join(' ');
  }
}

function poolKey({ language = 'en', rating }: ReviewRecord): string {
  return `${language} ${rating > 3}`;
}

function sentencesOf(text: string | null | undefined): string[] {
  return text ? text.split(/(?<=[.!?])\s+/) : [];
}

const DETAILS: readonly ((random: Random, names: NamePool) => string)[] = [
  (random, names) => `We are at ${number(random)} ${names.pick(random)} Street.`,
  (_random, names) =>
    `They put in a ${names.pick(_random)} in place of the old ${names.pick(_random)}.`,
  (random, names) => `The ${names.pick(random)} ${number(random)} has run fine since.`,
  (random, names) =>
    `My neighbor ${names.pick(random)} on ${names.pick(random)} Lane sent me here.`,
  (random, names) => `Paid $${number(random)} for the ${names.pick(random)} valve.`,
];

/** Small numbers more often than large ones. */
function number(random: Random): number {
  return Math.floor(12_000 ** random.next());
}

const NAMES = 60_000;
const ONSETS = 'b br c d f g h k l m n p r s st t v w'.split(' ');
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'oo'];
const CODAS = ['', 'l', 'n', 'r', 's', 'rd', 'ck', 'm'];

/** Made-up names of streets, people and products; the first ones are drawn most (Zipf's law). */
class NamePool {
  readonly #names: string[];

  constructor(random: Random) {
    const syllable = () => random.pick(ONSETS) + random.pick(VOWELS) + random.pick(CODAS);
    const name = () => Array.from({ length: 2 + random.below(2) }, syllable).join('');
    this.#names = Array.from({ length: NAMES }, name).map(
      (name) => name[0]!.toUpperCase() + name.slice(1),
    );
  }

  pick(random: Random): string {
    return this.#names[Math.floor(NAMES ** random.next()) - 1]!;
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function ulid(time: number, random: Random): string {
  let id = '';
  for (let rest = time, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) {
    id = CROCKFORD[rest % 32] + id;
  }
  for (let place = 0; place < 16; place++) id += CROCKFORD[random.below(32)];
  return id;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import english from '../../src/messages/en.json' with { type: 'json' };
import { comments, docstrings, documents, sources, testNames } from '../support/documents.ts';

// Plain American English: a docstring starts with what the function does, and one word stands for
// one idea. An issue is bad input, an error is what is thrown.

/** Words that read as if translated, each with a better one. */
const RETIRED: [pattern: RegExp, better: string][] = [
  [/\bfaults?\b|\bfaulty\b/gi, '"issue" for bad input, "error" for what is thrown'],
  [/\bcomplaints?\b/gi, '"issue" or "error"'],
  [/\bmend(s|ed|ing)?\b/gi, '"fix"'],
  [/\b(is|are|was|were|be|been|being) (said|told)\b/gi, 'the active voice: who says it?'],
  [/\b(stands?|stood|standing)\b(?! (for|alone|still)\b)/gi, '"is"'],
  [
    /(?<!\b(the|a|one|its|this|that) )\bwhole\b(?! numbers?\b)/gi,
    '"in full", "as a unit", "complete"',
  ],
  [/\b(to|of|for|by|from|at|with) who\b/gi, '"whoever", or the noun: client, caller, subscriber'],
  [/\bbears? (it |them |\S+ )?out\b/gi, '"supports"'],
  [
    /\b(behaviour|centre|colour|favour|honour|licence|neighbour|\w*(labell|misspelt|analys(e|ed|es|ing)\b)|(capital|critic|initial|minim|normal|optim|organ|recogn|serial|summar)is(e|ing|ation))\w*/gi,
    'American spelling',
  ],
];

/** Pages say where to complain, and platforms give full stars, so those words stay there. */
const RETIRED_IN_PAGES = RETIRED.filter(([pattern]) => !/compl|whole/.test(pattern.source));

const QUESTION = /^(What|Whether|Who|How|Where|Which|Of)\b/;

/** Phrases that only names of tests avoid: a name begins with its subject or its verb. */
const RETIRED_IN_NAMES: [pattern: RegExp, better: string][] = [
  [/^(what|whoever|who|nobody|where|of)\b/gi, 'begin with the subject: a noun, or the verb'],
  [/\bthat (there|nobody|nothing) (is|are|has)\b/gi, '"unknown", "missing"'],
  [/\bnobody (has|knows|issued|stated)\b/gi, '"unknown"'],
];

const habits: string[] = [];
const read = { docstrings: 0, comments: 0, names: 0 };

function note(path: string, habit: string): void {
  habits.push(`${path}: ${habit}`);
}

function noteRetired(path: string, text: string, retired = RETIRED): void {
  for (const [pattern, better] of retired) {
    for (const [word] of text.matchAll(pattern)) note(path, `"${word}": better ${better}`);
  }
}

for (const { path, text } of documents) noteRetired(path, text);
const messages = Object.entries(english).map(([id, text]) => ({ path: id, text }));
const pages = sources
  .filter(({ path }) => path.endsWith('.astro'))
  .map(({ path, text }) => ({
    path,
    text: text.replace(/^---[^]*?\n---\n/, '').replaceAll(/[<{][^<>{}]*[>}]/g, ' '),
  }));
assert.ok(messages.length > 300 && pages.length > 50);
for (const { path, text } of [...messages, ...pages]) noteRetired(path, text, RETIRED_IN_PAGES);
for (const { path, text } of sources) {
  for (const docstring of docstrings(text)) {
    read.docstrings++;
    if (QUESTION.test(docstring)) {
      note(path, `"${docstring.slice(0, 40)}": better begin with a verb or a noun`);
    }
  }
  for (const comment of comments(text)) {
    read.comments++;
    noteRetired(path, comment);
  }
  for (const name of testNames(text)) {
    read.names++;
    noteRetired(path, name);
    noteRetired(path, name, RETIRED_IN_NAMES);
  }
}

test('documents, comments and names of tests are in plain English', () => {
  assert.deepEqual(habits, []);
  for (const [what, count] of Object.entries(read)) assert.ok(count > 1000, `${count} ${what}`);
});

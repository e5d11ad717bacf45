import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorName, displayName, isDisplayOf } from '../../src/owner/import/author.ts';

const NAMES: [name: string, firstInitial: string, initials: string][] = [
  ['Maureen Thibodeau', 'Maureen T.', 'M. T.'],
  ['Dr. Ana María de la Cruz', 'Ana C.', 'A. C.'],
  ['Éva Ólafsdóttir', 'Éva Ó.', 'É. Ó.'],
  ['田中太郎', '田.', '田.'],
  ['Müller, Hans-Peter', 'Hans-Peter M.', 'H. M.'],
  ['DUPONT Marie', 'Marie D.', 'M. D.'],
  ['Dr. med. Anna Schmidt', 'Anna S.', 'A. S.'],
  ['Dr.med. Anna Schmidt', 'Anna S.', 'A. S.'],
  ['Prof. Dr. h.c. Max von Berg', 'Max B.', 'M. B.'],
  ['Dott.ssa Maria Rossi', 'Maria R.', 'M. R.'],
  ['John Smith Jr.', 'John S.', 'J. S.'],
  ['Frau Dr. Berg', 'B.', 'B.'],
  ['Smith, MD', 'S.', 'S.'],
  ['A Google user', 'A Google user', 'A Google user'],
  ['Ein Google-Nutzer', 'Ein Google-Nutzer', 'Ein Google-Nutzer'],
  ['Utilisateur de Facebook', 'Utilisateur de Facebook', 'Utilisateur de Facebook'],
  ['Utente Google', 'Utente Google', 'Utente Google'],
  ['Googleユーザー', 'Googleユーザー', 'Googleユーザー'],
  ['Anónimo', 'Anónimo', 'Anónimo'],
  ['Guest House', 'Guest H.', 'G. H.'],
];
for (const [name, firstInitial, initials] of NAMES) {
  test(`shortens ${name}`, () => {
    assert.equal(displayName(name, 'full'), name);
    assert.equal(displayName(name, 'first-initial'), firstInitial);
    assert.equal(displayName(name, 'initials'), initials);
    assert.ok([name, firstInitial, initials].every((shown) => isDisplayOf(shown, name)));
  });
}

test('calls those without a name Anonymous', () => {
  assert.equal(displayName(undefined, 'initials'), 'Anonymous');
});

const AUTHORS: [given: string, name: string | undefined][] = [
  ['Ann Lee · Local Guide', 'Ann Lee'],
  ['Ann Lee (Verified Buyer)', 'Ann Lee'],
  ['Ann Lee, Verified Buyer', 'Ann Lee'],
  ['Ann  Lee\nLocal Guide · 23 reviews · 4 photos', 'Ann Lee'],
  ['Ann Lee <ann@mail.example>', 'Ann Lee'],
  ['Acheteur vérifié', undefined],
  ['Local Guide · 23 reviews', undefined],
  ['Ann – Austria', 'Ann – Austria'],
  ['Verified Reviewer', undefined],
  ['ann.lee@mail.example', undefined],
  ['', undefined],
  ['Ann (Lizzie) Lee', 'Ann (Lizzie) Lee'],
  ['50 Cent', '50 Cent'],
  ['Jean-Paul Martin', 'Jean-Paul Martin'],
];
for (const [given, name] of AUTHORS) {
  test(`takes ${JSON.stringify(given)} for ${name ?? 'nobody'}`, () => {
    assert.equal(authorName(given), name);
  });
}

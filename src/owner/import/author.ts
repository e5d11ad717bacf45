import type { BusinessRecord } from '../../schema/business.ts';
import { ANONYMOUS } from '../../schema/review.ts';

export type AuthorDisplay = BusinessRecord['author_display'];

const USER =
  'user|guest|customer|client|consumer|nutzer(?:in)?|benutzer|mitglied|gast|kunde|kundin|utilisateur|utilisatrice|membre|client[ea]|usuario|usuaria|huésped|utente|ospite|usuário|hóspede|gebruiker|klant|użytkownik|klient|пользователь|клиент|користувач|bruger|bruker|användare|käyttäjä|uživatel|používateľ|felhasználó|utilizator|χρήστης|kullanıcısı|kullanıcı|ユーザー|사용자|用户|用戶|مستخدم|משתמש';
const PLATFORM = 'google|facebook|yelp|tripadvisor|trustpilot|booking\\.com|amazon';
/** Names that platforms give to anonymous authors; these are not shortened. */
const NOBODY = new RegExp(
  String.raw`^(?:(?:an?|ein|eine|un|une|uno|una|um|uma|en|een|egy) )?(?:${USER}|(?:${PLATFORM})[ -]?(?:${USER})|(?:${USER})(?: (?:de|di|do|da|von|van|af|av|of|en))? ?(?:${PLATFORM})|an[oóô]n[iyí]m\p{L}*|anoniem|аноним\p{L}*|анонім\p{L}*|匿名(?:ユーザー|用户)?|익명)$`,
  'iu',
);
const TITLE =
  /^(?:dr|mr|mrs|ms|miss|mx|prof|sir|rev|herr|frau|fr|mag|dipl|dipl-ing|ing|med|dent|vet|phil|rer|nat|jur|iur|univ|habil|doz|h\.c|ph\.?d|m\.?d|dds|mba|jr|sr|ii|iii|iv|mme|mlle|monsieur|madame|maître|me|sig|sig\.ra|signora?|dott|dott\.ssa|avv|geom|sra|srta|señora?|drs|ir|mevr|dhr|pani?|inż|mgr|hab|mudr|bc|fru|hr|bay|bayan)$/iu;
/** Scripts that write a full name as one word. */
const ONE_WORD =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Labels that platforms put beside a name: "Verified Buyer", "Local Guide", "23 reviews". */
const BADGE =
  /^(?:(?:.* )?local guide.*|guía local.*|guida locale.*|guide local.*|level \d.*|top (?:reviewer|contributor|\d).*|verified\b.*|(?:verifizierte|geverifieerde|zweryfikowan).*|.* (?:vérifiée?|verificad[oa]|verificat[oa])|elite(?: .*)?|vine voice.*|contributor)$/iu;
const COUNT = /^\d/;
const BRACKET = /[([]([^()[\]]{1,60})[)\]]/g;
const EMAIL = /<?[^\s<>@]{1,64}@[^\s<>@]{1,200}\.[^\s<>@.]{2,30}>?/gu;

/** Words for a name that is not known or not to be named: "Anna (anonym!)". */
const NAMELESS =
  /^[([]?(?:unknown|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|desconhecid[oa]|onbekend|nieznan[ya]|deleted|gelöscht|not provided)[)\]]?$|[([] ?(?:an[oóô]n[iyí]m|anoniem|аноним|анонім|匿名)[^()[\]]*[)\]]/iu;

/** Returns the name of an author alone, without badges and addresses; undefined if nothing is left. */
export function authorName(given = ''): string | undefined {
  if (NAMELESS.test(given.trim())) return undefined;
  const words = given
    .replaceAll(EMAIL, '')
    .replaceAll(BRACKET, (bracket, words: string) =>
      BADGE.test(words) || COUNT.test(words) ? '' : bracket,
    );
  const parts = words.split(/ [·•|–-] |\n|, (?=verified )/i).map((part) => part.trim());
  const own = parts.filter(
    (part, index) => part !== '' && !BADGE.test(part) && !(index > 0 && COUNT.test(part)),
  );
  const name = own.length === parts.length ? words : own.join(' ');
  return name.replaceAll(/\s+/g, ' ').trim() || undefined;
}

/** Writes a name the way business.json asks for: as given, `Ada L.`, or `A. L.` */
export function displayName(name: string | undefined, display: AuthorDisplay): string {
  if (name === undefined) return ANONYMOUS;
  if (display === 'full' || NOBODY.test(name)) return name;
  const all = givenNameFirst(name).split(/\s+/);
  const words = all.filter((word) => !isTitle(word.replace(/[.,]+$/, '')));
  const [first, ...rest] = words;
  if (first === undefined) return name;
  const last = rest.at(-1);
  // A single word below a title is a surname.
  const isSurname = last === undefined && words.length < all.length;
  const isWhole = display === 'first-initial' && !isSurname && !ONE_WORD.test(first);
  const given = isWhole ? first : initial(first);
  return last === undefined ? given : `${given} ${initial(last)}`;
}

/** Returns a name in all the ways in which some setting of `author_display` shows it. */
function displaysOf(name: string | undefined): Set<string> {
  const settings = ['full', 'first-initial', 'initials'] as const;
  return new Set(settings.map((display) => displayName(name, display)));
}

/** Tells whether a word is a title, or several: "Dr.med." */
function isTitle(word: string): boolean {
  return TITLE.test(word) || word.split('.').every((part) => TITLE.test(part));
}

/** Turns "Müller, Hans-Peter" and "MÜLLER Hans-Peter", so that no surname is taken for a given name. */
function givenNameFirst(name: string): string {
  const [, surname, given] =
    /^([^,\d]+), ([^,\d]+)$/.exec(name) ?? /^(\p{Lu}{3,}) (\p{Lu}\p{Ll}[^,\d]*)$/u.exec(name) ?? [];
  return surname === undefined ? name : `${given} ${surname}`;
}

/** Tells whether some setting of `author_display` turns the full name into this name. */
export function isDisplayOf(shown: string, name: string | undefined): boolean {
  return displaysOf(name).has(shown);
}

/** Tells whether a name is one that a platform gives to authors without a name. */
export function isNobody(name: string): boolean {
  return NOBODY.test(name);
}

function initial(word: string): string {
  const [letter = ''] = word.match(/\p{L}\p{M}*/u) ?? [...word];
  return `${letter.toUpperCase()}.`;
}

/** Stems of "translated" in marks of translations. */
const TRANSLATED =
  /translat|übersetz|tradu|tradot|vertaal|vertal|tłumacz|перев|перек|прев|překl|přelo|prelo|övers[aä]tt|oversat|käänt|翻訳|翻译|翻譯|번역|çevir|çevr|fordít|prijevod|preved|preveo|prevod|μετ[αά]φρα|ترجم|תרגום|תורגם|แปล|dịch|terjemah|अनुव|অনুবাদ|tõlg|tõlk|tulko|vert|þýtt|itzul/i;
const GOOGLE = /google|гугл|グーグル|谷歌|구글|גוגל|جوجل|غوغل/i;
/** Other programs that translate, and words for machines and for the language that was translated. */
const TRANSLATOR =
  /\b(?:booking|deepl|tripadvisor|airbnb|expedia|agoda|trustpilot|facebook|yelp|bing|microsoft|amazon|machine|automati|automáti|automatique|maschinell)|(?<=\p{L} )(?:from|aus(?: dem)?|du|de l[’']|del|dal|do|uit het|z) ?\p{L}+$/iu;
/** People write "(with Google Translate)" below their own words. */
const GOOGLE_TRANSLATE =
  /google[ -](?:translate|übersetzer|traducteur|traductor|traduttore|tradutor|vertalen)/i;
/** "Original" in the second mark, which begins with a capital. */
const ORIGINAL =
  /^(?:Original\p{L}*|Texte d[’']origine|Avis d[’']origine|Originál\p{L}*|Origine[el]l?|Oryginał\p{L}*|Оригин\p{L}*|Оригін\p{L}*|原文|原始[评評][论論]|원문|Orijinal\p{L}*|Alkuperäinen\p{L}*|Původní\p{L}*|Pôvodn\p{L}*|Eredeti\p{L}*|Izvorni\p{L}*|Izvirni\p{L}*|Πρωτότυπο|Αρχικό|(?:النص |المراجعة )?الأصلية?|(?:ה)?מקור|ต้นฉบับ|Bản gốc|Nguyên bản|Asli|मूल|Originaal|Oriģin\p{L}*|Originalas|Upprunalegt)$/u;
/** A short bracket; none has brackets inside. */
const BRACKET = /[(（[]([^()（）[\]\n]{2,40})[)）\]]/g;
/** The words before a text, as in "Translated by Booking.com: Very good". */
const OPENING = /^\s*([^\n:()[\]]{6,40}?) ?(?::|\.(?=\s)|\n)/;

interface OwnWords {
  /** Empty when the export has the translation alone. */
  text: string;
  /** `unclearTranslations` where a bracket with "Google" may be a mark: the text is as given. */
  remark?: 'translations' | 'translationsAlone' | 'unclearTranslations';
}

interface Mark {
  words: string;
  start: number;
  end: number;
  /** True when it begins a paragraph, alone in its line. */
  isLine: boolean;
}

/**
 * Returns the words that the customer wrote, without a machine translation of them, which must never be
 * quoted as theirs. Google marks the translation and, unless it comes last, the original, too:
 * "(Translated by Google) Good. (Original) Gut." Others mark the translation alone.
 */
export function ownWords(text: string): OwnWords {
  const marks = marksIn(text);
  const known = marks.find(({ words }) => isTranslation(words));
  const opening = marks[0] && GOOGLE.test(marks[0].words) && isBlank(text.slice(0, marks[0].start));
  const translated = known ?? (opening ? marks[0] : undefined);
  if (!translated) return { text };
  const unclear = { text, remark: 'unclearTranslations' } as const;
  const others = marks.filter((mark) => mark !== translated && !GOOGLE.test(mark.words));
  const lines = others.filter(({ isLine, words }) => isLine && (ORIGINAL.test(words) || opening));
  const originals = lines.length > 0 ? lines : others.filter(({ words }) => ORIGINAL.test(words));
  const [original, another] = originals;
  if (another || (!known && !original)) return unclear;
  const before = text.slice(0, translated.start);
  const after = text.slice(translated.end);
  if (!original) {
    if (isBlank(before)) return { text: '', remark: 'translationsAlone' };
    if (!isBlank(after)) return { text: before, remark: 'translations' };
    return GOOGLE.test(translated.words) ? unclear : { text: '', remark: 'translationsAlone' };
  }
  const own =
    original.start > translated.start
      ? before + text.slice(original.end)
      : text.slice(0, original.start) + text.slice(original.end, translated.start);
  return isBlank(own)
    ? { text: '', remark: 'translationsAlone' }
    : { text: own, remark: 'translations' };
}

/** A mark has up to four words, and a capital; "(I translated this with Google)" is the customer's. */
function isTranslation(words: string): boolean {
  const isMark = /^[^\p{Ll}]/u.test(words) && /^(?:[^\s,;:!?]+\s*){1,4}$/.test(words);
  if (!isMark || !TRANSLATED.test(words) || GOOGLE_TRANSLATE.test(words)) return false;
  return GOOGLE.test(words) || TRANSLATOR.test(words);
}

function marksIn(text: string): Mark[] {
  const [before, words = ''] = OPENING.exec(text) ?? [];
  if (before !== undefined && isTranslation(words)) {
    return [{ words, start: 0, end: before.length, isLine: false }];
  }
  if (!/[(（[]/.test(text)) return [];
  return Array.from(text.matchAll(BRACKET), (match) => {
    const { index: start } = match;
    const end = start + match[0].length;
    const isParagraph = /(?:^|\n\s*\n)\s*$/.test(text.slice(Math.max(0, start - 9), start));
    const isLine = isParagraph && /^ *(?:\n|$)/.test(text.slice(end, end + 9));
    return { words: match[1]!.trim(), start, end, isLine };
  });
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Parts of a text that the customer did not write, and the text without them. */
interface Separated {
  text: string;
  /** Ratings of aspects, "Rooms: 5/5", which a platform appends. */
  subRatings: number;
  /** True when the export has the beginning of the text alone, with "More" below it. */
  isCut: boolean;
  /** The words of the business below the review. */
  reply?: string | undefined;
}

const LABEL = String.raw`[\p{Lu}\p{Lo}][\p{L}\p{M}&'’ -]{1,30}`;
const ASPECT = String.raw`${LABEL}(?: ?[:：] ?| )\d(?:[.,]\d)?/5`;
const WITH_TENTHS = String.raw`${LABEL} \d[.,]\d`;
const ASPECTS = String.raw`(?:${ASPECT}(?:(?: ?[|·•] ?| ?\n\s?|(?<=:.{0,6}) )${ASPECT})+|${WITH_TENTHS}(?: ${WITH_TENTHS})+)`;
/** Several aspects before the text or after the end of a sentence. */
const SUB_RATINGS = [
  new RegExp(String.raw`^${ASPECTS}\s*(?:\n|$)`, 'u'),
  new RegExp(String.raw`(?<=^|\n|[.!?…)] )${ASPECTS}\s*$`, 'u'),
];
const LABEL_ALONE = new RegExp(`^${LABEL}$`, 'u');
const LONGEST_ANSWER = 40;
/** The words that the button below a shortened text says in many languages, as it is written there. */
const MORE =
  'More|(?:Read|Show|See) more|Mehr|Mehr (?:anzeigen|lesen)|Weiterlesen|Plus|(?:Voir|Afficher|En savoir|Lire) plus|Lire la suite|Más|(?:Ver|Leer|Mostrar) más|Mais|(?:Ver|Ler|Mostrar) mais|Altro|Mostra altro|Leggi (?:di più|tutto)|Meer|Meer lezen|Lees meer|Więcej|(?:Czytaj|Pokaż) więcej|Ещё|Еще|Читать далее|Více|Číst dál|Läs mer|Visa mer|Vis mere|Læs mere|Les mer|Vis mer|Lisää|Több|Bővebben|Mai mult|Daha fazla|Devamını oku|Περισσότερα|المزيد|עוד|もっと見る|続きを読む|더보기|자세히 보기|更多|查看更多|展开|展開';
const CUT = [
  new RegExp(String.raw`(?<=…|\.\.\.) *(?:${MORE}|Full review)\s*$`, 'u'),
  // People write "I want… more"; the button is beside the dots, or has several words.
  new RegExp(String.raw`(?<=…|\.\.\.) *(?=\S+ \S)(?:${MORE})\s*$`, 'iu'),
  new RegExp(String.raw`(?<=[^\s.](?:…|\.\.\.))(?:${MORE})\s*$`, 'iu'),
];
const CUT_MARK = /(?<=\S) *[[(](?:…|\.\.\.)[\])]\s*$/u;
const REPLY_HEADS =
  "Response from the owner|Reply from the owner|Owner[’']?s? (?:response|reply)|Antwort (?:vom|des|der) Inhabers?|Réponse du propriétaire|Respuesta del propietario|Risposta del proprietario|Resposta do proprietário|Reactie van de eigenaar|Odpowiedź (?:od )?właściciela|Ответ владельца|Odpověď majitele|Svar från ägaren|Svar fra ejeren|Svar fra eieren|Omistajan vastaus|Tulajdonos válasza|İşletme sahibinin yanıtı|Απάντηση από τον ιδιοκτήτη|オーナーからの返信|소유자의 답글|사장님 답글|业主回复|業主回應|رد المالك";
const AGE = String.raw`(?: ?[(·]? ?(?:\d{1,2} \p{L}+ ago|an? \p{L}+ ago|vor \p{L}{0,8}\d{0,2} \p{L}+|il y a [^\n]{1,12}|hace [^\n]{1,12}|há [^\n]{1,12}|[^\n]{1,10} fa)\)?)?`;
/** The head of a reply is a line, or has a colon; "Response from the owner was rude" is no head. */
const REPLY = new RegExp(String.raw`(?:^|\n) *(?:${REPLY_HEADS})${AGE} ?(?:[:：]|\n|$)`, 'u');

/** Separates what platforms and their tools put into the text of a review. */
export function separateAdditions(given: string): Separated {
  const head = REPLY.exec(given);
  const written = head ? given.slice(0, head.index) : given;
  const reply = (head && given.slice(head.index + head[0].length).trim()) || undefined;
  const mayBeCut = /…|\.\.\./.test(written);
  const whole = mayBeCut ? without(CUT, written.replace(CUT_MARK, ' …')) : written;
  if (!/\d/.test(whole)) return { text: whole, subRatings: 0, isCut: whole !== written, reply };
  const answered = withoutAnswers(whole);
  const text = without(SUB_RATINGS, answered);
  const removed = whole.length - text.length;
  return {
    text,
    subRatings: removed > 0 ? ratingsIn(whole) - ratingsIn(text) : 0,
    isCut: whole !== written,
    reply,
  };
}

function without(patterns: readonly RegExp[], text: string): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, ''), text);
}

function ratingsIn(text: string): number {
  return text.match(/\d(?:[.,]\d)?\/5|\d[.,]\d|^\d$/gm)?.length ?? 0;
}

/** Takes out the answers to the questions of a form below the text, each in its line. */
function withoutAnswers(text: string): string {
  const start = text.lastIndexOf('\n\n');
  const lines = text.slice(start === -1 ? 0 : start).split('\n');
  const rated = lines.flatMap((line, at) =>
    /^ *[1-5](?:[.,]\d)?(?:\/5)? *$/.test(line) && LABEL_ALONE.test(lines[at - 1]?.trim() ?? '')
      ? [at - 1]
      : [],
  );
  if (rated.length < 2 || lines.some((line) => line.length > LONGEST_ANSWER)) return text;
  return (
    text.slice(0, Math.max(start, 0)) + (start === -1 ? lines.slice(0, rated[0]).join('\n') : '')
  );
}

import { z } from 'zod';

/** Lines of words in lower case, as a set; a language may do without a list. */
const list = z
  .array(z.string())
  .default([])
  .transform((lines): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' '))));

/** Lines of words and phrases with commas in between. */
const phrases = z
  .array(z.string())
  .default([])
  .transform((lines): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(', '))));

/**
 * The word lists of a language. Comments say what the words of a list do in a sentence, with an
 * example in English.
 */
export const wordLists = z.strictObject({
  // Negation and degree
  negators: list,
  /** Negators that say a thing is missing: `no staff`, `lacks charm`. */
  missing: list,
  /** Negators that a phrase keeps as a part of it, those of verbs: `did not arrive`. */
  negations: list,
  /** Words that turn the next word around: `less helpful`. */
  lessening: list,
  /** Words of degree before an opinion, kept in its phrase: `very kind`. */
  degrees: list,

  // Sentences and clauses
  /** Abbreviations whose full stop ends no sentence: `Dr. Lee`. */
  titles: list,
  /** Words that begin a clause against the one before: `but the room was cold`. */
  contrasts: list,
  /** Those of them that begin a sentence with what is granted: `although the room was cold, we slept`. */
  concessions: list,
  /** Other words that begin a clause: `because the room was cold`. */
  clauseStarts: list,
  /** Words that a quote from inside a sentence does not begin with: `which we liked`. */
  connectives: list,
  /**
   * Words that refer to the sentence before, if a quote begins with them: `he`, `we also`. Folding must not
   * make an article of them, as of `él`.
   */
  quoteStarts: phrases,
  /** Words that refer to the sentence before, if a quote ends with them: `as well`. */
  quoteEnds: phrases,
  /** Verbs before something that did not happen: `We wish the phone had been picked up.` */
  wishes: list,
  /** Words between a clause and an opinion of it: `it was so easy to book`. */
  completed: list,
  /** Words that end the gap of a phrase, because they begin something else: `and`. */
  gapEnds: list,
  numbers: list,
  /** Words for what did not happen, or was only expected: `hoped for`. */
  hedges: list,
  /** Words that after `would` say what people think: `would recommend`. */
  recommendations: list,

  // Phrases
  auxiliaries: list,
  /** Words that connect a thing with the opinion of it: `price was very fair`. */
  links: list,
  prepositions: list,
  determiners: list,
  personalPronouns: list,
  pronouns: list,
  /** Words that complete the verb before: `squeezed us in`, `talked me out`. */
  particles: list,
  /** Opinions that praise no particular thing: `thanks`. */
  courtesies: list,
  /** Words that join a phrase with the next, so that none ends with them: `clean and`. */
  joins: list,

  // What is not so, and other businesses and people
  /** Phrases before something that was not so: `would have been`, `cannot say that`. */
  unreal: phrases,
  /** Phrases before the words of other people: `the reviews say`. */
  hearsay: phrases,
  /** Phrases in a clause about other businesses: `somewhere else`. */
  elsewhere: phrases,
  /** Phrases that make another business of a noun before them: `the place across the street`. */
  nearby: phrases,
  /** Beginnings of a clause that is also about the other business of its sentence: `if you want`. */
  conditions: phrases,
  /** Words before what this business is compared with: `than the place next door`. */
  comparisons: list,
  /** Phrases that make another business of a noun before them: `the plumber we had`. */
  formerly: phrases,
  /** Phrases that make this business of another before them: `the last plumber they sent`. */
  ofThisBusiness: phrases,
  /** Words that make another business of a noun after them: `the last company`. */
  other: list,
  /** Nouns for businesses of any trade and their people. */
  businesses: list,
  /** Nouns that make this business of a noun before them: `the last hotel stay`. */
  occasions: list,
  /** Subjects of a clause that are never the business: `the dog`. */
  bystanders: list,
  /** Words between the beginning of a clause and its subject: `because our`. */
  beforeSubject: list,
  /** Words that begin a clause about the subject of the clause before: `and was late`. */
  continuations: list,
  /** Adjectives before a noun for a business: `the other big company`. */
  businessModifiers: list,

  // Names of places
  /** Words before a place name of several words, more of them than `namePrepositions`. */
  placePrepositions: list,
  articles: list,
  /** Words that make something else of a place name before them: `Wexford Street`. */
  namedAfterPlaces: list,
  /** Words that make a place of a first name after them: `San Antonio`. */
  beforePlaceNames: list,

  // Names of people
  /** Words before a person, whatever else the name means: `thanks May`. */
  personal: list,
  /** Words that make a person of a word with a capital after them: `our Will`. */
  beforePerson: list,
  /** Words between a name and a title: `Will, our plumber`. */
  beforeTitles: list,
  /** Phrases before a person: `ask for May`. */
  requests: phrases,
  /** Words that join what is listed: `Ann and Will`. */
  listJoins: list,
  /** The prepositions that people follow, and months or virtues seldom. */
  namePrepositions: list,
  /** The determiners that no name follows; `our` is left to `beforePerson`. */
  nameDeterminers: list,
  /** Words before a noun with a capital, perhaps after an adjective; for languages that capitalize nouns. */
  beforeNouns: list,
  /** Words before a name that is addressed: `Great job, Will!` */
  beforeVocative: list,
  /** Titles of people in any trade. */
  people: list,
  /** Names that are thanked and are no staff: `thank God`. */
  thankedBeings: list,
  /** Words before the name of a person whom nobody listed: `helped by Ann`. */
  beforeStranger: list,
  /** Titles before a name, even one in lower case: `dr lee`. */
  honorifics: list,
  /** Actions that only people do. */
  actionVerbs: list,
  /** Actions of people, and of papers: a bill may say much. */
  speechVerbs: list,
  /** Actions of people, and of days: a month may come and stay. */
  ambiguousActionVerbs: list,
  /** Subjects that stand for the person named last. */
  subjectPronouns: list,
  /** Verbs that connect a person with a quality: `Ann seemed kind`. */
  copulas: list,
  /** Verbs that criticize the person who does it. */
  blamedVerbs: list,
  /** Bad news of the lexicon that the person who says it seldom caused: `sorry`. */
  apologies: list,
  /** Verbs that a virtue may have as well: `Hope was lost`, `Grace had its price`. */
  virtueVerbs: list,
  /** Irregular forms that no modal precedes; those in -ed are recognized by their ending. */
  finite: list,
  /** Other words that show that the word before is their subject: `Embrace will not pay`. */
  predicates: list,

  // Names that mean something else decide what a capital letter and a verb prove.
  /** Modals that are names, before a word in -ed that is no past: `Will need`. */
  modals: list,
  /** Names of months and bills, which do much that people do. */
  nameableThings: list,
  /** Nouns for people and animals that are not of the business: `my sister Danielle`, `our dog Hank`. */
  otherPeople: list,
  /** Words that show whose the people after them are: `my sister`. */
  possessors: list,
  calendar: list,
  /** Other words with a capital that name no person: nationalities, platforms. */
  capitalized: list,
  /** Words before a place, never a person: `in Oslo`. */
  beforePlaces: list,
  /** Words that say nothing about what an opinion is about. */
  vague: list,
});
export type WordLists = z.infer<typeof wordLists>;

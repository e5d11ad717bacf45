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

/** The word lists of a language. Lists that look alike say how they differ. */
export const wordLists = z.strictObject({
  // Negation and degree
  negators: list,
  /** Negators that say a thing is missing: `no staff`, `lacks charm`. */
  missing: list,
  /** Negations that a phrase keeps as a part of it; of the negators, those that negate a verb. */
  negations: list,
  /** They turn the next word around: `less helpful`. */
  lessening: list,
  /** They may precede the opinion in a phrase. */
  degrees: list,

  // Sentences and clauses
  /** A full stop after them ends no sentence. */
  titles: list,
  /** They begin a clause that contrasts with the one before. */
  contrasts: list,
  /** They begin a clause. */
  clauseStarts: list,
  /** A quote from inside a sentence does not begin with them. */
  connectives: list,
  /**
   * A quote that begins with them refers to a sentence before it: `he`, `we also`. Folding must not make
   * an article of them, as of `él`.
   */
  quoteStarts: phrases,
  /** So does one that ends with them: `as well`. */
  quoteEnds: phrases,
  /** They name the opposite of what was: `We wish the phone had been picked up.` */
  wishes: list,
  /** An opinion after them is of the clause before: `it was so easy to book`. */
  completed: list,
  /** A gap of a phrase does not extend over them: the text goes on to something else. */
  gapEnds: list,
  numbers: list,
  /** Words for what did not happen, or was only expected. */
  hedges: list,
  /** After `would` they say what people think: `would recommend`. */
  recommendations: list,

  // Phrases
  auxiliaries: list,
  /** They may connect a thing with the opinion of it: `price was very fair`. */
  links: list,
  prepositions: list,
  determiners: list,
  personalPronouns: list,
  pronouns: list,
  /** They may complete the verb before: `squeezed us in`, `talked me out`. */
  particles: list,
  /** They praise nothing in particular. */
  courtesies: list,
  joins: list,

  // What is not so, and other businesses and people
  /** After them the clause tells of something that was not so: `would have been`, `cannot say that`. */
  unreal: phrases,
  /** After them the clause has the words of others: `the reviews say`. */
  hearsay: phrases,
  /** Their clause is about other businesses. */
  elsewhere: phrases,
  /** So is one in which they follow a noun for a business: `the place across the street`. */
  nearby: phrases,
  /** So is a clause that begins with them, in a sentence about what is elsewhere: `if you want`. */
  conditions: phrases,
  /** After them, this business is compared with another: `than the place next door`. */
  comparisons: list,
  /** After a noun for a business they make it another: `the plumber we had`. */
  formerly: phrases,
  /** After another business they make it this one: `the last plumber they sent`. */
  ofThisBusiness: phrases,
  /** Before a trade they make it another business: `the last company`. */
  other: list,
  /** Nouns for businesses of any trade and their people. */
  businesses: list,
  /** After a noun for a business they make it this one's: `the last hotel stay`. */
  occasions: list,
  /** As the subject of a clause they are never the business. */
  bystanders: list,
  /** They may precede the subject of a clause. */
  beforeSubject: list,
  /** A clause that begins with one of them keeps the subject of the clause before. */
  continuations: list,
  /** They may precede a noun for a business: `the other big company`. */
  businessModifiers: list,

  // Names of places
  /** A place name of several words follows them; more of place than `namePrepositions`. */
  placePrepositions: list,
  articles: list,
  /** After a place name they make it a name of something else: `Wexford Street`. */
  namedAfterPlaces: list,
  /** Before a first name they make it a place: `San Antonio`. */
  beforePlaceNames: list,

  // Names of people
  /** A person follows them, whatever else the name means. */
  personal: list,
  /** After them a word that is capitalized inside a sentence is a person. */
  beforePerson: list,
  /** Between a name and a title: `Will, our plumber`. */
  beforeTitles: list,
  /** A person follows them: `ask for May`. */
  requests: phrases,
  /** They join names in a list. */
  listJoins: list,
  /** The prepositions that people follow, and months or virtues seldom. */
  namePrepositions: list,
  /** The determiners that no name follows; `our` is left to `beforePerson`. */
  nameDeterminers: list,
  /** A capitalized word after them, and perhaps an adjective, is a noun; for languages that capitalize nouns. */
  beforeNouns: list,
  /** `Great job, Will!` */
  beforeVocative: list,
  /** Titles of people in any trade. */
  people: list,
  /** `Thank God` thanks nobody of the business. */
  thankedBeings: list,
  /** A capitalized word after them may be the name of a person nobody listed. */
  beforeStranger: list,
  /** A name follows them, even in lower case. */
  honorifics: list,
  /** Actions that only people do. */
  actionVerbs: list,
  /** Actions of people, and of papers: a bill may say much. */
  speechVerbs: list,
  /** Actions of people, and of days: a month may come and stay. */
  ambiguousActionVerbs: list,
  /** Subjects that stand for the person named last. */
  subjectPronouns: list,
  /** They connect a person with a quality. */
  copulas: list,
  /** Verbs that criticize the person who does it. */
  blamedVerbs: list,
  /** They are in the lexicon as bad news, which the person who says it seldom caused. */
  apologies: list,
  /** Verbs that a virtue may have as well: `Hope was lost`, `Grace had its price`. */
  virtueVerbs: list,
  /** Irregular forms that no modal precedes; those in -ed are recognized by their ending. */
  finite: list,
  /** With `finite`, they show that the word before is their subject: `Embrace will not pay`. */
  predicates: list,

  // Names that mean something else decide what a capital letter and a verb prove.
  /** They end in -ed but are no past: `Will need`. */
  modals: list,
  /** Names of months and bills, which do much that people do. */
  nameableThings: list,
  /** `my sister Danielle` and `our dog Hank` are somebody else. */
  otherPeople: list,
  possessors: list,
  calendar: list,
  /** Other words with a capital that name no person: nationalities, platforms. */
  capitalized: list,
  /** A place follows them, never a person: `in Oslo`. */
  beforePlaces: list,
  /** Words that say nothing about what an opinion is about. */
  vague: list,
});
export type WordLists = z.infer<typeof wordLists>;

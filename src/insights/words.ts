// Every word list of the engine. Lists that look alike say how they differ.

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

function without(list: ReadonlySet<string>, ...excluded: string[]): ReadonlySet<string> {
  return list.difference(words(...excluded));
}

// Negation and degree

const NEGATORS = words(
  'not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt',
  'arent werent wont wouldnt couldnt shouldnt havent hasnt hadnt aint hardly barely scarcely',
  'rarely seldom lack lacks lacked lacking',
);

/** Tells whether a word turns an opinion around. */
export function isNegator(word: string): boolean {
  return NEGATORS.has(word) || word.endsWith("n't");
}

/** Negators that say a thing is missing: `no staff`, `lacks charm`. */
export const MISSING = words('no none lack lacks lacked lacking');

/** Negations that a phrase keeps as a part of it; of the negators, those that negate a verb. */
const NEGATIONS = words(
  "no not never none nor nothing without cannot don't doesn't didn't isn't wasn't aren't weren't",
  "won't wouldn't couldn't shouldn't can't haven't hasn't hadn't",
);

export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** They make an opinion stronger. */
export const BOOSTERS = words(
  'very really extremely so super incredibly absolutely exceptionally highly truly totally',
  'completely amazingly unbelievably particularly especially remarkably most always such way too',
);
/** They make an opinion weaker. */
export const DAMPENERS = words('slightly somewhat fairly kinda sorta little bit rather almost');
/** Tells whether a word changes the opinion after it. */
export function modifies(word: string): boolean {
  return isNegator(word) || BOOSTERS.has(word) || DAMPENERS.has(word);
}

/** They may precede the opinion in a phrase, whatever they do to it. */
export const DEGREES = words(
  'absolutely all extremely fairly highly incredibly more most pretty quite really so super too',
  'totally truly very well way',
);

// Sentences and clauses

/** A full stop after them ends no sentence. */
export const TITLES = words('mr mrs ms dr st vs approx e.g i.e');
/** They begin a clause that contrasts with the one before. */
export const CONTRASTS = words(
  'but although though however yet while whereas except unfortunately',
);
/** They begin a clause. */
export const CLAUSE_STARTS = words('and because since so which when where who until after before');
/** A quote from inside a sentence does not begin with them. */
export const CONNECTIVES = words(
  'although and because but however since so than that then though when where which while who',
);
/** A list of things named together may have them between two: `the food and the service`. */
export const LIST_WORDS = words('and or nor the a an as well both also plus with of our their its');
/** A gap of a phrase does not extend over them: the text goes on to something else. */
export const GAP_ENDS = words('and at but by for from in of on or to with');
export const NUMBERS = words(
  'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty',
  'fifty sixty ninety hundred thousand couple few several',
);

/** Words for what did not happen, or was only expected. */
export const HEDGES = words(
  "could couldn't elsewhere expect expectation expectations expected expecting hope hoped hopefully",
  "hoping if instead rather should shouldn't someone supposed unless wish wished would wouldn't",
);
/** After `would` they say what people think: `would recommend`. */
export const RECOMMENDATIONS = words('definitely highly not recommend');

// Phrases

const AUXILIARIES = words('am are be been being could has have is should was were will would');
/** They may connect a thing with the opinion of it: `price was very fair`. */
const LINKS = words(
  'am are be been being could did do does gets get got had has have is it looks seemed seems should',
  'was were will would all also always both just',
);
const PREPOSITIONS = words(
  'about after against around as at before behind beyond by during for from in into like of off on',
  'onto out over past per regarding since than through toward until up upon with within',
);
export const DETERMINERS = words(
  'a an any each every her his its my no our some such that the their these this those your',
);
export const PERSONAL_PRONOUNS = words('he her him i me she them they us we you');
const PRONOUNS = PERSONAL_PRONOUNS.union(words('it myself who'));
/** They may complete the verb before: `squeezed us in`, `talked me out`. */
export const PARTICLES = words('away back down in off out over through up');
/** They praise nothing in particular. */
export const COURTESIES = words('like please thank thanks want wish');
const JOINS = words('and because but if or so to when where which while');

export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/** Tells whether a word only connects a thing with the opinion of it. */
export function isLink(word: string): boolean {
  return LINKS.has(word) || DEGREES.has(word) || NEGATIONS.has(word);
}

/** Tells whether a word means something by itself. */
export function isContent(word: string): boolean {
  return !isLink(word) && !isOpen(word) && !PRONOUNS.has(word);
}

/** Tells whether a phrase cannot end with a word: `easy to`, `cares about`, `worth every`. */
export function isOpen(word: string): boolean {
  return (
    AUXILIARIES.has(word) ||
    DEGREES.has(word) ||
    PREPOSITIONS.has(word) ||
    DETERMINERS.has(word) ||
    JOINS.has(word) ||
    NEGATIONS.has(word)
  );
}

// Other businesses and people

/** Before a trade they make it another business: `the last company`. */
export const OTHER = words('other others another previous last prior former old different first');
/** Nouns for businesses of any trade and their people. */
export const BUSINESSES = words(
  'business businesses companies company firm firms guy guys folks outfit outfits people place',
  'places provider providers shop shops',
);
/** After a noun for a business they make it this one's: `the last hotel stay`. */
export const OCCASIONS = words(
  'appointment appointments bill experience experiences guest guests job meal room rooms stay stays',
  'trip visit visits',
);
/** As the subject of a clause they are never the business. */
export const BYSTANDERS = words('dog cat neighbor neighbour');
/** They may precede the subject of a clause. */
export const BEFORE_SUBJECT = words(
  'a all and because but even every most my our since so some than that the their these those',
  'three two when while',
);
/** A clause that begins with one of them keeps the subject of the clause before. */
export const CONTINUATIONS = words('and before that which who');
/** They may precede a noun for a business: `the other big company`. */
export const BUSINESS_MODIFIERS = words('home big local');

// Names of places

/** A place name of several words follows them; more of place than {@link NAME_PREPOSITIONS}. */
export const PLACE_PREPOSITIONS = words('across around from in near of outside serving to');
export const ARTICLES = words('a an the');
/** After a place name they make it a name of something else: `Wexford Street`. */
export const NAMED_AFTER_PLACES = words(
  'ave avenue bank church court ct dr drive hotel inn lane ln rd road school st street terrace',
);

/** Before a first name they make it a place: `San Antonio`. */
export const BEFORE_PLACE_NAMES = words('fort lake mount mt port saint san santa st');

// Names of people

/** A person follows them, whatever else the name means. */
export const PERSONAL = words(
  'ask asked asking dr fellow gracias guy meet met miss mr mrs ms named requested thank thanks told',
);
/** After them a word that is capitalized inside a sentence is a person. */
export const BEFORE_PERSON = words('called had is our sent than was');
/** The prepositions that people follow, and months or virtues seldom. */
export const NAME_PREPOSITIONS = words('by for from to with');
/** The determiners that no name follows; `our` is left to {@link BEFORE_PERSON}. */
export const NAME_DETERMINERS = without(DETERMINERS, 'our such that these those');
/** `Great job, Will!` */
export const BEFORE_VOCATIVE = words('again appreciated job much rock work you');
/** Titles of people in any trade. */
export const PEOPLE = words('guy man manager owner supervisor');
/** `Thank God` thanks nobody of the business. */
export const THANKED_BEINGS = words('god goodness heaven heavens jesus lord');
/** A capitalized word after them may be the name of a person nobody listed. */
export const BEFORE_STRANGER = words('by called named with');
/** A name follows them, even in lower case. */
export const HONORIFICS = words('dr miss mr mrs ms prof professor');

/** Actions that only people do. */
export const ACTION_VERBS = words(
  'apologised apologized chatted drove joked knew knows laughed listened measured phoned rang',
  'smiled talked texted walked',
);
/** Actions of people, and of papers: a bill may say much. */
export const SPEECH_VERBS = words('answered asked explained promised recommended said showed told');
/** Actions of people, and of days: a month may come and stay. */
export const AMBIGUOUS_ACTION_VERBS = words(
  'arrived came cut finished found got helped kept left made put reset returned set spent squeezed',
  'stayed took treated worked',
);
/** They follow people as they follow anything. */
export const STATES = words('also and did from gave had has is was went');

/** Subjects that stand for the person named last. */
export const SUBJECT_PRONOUNS = words('he she who');
/** They connect a person with a quality. */
export const COPULAS = words(
  'acted acts am are be became been being felt got had has have is looked seemed seems sounded was',
  'were',
);
/** Verbs that criticize the person who does it. */
export const BLAMED_VERBS = words(
  'argued botched broke cursed damaged dismissed ghosted ignored insulted lied overcharged ruined',
  'scratched shouted swore yelled',
);
/** They are in the lexicon as bad news, which the person who says it seldom caused. */
export const APOLOGIES = words('apologies apologised apologise apologize apologized sorry');

/** Qualities of people rather than of virtues: `Grace is a true professional`. */
export const QUALITIES = words(
  'amazing awesome careful courteous delight excellent fantastic friendly gem great helpful honest',
  'kind knowledgeable nice patient pleasant polite pro professional smart star thorough wonderful',
);
export const BEING = words('is was');
/** Verbs that a virtue may have as well: `Hope was lost`, `Grace had its price`. */
export const VIRTUE_VERBS = words(
  "can could did didn't does doesn't had hadn't has hasn't is isn't was wasn't",
);

/** Irregular forms that no modal precedes; those in -ed are recognized by their ending. */
export const FINITE = words(
  "arrived bled brought built came can caught could dealt did didn't does doesn't drew drove felt",
  "found gave got had hadn't has hasn't held is isn't kept knew knows laid left made met rang said",
  'saw says sent showed spent spoke stood swept taught thought told took understands understood was',
  "wasn't went wrote",
);
/** With {@link FINITE}, they show that the word before is their subject: `Embrace will not pay`. */
export const PREDICATES = words(
  "are aren't can't cannot continues covers denies do don't gives have haven't keeps makes needs",
  "offers paid pays provides refuses seems should shouldn't takes were weren't will won't works",
  "would wouldn't",
);
/** They end in -ed but are no past: `Will need`. */
export const BASE_IN_ED = /(?:eed|^bed|^embed|^shed|^shred|^wed)$/;
export const ADVERB = /^(?:also|always|even|just|never|really|still|then|\p{L}{2,}ly)$/u;

// Names that mean something else decide what a capital letter and a verb prove.
export const MODALS = words('will');
export const MONTHS = words('april august june may');
export const BILLS = words('bill');

/** `my sister Danielle` and `our dog Hank` are somebody else. */
export const OTHER_PEOPLE = words(
  'another aunt baby boss boyfriend brother cat coworker cousin dad daughter different dog ex',
  'father fiance fiancé fiancee fiancée friend girlfriend granddaughter grandfather grandma',
  'grandmother grandpa grandson husband kid kitten landlord mom mother mum neighbor neighbour',
  'nephew niece other partner pup puppy roommate sister son tenant uncle wife',
);
export const POSSESSORS = words('my our his her their');
export const CALENDAR = words(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may',
  'june july august september october november december i',
);
/** Words that say nothing about what an opinion is about. */
export const VAGUE = words(
  'able again ago ahead almost already another anyone anything back been believe best better',
  'both bring came case coming companies company could customer customers day days definitely',
  'did does done each else enough even ever every everyone everything experience far few find',
  'first forward found gave get gets getting give given gives giving goes going gone got had',
  'happen happened has have having here hope how just keep knew know last later',
  'least let life like little long look looking lot lots made make makes making many matter',
  'maybe mine minute minutes month months more most much must need needed needs never next',
  'nothing now old once one ones only other others our own part people person place point put',
  'rest review reviews said same saw say says see seem seemed seems seen several should since',
  'some someone something somewhat soon star stars still such sure take taken takes taking tell',
  'than that their them then there these they thing things think this those though thought',
  'three thus time times today told too took tried try trying turned two until upon use used',
  'using very want wanted was way ways week weekend weeks well went were what when where which',
  'while who whole why will wish with within without would year years yet your yourself',
);

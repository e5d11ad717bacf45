const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Behind these stands a person, whatever else the name means. */
export const PERSONAL = words(
  'ask asked asking fellow gracias guy installer meet met mr mrs ms named plumber requested tech ' +
    'technician thank thanks told',
);
/** Behind these a word that is capitalised inside a sentence is a person. */
export const LINKS = words('called had is our sent than was');
export const PREPOSITIONS = words('by for from to with');
/** A name has none; `our` is left to the links. */
export const DETERMINERS = words('a an any each every her his its my no some the their this your');
/** `Great job, Will!` */
export const BEFORE_VOCATIVE = words('again appreciated job much rock work you');
export const CRAFTS = words('electrician guy installer man plumber tech technician');

/** What only people do. */
export const DEEDS = words(
  'apologised apologized chatted climbed crawled diagnosed drove fixed inspected installed joked ' +
    'knew knows laughed listened measured mopped patched phoned rang repaired replaced rewired smiled ' +
    'soldered swapped swept talked texted tightened unclogged vacuumed walked',
);
/** What people do, and papers too: a bill may say much. */
export const SPOKEN = words('answered asked explained promised recommended said showed told');
/** What people do, and days too: a month may come and stay. */
export const LOOSE_DEEDS = words(
  'arrived came cut finished found got helped kept left made put reset returned set spent squeezed ' +
    'stayed took treated worked',
);
/** What is said of people as of anything. */
export const STATES = words('also and did from gave had has is was went');

/** What is said of people rather than of virtues: `Grace is a true professional`. */
export const QUALITIES = words(
  'amazing awesome careful courteous delight excellent fantastic friendly gem great helpful honest ' +
    'kind knowledgeable nice patient pleasant polite pro professional smart star thorough wonderful',
);
export const BEING = words('is was');
/** What a name may begin of itself: `Hope was lost`, `Grace had its price`. */
export const AUXILIARIES = words(
  "can could did didn't does doesn't had hadn't has hasn't is isn't was wasn't",
);

/** Irregular forms that no modal stands before; those in -ed are told by their ending. */
export const FINITE = words(
  "arrived bled brought built came can caught could dealt did didn't does doesn't drew drove felt " +
    "found gave got had hadn't has hasn't held is isn't kept knew knows laid left made met rang said " +
    'saw says sent showed spent spoke stood swept taught thought told took understands understood was ' +
    "wasn't went wrote",
);
/** They end in -ed and are no past: `Will need`. */
export const BASE_IN_ED = /(?:eed|^bed|^embed|^shed|^shred|^wed)$/;
export const ADVERB = /^(?:also|always|even|just|never|really|still|then|\p{L}{2,}ly)$/u;

/** What else a name may be decides what its capital letter and its verb prove. */
export const MODALS = words('will');
export const MONTHS = words('april august june may');
export const PAPERS = words('bill');

/** `my sister Danielle` and `our dog Hank` are somebody else. */
export const OTHERS = words(
  'another aunt baby boss boyfriend brother cat coworker cousin dad daughter different dog ex ' +
    'father fiance fiancé fiancee fiancée friend girlfriend granddaughter grandfather grandma ' +
    'grandmother grandpa grandson husband kid kitten landlord mom mother mum neighbor neighbour ' +
    'nephew niece other partner pup puppy roommate sister son tenant uncle wife',
);
export const POSSESSORS = words('my our his her their');
export const CALENDAR = words(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may ' +
    'june july august september october november december i',
);

/** Queries with the reviews that answer them: what the text of a good answer has, and of a partial one. */
export type GradedQueries = Readonly<Record<string, [good: RegExp, partial?: RegExp]>>;

/** Questions and words that people would ask of an insurer of pets. */
const INSURER: GradedQueries = {
  'how long does a claim take': [
    /claim[^.]{0,60}\b(days?|weeks?|months?)\b|\b(days?|weeks?|months?)\b[^.]{0,40}claim/i,
    /\bclaims?\b/i,
  ],
  deductable: [/deduct[ia]ble/i],
  'pre-existing conditions': [/pre-? ?existing/i],
  preexisting: [/pre-? ?existing/i],
  'premium went up': [
    /(premium|rate|price|cost)s?[^.]{0,50}(went up|increas|doubl|tripl|rais|go(es)? up|gone up|hike)/i,
    /premium/i,
  ],
  'is dental covered?': [/\b(dental|tooth|teeth)\b/i],
  'direct deposit': [/direct[- ]deposit/i, /deposit/i],
  'cancer treatment': [/cancer|chemo|tumou?r|lymphoma/i],
  'customer service on hold': [/on hold/i, /\bhold\b|customer service/i],
  'hip displasia': [/dysplasia|displasia/i],
  'wellness plan worth it': [/wellness/i],
  reimbursment: [/re-?imburs/i],
  'refused to pay': [
    /refus|den(y|ied)[^.]{0,40}(claim|pay|cover)|not pay|won.?t pay|wouldn.?t pay/i,
    /\bpay\b|\bpaid\b/i,
  ],
  'rude on the phone': [/\brude\b/i, /\bphone\b/i],
  acupuncture: [/acup/i],
  'prescription food': [/prescri[^.]{0,30}(food|diet)/i, /prescri/i],
  'does it work for cats': [/\b(cats?|kitt(y|en|ens|ies))\b/i],
  'cancelled my policy': [/cancel/i, /\bpolicy\b/i],
  'mobile app upload invoice': [
    /\bapp\b[^.]*(upload|invoice|submit|claim)|upload[^.]*\bapp\b/i,
    /\bapp\b|upload/i,
  ],
  'emergency surgery': [
    /emergency[^.]{0,40}surg|surg[^.]{0,40}emergency/i,
    /\bemergency\b|surger/i,
  ],
  'healthy pet deductible reward': [
    /deductible[^.]*(decreas|reduc|lower|credit|reward|go(es)? down|shrink|less)|healthy pet/i,
    /deductible/i,
  ],
  'what a joke': [/\bjoke\b/i],
  'peace of mind': [/peace[- ]of[- ]mind/i],
  'ear infections': [/\bear(s)?\b[^.]{0,30}infect|infect[^.]{0,30}\bears?\b/i, /infect/i],
  'multiple pets discount': [
    /(multi\w*|more than one|two|three|several)[- ](pets?|dogs?|cats?)[^.]*discount|discount/i,
  ],
  'compared to trupanion': [/trupanion/i],
  'medical records from the vet': [/medical (records|history)/i, /\brecords?\b/i],
  'vetrinarian exam fee': [
    /(exam|visit|office)[- ]*(visit)? fees?|exam[^.]{0,20}\bfees?\b/i,
    /\bexam/i,
  ],
  'old dog enrolled': [/(old(er)?|senior|elderly)[^.]{0,20}\b(dog|pet|cat)s?\b/i, /enroll/i],
  'spoke with a supervisor': [/supervisor|manager/i],
};

/** Questions and words that people would ask of a hotel. */
const HOTEL: GradedQueries = {
  wifi: [/\bwi[- ]?fi\b/i, /\binternet\b/i],
  'wi-fi any good?': [/\bwi[- ]?fi\b/i, /\binternet\b/i],
  'aircon not working': [
    /(air[- ]?con\w*|\bac\b|a c )[^.]{0,50}(not|didn t|broken|wasn t|no |did not|poor)|(no|not|broken)[^.]{0,30}air[- ]?con/i,
    /air[- ]?con/i,
  ],
  'breakfast expensive': [
    /breakfast[^.]{0,60}(expensive|pricey|overpriced|cost)|(expensive|pricey|overpriced)[^.]{0,40}breakfast/i,
    /breakfast/i,
  ],
  'is there parking and what does it cost': [/parking|car ?park/i],
  'noisy street at night': [
    /nois[^.]{0,60}(street|night|road|traffic)|(street|road|traffic)[^.]{0,40}nois/i,
    /\bnois/i,
  ],
  'bed uncomfortable': [
    /(bed|mattress)s?[^.]{0,40}(uncomfort|hard|too soft|lumpy|not comfort)|(uncomfort|hard|lumpy)\w*[^.]{0,20}(bed|mattress)/i,
    /\bbeds?\b|mattress/i,
  ],
  'check in slow': [
    /check(ed)?[- ]?in[^.]{0,60}(slow|long|wait|queue|delay)|(slow|long|wait|queue)\w*[^.]{0,40}check(ing)?[- ]?in/i,
    /check(ed)?[- ]?in\b/i,
  ],
  'rude receptionist': [/\b(rude|unfriendly|impolite|unhelpful)\b/i, /recepti/i],
  'close to the tube station': [
    /(close|near|next|minutes?|walk)[^.]{0,40}(tube|underground|metro|station)/i,
    /\b(tube|metro|underground|station)\b/i,
  ],
  'swimming pool': [/\b(swim\w*|pool)\b/i],
  'dirty bathroom': [
    /(dirty|filthy|mou?ld|stain|unclean|not clean|hair)[^.]{0,50}(bath|shower|toilet)|(bath|shower|toilet)\w*[^.]{0,50}(dirty|filthy|mou?ld|stain|unclean|not clean)/i,
    /\bdirty\b|bathroom/i,
  ],
  'accomodation for familys': [/\bfamil(y|ies)\b/i, /accomm?odation|\bkids?\b|child/i],
  'small rooms': [
    /(small|tiny|cramped|compact|little)[^.]{0,20}rooms?|rooms?[^.]{0,25}(small|tiny|cramped)/i,
    /\bsmall\b/i,
  ],
  'view from the window': [/\bviews?\b/i, /window/i],
  'lift broken': [
    /\b(lift|elevator)s?\b[^.]{0,50}(broken|not work|out of|slow|didn t|wait)|(broken|slow)[^.]{0,20}(lift|elevator)/i,
    /\b(lift|elevator)s?\b/i,
  ],
  'rooftop bar': [/roof ?top/i, /\bbar\b/i],
  'vegan breakfast': [/vegan|vegetarian|gluten/i],
  'too hot in the room': [
    /(too|to|very|so|extremely|really|unbearably) (hot|warm|stuffy)|\b(hot|stuffy) (stuffy )?room/i,
    /\bhot\b|heat/i,
  ],
  'friendly staff': [
    /(friendly|helpful|kind|nice|lovely|welcoming)[^.]{0,30}staff|staff[^.]{0,40}(friendly|helpful|kind|nice|lovely|welcoming)/i,
    /\bstaff\b/i,
  ],
  'extra charge deposit': [
    /deposit|extra[^.]{0,20}(charge|cost|fee)|charge[^.]{0,30}extra|charged/i,
  ],
  hairdryer: [/hair ?dr[iy]er/i],
  'tea and coffee in the room': [/\b(tea|coffee|kettle|nespresso)\b/i],
  'upgraded for a birthday': [/birthday|upgrad/i, /anniversary/i],
  'shower pressure': [/(water )?pressure|shower[^.]{0,40}(weak|power|hot water|cold)/i, /shower/i],
  bedbugs: [/bed ?bugs?|\bbugs?\b|insects?/i],
  'not worth the money': [
    /(not|isn t|wasn t|n.t)[^.]{0,20}(worth|value)|overpriced|poor value/i,
    /\b(price|expensive|money|worth|value)\b/i,
  ],
  'smell of smoke': [/smell|smok|odou?r/i],
  'near the city centre': [/cent(er|re)/i, /\blocation\b/i],
  'recomend to friends': [/recomm?end/i],
};

export const GRADED_QUERIES = { insurer: INSURER, hotel: HOTEL };

/** A query with the reviews that answer it: what the text of a good answer has, and of a partial one. */
export interface GradedQuery {
  query: string;
  good: RegExp;
  partial?: RegExp;
}

/** Questions and words that people would ask of an insurer of pets. */
const INSURER: readonly GradedQuery[] = [
  {
    query: 'how long does a claim take',
    good: /claim[^.]{0,60}\b(days?|weeks?|months?)\b|\b(days?|weeks?|months?)\b[^.]{0,40}claim/i,
    partial: /\bclaims?\b/i,
  },
  { query: 'deductable', good: /deduct[ia]ble/i },
  { query: 'pre-existing conditions', good: /pre-? ?existing/i },
  { query: 'preexisting', good: /pre-? ?existing/i },
  {
    query: 'premium went up',
    good: /(premium|rate|price|cost)s?[^.]{0,50}(went up|increas|doubl|tripl|rais|go(es)? up|gone up|hike)/i,
    partial: /premium/i,
  },
  { query: 'is dental covered?', good: /\b(dental|tooth|teeth)\b/i },
  { query: 'direct deposit', good: /direct[- ]deposit/i, partial: /deposit/i },
  { query: 'cancer treatment', good: /cancer|chemo|tumou?r|lymphoma/i },
  { query: 'customer service on hold', good: /on hold/i, partial: /\bhold\b|customer service/i },
  { query: 'hip displasia', good: /dysplasia|displasia/i },
  { query: 'wellness plan worth it', good: /wellness/i },
  { query: 'reimbursment', good: /re-?imburs/i },
  {
    query: 'refused to pay',
    good: /refus|den(y|ied)[^.]{0,40}(claim|pay|cover)|not pay|won.?t pay|wouldn.?t pay/i,
    partial: /\bpay\b|\bpaid\b/i,
  },
  { query: 'rude on the phone', good: /\brude\b/i, partial: /\bphone\b/i },
  { query: 'acupuncture', good: /acup/i },
  { query: 'prescription food', good: /prescri[^.]{0,30}(food|diet)/i, partial: /prescri/i },
  { query: 'does it work for cats', good: /\b(cats?|kitt(y|en|ens|ies))\b/i },
  { query: 'cancelled my policy', good: /cancel/i, partial: /\bpolicy\b/i },
  {
    query: 'mobile app upload invoice',
    good: /\bapp\b[^.]*(upload|invoice|submit|claim)|upload[^.]*\bapp\b/i,
    partial: /\bapp\b|upload/i,
  },
  {
    query: 'emergency surgery',
    good: /emergency[^.]{0,40}surg|surg[^.]{0,40}emergency/i,
    partial: /\bemergency\b|surger/i,
  },
  {
    query: 'healthy pet deductible reward',
    good: /deductible[^.]*(decreas|reduc|lower|credit|reward|go(es)? down|shrink|less)|healthy pet/i,
    partial: /deductible/i,
  },
  { query: 'what a joke', good: /\bjoke\b/i },
  { query: 'peace of mind', good: /peace[- ]of[- ]mind/i },
  {
    query: 'ear infections',
    good: /\bear(s)?\b[^.]{0,30}infect|infect[^.]{0,30}\bears?\b/i,
    partial: /infect/i,
  },
  {
    query: 'multiple pets discount',
    good: /(multi\w*|more than one|two|three|several)[- ](pets?|dogs?|cats?)[^.]*discount|discount/i,
  },
  { query: 'compared to trupanion', good: /trupanion/i },
  {
    query: 'medical records from the vet',
    good: /medical (records|history)/i,
    partial: /\brecords?\b/i,
  },
  {
    query: 'vetrinarian exam fee',
    good: /(exam|visit|office)[- ]*(visit)? fees?|exam[^.]{0,20}\bfees?\b/i,
    partial: /\bexam/i,
  },
  {
    query: 'old dog enrolled',
    good: /(old(er)?|senior|elderly)[^.]{0,20}\b(dog|pet|cat)s?\b/i,
    partial: /enroll/i,
  },
  { query: 'spoke with a supervisor', good: /supervisor|manager/i },
];

/** Questions and words that people would ask of a hotel. */
const HOTEL: readonly GradedQuery[] = [
  { query: 'wifi', good: /\bwi[- ]?fi\b/i, partial: /\binternet\b/i },
  { query: 'wi-fi any good?', good: /\bwi[- ]?fi\b/i, partial: /\binternet\b/i },
  {
    query: 'aircon not working',
    good: /(air[- ]?con\w*|\bac\b|a c )[^.]{0,50}(not|didn t|broken|wasn t|no |did not|poor)|(no|not|broken)[^.]{0,30}air[- ]?con/i,
    partial: /air[- ]?con/i,
  },
  {
    query: 'breakfast expensive',
    good: /breakfast[^.]{0,60}(expensive|pricey|overpriced|cost)|(expensive|pricey|overpriced)[^.]{0,40}breakfast/i,
    partial: /breakfast/i,
  },
  { query: 'is there parking and what does it cost', good: /parking|car ?park/i },
  {
    query: 'noisy street at night',
    good: /nois[^.]{0,60}(street|night|road|traffic)|(street|road|traffic)[^.]{0,40}nois/i,
    partial: /\bnois/i,
  },
  {
    query: 'bed uncomfortable',
    good: /(bed|mattress)s?[^.]{0,40}(uncomfort|hard|too soft|lumpy|not comfort)|(uncomfort|hard|lumpy)\w*[^.]{0,20}(bed|mattress)/i,
    partial: /\bbeds?\b|mattress/i,
  },
  {
    query: 'check in slow',
    good: /check(ed)?[- ]?in[^.]{0,60}(slow|long|wait|queue|delay)|(slow|long|wait|queue)\w*[^.]{0,40}check(ing)?[- ]?in/i,
    partial: /check(ed)?[- ]?in\b/i,
  },
  {
    query: 'rude receptionist',
    good: /\b(rude|unfriendly|impolite|unhelpful)\b/i,
    partial: /recepti/i,
  },
  {
    query: 'close to the tube station',
    good: /(close|near|next|minutes?|walk)[^.]{0,40}(tube|underground|metro|station)/i,
    partial: /\b(tube|metro|underground|station)\b/i,
  },
  { query: 'swimming pool', good: /\b(swim\w*|pool)\b/i },
  {
    query: 'dirty bathroom',
    good: /(dirty|filthy|mou?ld|stain|unclean|not clean|hair)[^.]{0,50}(bath|shower|toilet)|(bath|shower|toilet)\w*[^.]{0,50}(dirty|filthy|mou?ld|stain|unclean|not clean)/i,
    partial: /\bdirty\b|bathroom/i,
  },
  {
    query: 'accomodation for familys',
    good: /\bfamil(y|ies)\b/i,
    partial: /accomm?odation|\bkids?\b|child/i,
  },
  {
    query: 'small rooms',
    good: /(small|tiny|cramped|compact|little)[^.]{0,20}rooms?|rooms?[^.]{0,25}(small|tiny|cramped)/i,
    partial: /\bsmall\b/i,
  },
  { query: 'view from the window', good: /\bviews?\b/i, partial: /window/i },
  {
    query: 'lift broken',
    good: /\b(lift|elevator)s?\b[^.]{0,50}(broken|not work|out of|slow|didn t|wait)|(broken|slow)[^.]{0,20}(lift|elevator)/i,
    partial: /\b(lift|elevator)s?\b/i,
  },
  { query: 'rooftop bar', good: /roof ?top/i, partial: /\bbar\b/i },
  { query: 'vegan breakfast', good: /vegan|vegetarian|gluten/i },
  {
    query: 'too hot in the room',
    good: /(too|to|very|so|extremely|really|unbearably) (hot|warm|stuffy)|\b(hot|stuffy) (stuffy )?room/i,
    partial: /\bhot\b|heat/i,
  },
  {
    query: 'friendly staff',
    good: /(friendly|helpful|kind|nice|lovely|welcoming)[^.]{0,30}staff|staff[^.]{0,40}(friendly|helpful|kind|nice|lovely|welcoming)/i,
    partial: /\bstaff\b/i,
  },
  {
    query: 'extra charge deposit',
    good: /deposit|extra[^.]{0,20}(charge|cost|fee)|charge[^.]{0,30}extra|charged/i,
  },
  { query: 'hairdryer', good: /hair ?dr[iy]er/i },
  { query: 'tea and coffee in the room', good: /\b(tea|coffee|kettle|nespresso)\b/i },
  { query: 'upgraded for a birthday', good: /birthday|upgrad/i, partial: /anniversary/i },
  {
    query: 'shower pressure',
    good: /(water )?pressure|shower[^.]{0,40}(weak|power|hot water|cold)/i,
    partial: /shower/i,
  },
  { query: 'bedbugs', good: /bed ?bugs?|\bbugs?\b|insects?/i },
  {
    query: 'not worth the money',
    good: /(not|isn t|wasn t|n.t)[^.]{0,20}(worth|value)|overpriced|poor value/i,
    partial: /\b(price|expensive|money|worth|value)\b/i,
  },
  { query: 'smell of smoke', good: /smell|smok|odou?r/i },
  { query: 'near the city centre', good: /cent(er|re)/i, partial: /\blocation\b/i },
  { query: 'recomend to friends', good: /recomm?end/i },
];

export const GRADED_QUERIES = { insurer: INSURER, hotel: HOTEL };

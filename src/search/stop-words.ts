/** Words that say nothing of what is searched for; words of negation do, and are none of them. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  en:
    'a about all am an and any anyone are as at be been but by can could did do does for from get got had has have he her ' +
    "here him his how i i'm i've if in into is it it's its just me my of on or our she should so some than that that's the " +
    'their them there these they this those to too very was we were what when where which who why will with would you your',
  de:
    'aber alle als am an auch auf aus bei bin bis da das dass dem den der des die doch du ein eine einem einen einer eines er es ' +
    'für hat hatte haben ich ihr im in ist ja mit nach noch nur oder schon sehr sich sie sind so über um und uns unser vom von ' +
    'vor war waren was weil wenn wer wie wir wird wo zu zum zur',
  es:
    'a al algo como con cual cuando de del donde e el ella ellos en era es esta está este esto fue ha han hay la las le les lo los ' +
    'me mi muy nos o para pero por que qué quien se ser si sí son su sus también te tiene todo tu un una uno y ya yo',
  fr:
    "a à ai au aux avec c'est ce ces cette comme dans de des du elle en est et était été eu il ils j'ai je la le les leur lui ma " +
    'mais me mes mon nos notre nous on ont ou où par pour qu que qui sa se ses si son sont sur ta te tes très tu un une vos votre vous y',
  it:
    'a ai al alla anche che chi ci come con da dal dalla dei del della delle di e è ed era gli ha hanno ho i il in io la le lei lo ' +
    'lui ma mi mio molto nel nella noi o per più quando questa questo se si sono su sua suo ti tra un una uno voi',
  nl:
    'aan al als bij dan dat de der deze die dit door een en er ge had heb hebben heeft het hier hij ik in is ja je kan maar me met ' +
    'mijn na naar of om ons onze ook op over te tot u uit van veel voor waar was wat we wel wij ze zeer zij zijn zo zou',
  pt:
    'a ao aos as com como da das de do dos e é ela ele em era essa esse esta está este eu foi foram há isso já lhe mais mas me meu ' +
    'minha muito na nas no nos o os ou para pela pelo por quando que quem se sem ser seu sua são também te tem um uma você',
};

/** Returns the stop words of some languages, given as BCP 47 tags. */
export function stopWordsOf(tags: Iterable<string>): ReadonlySet<string> {
  const languages = new Set(Array.from(tags, (tag) => tag.split('-')[0]!.toLowerCase()));
  return new Set([...languages].flatMap((language) => STOP_WORDS[language]?.split(' ') ?? []));
}

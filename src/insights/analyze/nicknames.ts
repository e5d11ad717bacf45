/** Short forms that are no beginning of the name they stand for. */
const NICKNAMES: readonly (readonly string[])[] = [
  'alexander alexandra alex lex sandy xander',
  'andrew drew andy',
  'anthony tony',
  'barbara barb babs',
  'charles charlie chuck',
  'edward ed eddie ted ned',
  'elizabeth beth betsy liz lizzie eliza',
  'francis francisco frank paco',
  'henry hank harry',
  'james jim jimmy jamie',
  'john jack johnny',
  'jose pepe',
  'katherine kate kathy katie kit',
  'lawrence larry',
  'margaret maggie meg peggy greta',
  'michael mike mick micky',
  'nathaniel nathan nate',
  'patricia patrick pat patty tricia',
  'richard rich rick dick ricky',
  'robert bob bobby rob robbie',
  'stephen steven steve',
  'theodore ted teddy theo',
  'william bill billy liam will willy',
].map((line) => line.split(' '));

/** Whether one may be the short form of the other: `Dani` of `Danielle`, `Bob` of `Robert`. */
export function isNickname(a: string, b: string): boolean {
  if (a === b) return false;
  if (NICKNAMES.some((names) => names.includes(a) && names.includes(b))) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const root = short.replace(/(?:ie|y|i|o|s)$/, '');
  return root.length >= 3 && long.startsWith(root);
}

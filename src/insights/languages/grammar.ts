/** Rules of a language that are no lists of words. Words are in lower form. */
export interface Grammar {
  /** Returns the one spelling of a word: without the accents that writers leave out. */
  fold: (word: string) => string;
  /** Tells whether a word has a negation in it: `n't`. */
  negates: (word: string) => boolean;
  /** A pattern of what follows a word whose apostrophe exports lost: `wasn t`. */
  lostApostrophe?: string;
  /** Returns the words that one is short for: `wouldn't`. */
  partsOf?: (word: string) => string[] | undefined;
  isAdverb: (word: string) => boolean;
  /** Tells whether a word is by its ending a verb in the past, which no modal precedes. */
  isPast: (word: string) => boolean;
  /** Returns the forms of a word of the lexicon that share its score. */
  inflect: (word: string) => string[];
  /** Turns singular into plural and back: `faucet` into `faucets`, `faucets` into `faucet`. */
  otherNumber: (noun: string) => string;
  /** Returns the forms of a regular verb: `install`, `installs`, `installed`, `installing`. */
  verbForms: (verb: string) => string[];
  /** Returns the part that the forms of a word share, so that `claims were denied` matches `deny the claim`. */
  stem: (word: string) => string;
}

/** Thrown where the person who imports must decide something; the message says how. */
export class ImportError extends Error {
  override readonly name: string = 'ImportError';
}

/** The answers that a person may give, named as the option of the command that answers it. */
export type Answerable = 'place' | 'shown' | 'scale';

/** Thrown where values have several meanings; the answer is kept, so that nobody is asked again. */
export class Question extends ImportError {
  override readonly name = 'Question';
  readonly option: Answerable;
  /** The answer that leaves nothing out. */
  readonly widest: string;

  /** @param example an answer in the form of the option */
  constructor(option: Answerable, asked: string, example: string, widest = example) {
    super(`${asked}: --${option} '${example}'`);
    this.option = option;
    this.widest = widest;
  }
}

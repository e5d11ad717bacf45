/** There is no whole edition at a source (yet): an upload may be half done, an origin away. */
export class IncompleteEditionError extends Error {
  override readonly name = 'IncompleteEditionError';
}

/** An adopted edition is no longer what was adopted, as after a power loss. */
export class DamagedEditionError extends Error {
  override readonly name = 'DamagedEditionError';
}

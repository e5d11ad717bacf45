import { randomBytes } from 'node:crypto';

/** Returns the salt of a new review: 128 random bits. */
export function randomSalt(): string {
  return randomBytes(16).toString('hex');
}

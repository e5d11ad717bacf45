import { UsageError } from '../../run-command.ts';

export const WITHDRAW_FLAGS = {
  withdraw: { type: 'boolean', default: false },
  'withdraw-exactly': { type: 'string' },
} as const;

/** Returns the number of reviews to withdraw, or true for a few. @throws {UsageError} */
export function withdrawalOf(flags: {
  withdraw: boolean;
  'withdraw-exactly'?: string | undefined;
}): boolean | number {
  const stated = flags['withdraw-exactly'];
  if (stated === undefined) return flags.withdraw;
  if (/^\d+$/.test(stated)) return Number(stated);
  throw new UsageError('--withdraw-exactly: must be the number of reviews that are gone');
}

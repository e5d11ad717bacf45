/**
 * Whether pages state rating and reviews in structured data: REVIEW_MARKUP, off when left out.
 *
 * @throws for anything but on and off
 */
export function reviewMarkup(env: NodeJS.ProcessEnv): boolean {
  const value = env.REVIEW_MARKUP || 'off';
  if (value !== 'on' && value !== 'off') {
    throw new Error(`REVIEW_MARKUP: must be on or off (was ${value})`);
  }
  return value === 'on';
}

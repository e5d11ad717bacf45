/** The sides of an opinion. Apart from the schemas, so that bundles for browsers need no zod. */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

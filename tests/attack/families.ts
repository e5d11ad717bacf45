import type { Family } from './family.ts';
import { heapSlope } from './families/heap-slope.ts';

/** Every family of attacks, in the order they run. */
export const FAMILIES: readonly Family[] = [heapSlope];

import type { Family } from './family.ts';
import { fuzz } from './families/fuzz.ts';
import { heapSlope } from './families/heap-slope.ts';
import { soak } from './families/soak.ts';

/** Every family of attacks, in the order they run. */
export const FAMILIES: readonly Family[] = [heapSlope, fuzz, soak];

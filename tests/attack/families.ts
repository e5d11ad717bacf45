import type { Family } from './family.ts';
import { buildGrowth } from './families/build-growth.ts';
import { diskDamage } from './families/disk-damage.ts';
import { fuzz } from './families/fuzz.ts';
import { heapSlope } from './families/heap-slope.ts';
import { injection } from './families/injection.ts';
import { lyingOrigin } from './families/lying-origin.ts';
import { rawSockets } from './families/raw-sockets.ts';
import { soak } from './families/soak.ts';

/** Every family of attacks, in the order they run. */
export const FAMILIES: readonly Family[] = [
  buildGrowth,
  heapSlope,
  fuzz,
  soak,
  injection,
  rawSockets,
  lyingOrigin,
  diskDamage,
];

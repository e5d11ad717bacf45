import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce } from './edition.ts';
import { DATASET } from './fixtures.ts';

const business = JSON.parse(readFileSync(join(DATASET, 'business.json'), 'utf8')) as object;
/** As long as the addresses of some businesses: no page may be wider for it. */
const email = 'thefrontofficeofharborandpine@heatingandcoolingofalderbay.example';

/** The sample edition without a sidecar. */
export const filesOnlyEdition = builtOnce(
  { HUB_URL: '' },
  { 'business.json': JSON.stringify({ ...business, email, sidecar: false }) },
  DATASET,
);

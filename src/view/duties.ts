import type { MessageId } from '../messages/wording.ts';
import { ARCHIVE_PATH, METHOD_PATH, POLICY_PATH } from '../paths.ts';

/** A duty of sites with reviews, and the page of this site that meets it. */
interface Duty {
  /** Names its law and its words in the catalogs. */
  id: 'eu_checks' | 'eu_claims' | 'uk' | 'us_buying' | 'us_selection' | 'iso_rules' | 'iso_order';
  source: string;
  /** The page, and how links name it. */
  page: string;
  place: MessageId;
}

const EU = 'https://eur-lex.europa.eu/eli/dir/2005/29/2022-05-28';
const US = 'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465';
const ISO = 'https://www.iso.org/standard/68193.html';

/**
 * Duties that laws and a standard put on a business that publishes reviews of itself. Whether one
 * applies depends on the business: this is no legal advice.
 */
export const DUTIES: readonly Duty[] = [
  { id: 'eu_checks', source: EU, page: `${METHOD_PATH}#verified`, place: 'duty.at_checks' },
  { id: 'eu_claims', source: EU, page: `${METHOD_PATH}#left-out`, place: 'method.left_out' },
  {
    id: 'uk',
    source: 'https://www.legislation.gov.uk/ukpga/2024/13/schedule/20',
    page: `${POLICY_PATH}#collection`,
    place: 'policy.collection',
  },
  { id: 'us_buying', source: US, page: `${POLICY_PATH}#collection`, place: 'policy.collection' },
  { id: 'us_selection', source: US, page: `${METHOD_PATH}#left-out`, place: 'method.left_out' },
  { id: 'iso_rules', source: ISO, page: `${POLICY_PATH}#removal`, place: 'duty.at_removal' },
  { id: 'iso_order', source: ISO, page: ARCHIVE_PATH, place: 'page.all_reviews' },
];

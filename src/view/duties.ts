import { ARCHIVE_PATH, METHOD_PATH, POLICY_PATH } from '../paths.ts';

/** A duty of sites with reviews, and the page of this site that meets it. */
interface Duty {
  law: string;
  source: string;
  duty: string;
  /** The page, and how links name it. */
  page: string;
  place: string;
}

/**
 * Duties that laws and a standard put on a business that publishes reviews of itself. Whether one
 * applies depends on the business: this is no legal advice.
 */
export const DUTIES: readonly Duty[] = [
  {
    law: 'EU, Directive 2005/29/EC, Article 7(6)',
    source: 'https://eur-lex.europa.eu/eli/dir/2005/29/2022-05-28',
    duty: 'Say whether and how it is ensured that reviews come from customers.',
    page: `${METHOD_PATH}#verified`,
    place: 'How it was checked',
  },
  {
    law: 'EU, Directive 2005/29/EC, Annex I, 23b and 23c',
    source: 'https://eur-lex.europa.eu/eli/dir/2005/29/2022-05-28',
    duty: 'Do not claim that reviews are of customers without checks, nor suppress bad ones.',
    page: `${METHOD_PATH}#left-out`,
    place: 'What is left out',
  },
  {
    law: 'UK, DMCC Act 2024, Schedule 20, paragraph 13',
    source: 'https://www.legislation.gov.uk/ukpga/2024/13/schedule/20',
    duty: 'Conceal no incentive, mislead by no selection, and act against fake reviews.',
    page: `${POLICY_PATH}#collection`,
    place: 'Collection',
  },
  {
    law: 'US, 16 CFR 465.4 and 465.5',
    source: 'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465',
    duty: 'Buy no opinion, and disclose reviews of insiders.',
    page: `${POLICY_PATH}#collection`,
    place: 'Collection',
  },
  {
    law: 'US, 16 CFR 465.7',
    source: 'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465',
    duty: 'Do not say that all reviews are shown while some are suppressed for being negative.',
    page: `${METHOD_PATH}#left-out`,
    place: 'What is left out',
  },
  {
    law: 'ISO 20488:2018, collection and moderation',
    source: 'https://www.iso.org/standard/68193.html',
    duty: 'State how reviews are collected, moderated and removed, and who may reply.',
    page: `${POLICY_PATH}#removal`,
    place: 'Removal',
  },
  {
    law: 'ISO 20488:2018, publication',
    source: 'https://www.iso.org/standard/68193.html',
    duty: 'Publish each review with its date, in a stated order, with the number of all.',
    page: ARCHIVE_PATH,
    place: 'All reviews',
  },
];

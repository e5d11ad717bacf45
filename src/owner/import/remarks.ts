/** Remarks about the rows that were taken, in the words of the report. */
export const REMARKS = {
  heldBack: 'reviews that the platform itself does not show, left out and counted as held back',
  unverified: 'reviews that the export calls unverified, left out and counted as such',
  strippedCharacters: 'invisible characters taken out',
  translations: "machine translations left out, for the customers' own words",
  translationsAlone:
    'texts of which the export has the machine translation alone, published without words',
  unclearTranslations: 'texts with a bracket that may mark a translation, published as they are',
  subRatings: 'ratings of aspects, such as "Rooms: 5/5", taken out of texts',
  cutTexts: 'texts that the export cuts short: one with the full texts is better',
  roundedRatings: 'ratings rounded to whole stars',
  monthsOnly: 'dates with a month alone, published as its first day',
  hiddenReplies: 'replies that the platform does not show, left out',
  undatedReplies: 'replies without a date',
  media: 'pictures and videos, which are not imported',
  anonymous: 'reviews without an author, or with an e-mail address as one, shown as Anonymous',
  personalData: 'texts that seem to have personal data, listed above',
  sameWords: 'reviews with the words of another one, listed above; all are published',
  overwritten: 'texts that were edited here and replaced, because the platform has new ones',
};
export type Remark = keyof typeof REMARKS;

/** Numbers of what reading changed or left out. */
export type Remarks = Partial<Record<Remark, number>>;

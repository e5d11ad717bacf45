import type { ReadingRules } from './draft.ts';
import { wordsOf } from './guess-fields.ts';
import { columnsOf, valueAt, type Row } from './rows.ts';

const SHOWN =
  /^(?:is )?(?:review |moderation |bewertungs)?(?:status|state|published|approved|visible|shown|veroffentlicht|freigegeben|sichtbar|publie|publicad[oa]|pubblicat[oa])$/;
const VERIFIED =
  /^(?:is )?verified(?: (?:purchase|buyer|customer|guest|owner|order|stay|review|patient))?$|^(?:verifiziert(?:er kauf)?|bestatigter kauf|verifie|achat verifie|verificad[oa]|compra verificada|acquisto verificato)$/;

const YES = new Set(
  `true yes 1 ja oui si sí sim wahr vrai published approved active live visible shown public accepted
   verified veröffentlicht freigegeben sichtbar publié publiée publicado publicada pubblicato verifiziert
   vérifié verificado verificada`.split(/\s+/),
);
const NO = new Set(
  `false no 0 nein non não falsch faux unpublished pending rejected hidden spam deleted removed archived
   draft declined disapproved private unverified unveröffentlicht abgelehnt ausgeblendet gelöscht
   ausstehend refusé masqué supprimé rechazado oculto eliminado pendiente rifiutato nascosto`.split(
    /\s+/,
  ),
);

/**
 * Finds the columns of a table in no known format that say which reviews their platform shows, and
 * which it calls verified. A column counts only if all its values are usual words for yes and no, and
 * some say yes, so that the state of something else, such as of an answer, leaves out no review.
 */
export function guessStates(rows: readonly Row[]): Pick<ReadingRules, 'shown' | 'confirmed'> {
  const states = columnsOf(rows).flatMap((name) => {
    const given = rows.map((row) =>
      String(valueAt(row, name) ?? '')
        .trim()
        .toLowerCase(),
    );
    const values = new Set(given.filter((value) => value !== ''));
    const yes = [...values].filter((value) => YES.has(value));
    const isState = yes.length > 0 && [...values].every((value) => YES.has(value) || NO.has(value));
    return isState ? [{ name, yes }] : [];
  });
  const conditionOf = (names: RegExp) =>
    Object.fromEntries(
      states.filter(({ name }) => names.test(wordsOf(name))).map(({ name, yes }) => [name, yes]),
    );
  return { shown: conditionOf(SHOWN), confirmed: conditionOf(VERIFIED) };
}

import type { ReadingRules } from './draft.ts';
import { wordsOf } from './guess-fields.ts';
import { columnsOf, valueAt, type Row } from './rows.ts';

const SHOWN =
  /^(?:is )?(?:review |moderation |bewertungs)?(?:status|state|stato|estado|statut|etat|published|approved|visible|shown|veroffentlicht|freigegeben|sichtbar|publiee?|approuvee?|publicad[oa]|aprobad[oa]|aprovad[oa]|pubblicat[oa]|approvat[oa])$/;
const VERIFIED =
  /^(?:is )?verified(?: (?:purchase|buyer|customer|guest|owner|order|stay|review|patient))?$|^(?:verifiziert(?:er kauf)?|bestatigter kauf|verifiee?|achat verifie|verificad[oa]|compra verificada|verificat[oa]|acquisto verificato)$/;

/** Values as `wordsOf` writes them: without accents. */
const YES = listed(`
  true, yes, 1, published, approved, active, live, visible, shown, public, accepted, verified,
  ja, wahr, veroffentlicht, freigegeben, freigeschaltet, genehmigt, sichtbar, aktiv, verifiziert,
  oui, vrai, publie, publiee, approuve, approuvee, valide, validee, en ligne, verifie, verifiee,
  si, publicado, publicada, aprobado, aprobada, activo, activa, verificado, verificada,
  sim, aprovado, aprovada, ativo, ativa, visivel,
  pubblicato, pubblicata, approvato, approvata, attivo, attiva, visibile, verificato, verificata,
  gepubliceerd, goedgekeurd, zichtbaar, geverifieerd`);
const NO = listed(`
  false, no, 0, unpublished, pending, on hold, in review, under review, rejected, hidden, spam,
  deleted, removed, archived, draft, declined, disapproved, not approved, private, unverified,
  nein, falsch, unveroffentlicht, abgelehnt, ausgeblendet, geloscht, ausstehend, entwurf, in prufung,
  non, faux, en attente, refuse, refusee, rejete, rejetee, masque, masquee, supprime, supprimee, brouillon,
  rechazado, rechazada, oculto, oculta, eliminado, eliminada, pendiente, borrador, falso,
  nao, pendente, rejeitado, rejeitada, recusado, recusada, excluido, excluida, rascunho,
  in attesa, rifiutato, rifiutata, respinto, respinta, nascosto, nascosta, eliminato, eliminata, bozza,
  nee, afgewezen, verborgen, in afwachting, verwijderd, concept`);

function listed(values: string): ReadonlySet<string> {
  return new Set(values.split(',').map((value) => value.trim()));
}

/**
 * Finds the columns of a table in no known format that say which reviews their platform shows, and
 * which it calls verified. A column counts if some values say yes and all others no, so that the state
 * of something else, such as of an answer, leaves out no review. Beside a no, a value that is in no
 * list is no yes either.
 */
export function guessStates(rows: readonly Row[]): Pick<ReadingRules, 'shown' | 'confirmed'> {
  const states = columnsOf(rows).flatMap((name) => {
    const given = rows.map((row) =>
      String(valueAt(row, name) ?? '')
        .trim()
        .toLowerCase(),
    );
    const values = [...new Set(given)].filter((value) => value !== '');
    const yes = values.filter((value) => YES.has(wordsOf(value)));
    const saysNo = values.some((value) => NO.has(wordsOf(value)));
    return yes.length > 0 && (saysNo || yes.length === values.length) ? [{ name, yes }] : [];
  });
  const conditionOf = (names: RegExp) =>
    Object.fromEntries(
      states.filter(({ name }) => names.test(wordsOf(name))).map(({ name, yes }) => [name, yes]),
    );
  return { shown: conditionOf(SHOWN), confirmed: conditionOf(VERIFIED) };
}

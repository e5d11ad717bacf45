import type { Reading } from './draft.ts';
import { wordsOf } from './guess-fields.ts';
import { columnsOf, valueAt, type Row } from './rows.ts';

const SHOWN =
  /^(?:is )?(?:review |moderation |bewertungs)?(?:status|state|stato|estado|statut|etat|published|approved|visible|shown|veroffentlicht|freigegeben|sichtbar|publiee?|approuvee?|publicad[oa]|aprobad[oa]|aprovad[oa]|pubblicat[oa]|approvat[oa])$/;
const VERIFIED =
  /^(?:is )?verified(?: (?:purchase|buyer|customer|guest|owner|order|stay|review|patient))?$|^(?:verifiziert(?:er kauf)?|bestatigter kauf|verifiee?|achat verifie|verificad[oa]|compra verificada|verificat[oa]|acquisto verificato)$/;

/** Columns that say if the author of a review lets it be published. */
const CONSENT =
  /\b(?:consent|permission|einwilligung|einverstanden|zustimmung|consentement|autorisation|consentimiento|autorizacion|permiso|consentimento|autorizacao|consenso|autorizzazione|toestemming)\b|\b(?:may|can|ok|okay|allow|allowed|agrees?|darf|durfen|peut|pouvons|podemos|possiamo|mogen)\b.*\b(?:publish|publication|share|quote|veroffentlichen|publier|publicar|pubblicare|publiceren)/;
const OTHER_CONSENT = /\b(?:marketing|newsletter|contact|e ?mail|terms|cookies?|data|daten)\b/;

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
 * Finds the columns of a table in no known format that say which reviews may be shown, by their
 * platform or their author, and which the platform calls verified. A column counts if some values say
 * yes and all others no, so that the state of something else, such as of an answer, leaves out no
 * review. Beside a no, a value that is in no list is no yes either.
 */
export function guessStates(rows: readonly Row[]): Pick<Reading, 'shown' | 'confirmed'> {
  const states = columnsOf(rows).flatMap((name) => {
    const given = rows.map((row) =>
      String(valueAt(row, name) ?? '')
        .trim()
        .toLowerCase(),
    );
    const values = [...new Set(given)].filter((value) => value !== '');
    const yes = values.filter((value) => YES.has(wordsOf(value)));
    const saysNo = values.some((value) => NO.has(wordsOf(value)));
    const saysYes = yes.length > 0 || isConsent(name);
    return saysYes && (saysNo || yes.length === values.length) ? [{ name, yes }] : [];
  });
  const conditionOf = (isOne: (name: string) => boolean) =>
    Object.fromEntries(
      states.filter(({ name }) => isOne(name)).map(({ name, yes }) => [name, yes]),
    );
  return {
    shown: conditionOf((name) => SHOWN.test(wordsOf(name)) || isConsent(name)),
    confirmed: conditionOf((name) => VERIFIED.test(wordsOf(name))),
  };
}

function isConsent(name: string): boolean {
  return CONSENT.test(wordsOf(name)) && !OTHER_CONSENT.test(wordsOf(name));
}

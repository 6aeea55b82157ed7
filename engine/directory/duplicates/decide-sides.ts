// Decides whose value the survivor of a merge has: a person's choice, otherwise the claims.
import type { DuplicateKind, MergeReason } from '../../contract/duplicates/duplicates.ts';
import { invalid } from '../../contract/errors.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type Claim,
  findStrongest,
  type RecordRow,
  readClaims,
  type Side,
  uniteClaims,
} from '../import/source-values.ts';
import { foldText } from '../normalize/fold-text.ts';
import { type FieldName, type RecordName, recordFields } from '../normalize/record-fields.ts';

/** The values of one place belong together: a city of one record and a state of another do not. */
const places: Readonly<Record<DuplicateKind, readonly string[]>> = {
  person: ['city', 'state', 'country'],
  company: ['city', 'street', 'state', 'postal_code', 'country'],
};
export const jobFields = { job_title: 'title', job_email: 'email' } as const;

export interface RecordPair {
  readonly kind: DuplicateKind;
  readonly own: RecordRow;
  readonly other: RecordRow;
}

export interface DecidedField {
  readonly own: Claim | null;
  readonly other: Claim | null;
  readonly winner: Side;
  readonly reason: MergeReason;
  /** Set if the claims alone would not decide so. */
  readonly side: Side | undefined;
  readonly claims: readonly Claim[];
}

export const isSameValue = (one: string, other: string): boolean =>
  one === other || foldText(one) === foldText(other);

function reasonOf(winner: Claim, loser: Claim): MergeReason {
  if (winner.observed_on !== loser.observed_on) return 'newer';
  if (winner.trust !== loser.trust) return 'trusted';
  return winner.import_id === loser.import_id ? 'kept_record' : 'later_import';
}

/** Decides one field of two records. @param side the side that a person chose */
export function decideField(
  db: ReadableDatabase,
  record: RecordName,
  own: RecordRow,
  other: RecordRow,
  field: FieldName,
  side: Side | undefined,
): DecidedField {
  const [ofOwn, ofOther] = [own, other].map((row) => readClaims(db, record, row, field));
  if (!ofOwn || !ofOther) throw new Error('there are two records');
  const [mine, theirs] = [findStrongest(ofOwn), findStrongest(ofOther)];
  const claims = [...ofOwn, ...ofOther];
  const both = { own: mine, other: theirs, side, claims };
  if (!mine || !theirs) {
    const winner = side ?? (theirs ? 'other' : 'own');
    return { ...both, winner, reason: side ? 'chosen' : 'only' };
  }
  const best = findStrongest(uniteClaims(ofOwn, ofOther, side));
  const winner = best?.value === mine.value ? 'own' : 'other';
  if (mine.value === theirs.value) return { ...both, winner: 'own', reason: 'same' };
  if (side) return { ...both, winner, reason: 'chosen' };
  return {
    ...both,
    winner,
    reason: winner === 'own' ? reasonOf(mine, theirs) : reasonOf(theirs, mine),
  };
}

/** The side of each choice. Throws `validation_error` for an unknown field or record. */
export function readChoices(
  pair: RecordPair,
  choices: Readonly<Record<string, string>>,
): Map<string, Side> {
  const known = new Set<string>(recordFields[pair.kind]);
  if (pair.kind === 'person') for (const field of Object.keys(jobFields)) known.add(field);
  known.delete('opted_out');
  const sides = new Map<string, Side>();
  for (const [field, uuid] of Object.entries(choices)) {
    if (!known.has(field)) throw invalid(`choices: there is no field ${field}.`);
    if (uuid !== pair.own.uuid && uuid !== pair.other.uuid)
      throw invalid(`choices.${field}: name one of the two records.`);
    sides.set(field, uuid === pair.own.uuid ? 'own' : 'other');
  }
  return sides;
}

export function decideFields(
  db: ReadableDatabase,
  { kind, own, other }: RecordPair,
  chosen: ReadonlyMap<string, Side>,
): Map<FieldName, DecidedField> {
  const decided = new Map<FieldName, DecidedField>();
  for (const field of recordFields[kind])
    decided.set(field, decideField(db, kind, own, other, field, chosen.get(field)));
  const city = decided.get('city');
  if (!city?.own || !city.other || isSameValue(city.own.value, city.other.value)) return decided;
  for (const field of places[kind] as readonly FieldName[]) {
    const one = decided.get(field);
    if (!one || field === 'city' || chosen.has(field) || (!one.own && !one.other)) continue;
    if (one.own && one.other && isSameValue(one.own.value, one.other.value)) continue;
    const placed = decideField(db, kind, own, other, field, city.winner);
    decided.set(field, { ...placed, winner: city.winner, reason: 'same_place' });
  }
  return decided;
}

/** The sides of the fields that the claims alone would not decide so. */
export const sidesOf = (decided: ReadonlyMap<FieldName, DecidedField>) =>
  Object.fromEntries(
    [...decided].flatMap(([field, { side }]) => (side === undefined ? [] : [[field, side]])),
  ) as Partial<Record<FieldName, Side>>;

/**
 * Infers the work email of a person from the addresses of others at the same organisation
 * (docs/rules.md, "Inferred emails"). An inference is never a report about the address.
 */
import { inferredProbabilityMin } from '../../contract/limits/directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { readGeneration } from '../open-directory.ts';
import type { AddressForm } from './address-forms.ts';
import { listLikelyLocals } from './learn-habits.ts';
import {
  learnOrganisation,
  type NameColumns,
  nameColumnsSql,
  type OrganisationHabits,
  spellColumns,
} from './organisation-habits.ts';

export interface Inference {
  readonly email: string;
  /** 0 to 1. */
  readonly probability: number;
  readonly form: AddressForm;
  readonly witnesses: number;
  /** People at the domain whose addresses were compared. */
  readonly of: number;
}

export interface EmailInference {
  /**
   * The probable work email of a person; null if the person has one, is suppressed, has left, or if
   * no address is probable enough.
   */
  infer(personId: number): Promise<Inference | null>;
}

/** Organisations whose habits are remembered, about 2 KB each. */
const organisationsMax = 10_000;

interface Target extends NameColumns {
  readonly companyId: number;
  readonly website: string | null;
}

/** The person's name and employer, if the work email is unknown or bounced. */
const findTarget = (db: ReadableDatabase, schema: string, personId: number): Target | undefined =>
  statement<Target>(
    db,
    `SELECT e.company_id AS companyId, nullif(c.domain, '') AS website, ${nameColumnsSql(schema)}
     FROM ${schema}.person p
     JOIN ${schema}.employment e ON e.id = p.employment_id AND e.is_current = 1
     JOIN ${schema}.company c ON c.id = e.company_id
     WHERE p.id = ? AND p.suppressed = 0 AND p.has_left = 0
       AND (e.email IS NULL OR e.email_status = 'invalid')`,
  ).get(personId);

/**
 * Whether the directory has the address, of any person: current or former, suppressed or not.
 * @param schema the name of the directory on the connection
 */
export const isKnownAddress = (
  db: ReadableDatabase,
  schema: 'directory' | 'main',
  email: string,
): boolean =>
  statement(
    db,
    `SELECT 1 FROM ${schema}.employment WHERE email = @email
     UNION ALL SELECT 1 FROM ${schema}.person_key WHERE kind = 'email' AND value = @email LIMIT 1`,
  ).get({ email }) !== undefined;

/** Creates an inference over the directory of a connection. It follows every import and undo. */
export function createEmailInference(
  db: ReadableDatabase,
  schema: 'directory' | 'main',
): EmailInference {
  const learned = new Map<number, OrganisationHabits | null>();
  let generation = -1;
  const readHabits = async (target: Target): Promise<OrganisationHabits | null> => {
    const current = readGeneration(db);
    if (current !== generation) learned.clear();
    generation = current;
    const known = learned.get(target.companyId);
    if (known !== undefined) return known;
    const found = await learnOrganisation(db, schema, target);
    const [oldest] = learned.keys();
    if (learned.size >= organisationsMax && oldest !== undefined) learned.delete(oldest);
    // An import may have changed the people while they were read.
    if (readGeneration(db) === current && generation === current)
      learned.set(target.companyId, found);
    return found;
  };
  return {
    async infer(personId) {
      const target = findTarget(db, schema, personId);
      if (!target) return null;
      const organisation = await readHabits(target);
      if (!organisation) return null;
      const { domain, domainShare, habits, shared } = organisation;
      const [best] = listLikelyLocals(habits, spellColumns(target)).sort(
        (a, b) => b.probability - a.probability,
      );
      if (!best || shared.has(best.local)) return null;
      const probability = Math.round(best.probability * domainShare * 1_000) / 1_000;
      const email = `${best.local}@${domain}`;
      if (probability < inferredProbabilityMin || isKnownAddress(db, schema, email)) return null;
      const { form, witnesses, of } = best;
      return { email, probability, form, witnesses, of };
    },
  };
}

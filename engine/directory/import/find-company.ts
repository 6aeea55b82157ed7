// Finds the company of a row among those in the directory.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { foldText } from '../normalize/fold-text.ts';
import { companyNameKey } from '../normalize/normalize-company.ts';
import type { CompanyFacts } from './decode/read-company-row.ts';
import { type ImportContext, readSource } from './import-context.ts';
import { recordUuid, uuidV5 } from './uuid-v5.ts';
import { findOtherId, readListed } from './write-listing.ts';

export interface FoundCompany {
  /** null if it is new. */
  readonly id: number | null;
  readonly uuid: string;
  /** True if its given id belongs to another company of another source. */
  readonly isKeptApart: boolean;
}

interface KnownCompany {
  readonly id: number;
  readonly uuid: string;
  readonly name_key: string;
  readonly domain: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly import_id: number;
}

const columns = 'id, uuid, name_key, domain, city, state, import_id';

function readByUuid(context: ImportContext, uuid: string): KnownCompany | undefined {
  const { db, bulk, newCompanies } = context;
  if (newCompanies && !newCompanies.mayHold(uuid)) return undefined;
  bulk.needCompanies();
  return (
    statement<KnownCompany>(db, `SELECT ${columns} FROM company WHERE uuid = ?`).get(uuid) ??
    readMerged(db, 'm.uuid', uuid)
  );
}

/** The survivor of a company that was merged, with the name and domain of the latter. */
function readMerged(
  db: ReadableDatabase,
  column: 'm.uuid' | 'm.name_key' | 'm.domain',
  value: string,
): KnownCompany | undefined {
  const found = statement<KnownCompany>(
    db,
    `SELECT c.id, c.uuid, m.name_key, ifnull(m.domain, c.domain) AS domain, c.city, c.state,
       m.import_id
     FROM merged_record m JOIN company c ON c.id = m.survivor_id
     WHERE m.kind = 'company' AND ${column} = ? ORDER BY c.id LIMIT 2`,
  ).all(value);
  return new Set(found.map(({ id }) => id)).size === 1 ? found[0] : undefined;
}

function differ(one: string | null | undefined, other: string | null | undefined): boolean {
  return !!one && !!other && foldText(one) !== foldText(other);
}

function agrees(
  { db, claimant }: ImportContext,
  known: KnownCompany,
  facts: CompanyFacts,
  nameKey: string,
): boolean {
  return (
    known.name_key === nameKey ||
    facts.values.name === facts.givenId ||
    (!!known.domain && known.domain === facts.values.domain) ||
    readSource(db, known.import_id) === claimant.source
  );
}

/** The companies to which lists gave an id that another list had added before, with that list. */
function readListedCompanies(context: ImportContext, givenId: string): KnownCompany[] {
  const { db } = context;
  if (context.newCompanies) return [];
  return readListed(db, 'company', givenId).flatMap(({ id, importId }) =>
    statement<KnownCompany>(db, `SELECT ${columns} FROM company WHERE id = ?`)
      .all(id)
      .map((known) => ({ ...known, import_id: importId })),
  );
}

function findById(context: ImportContext, facts: CompanyFacts, nameKey: string): FoundCompany {
  const { claimant } = context;
  const uuid = recordUuid('company', facts.givenId);
  const ofId = readByUuid(context, uuid);
  const known = [ofId ?? [], readListedCompanies(context, facts.givenId)].flat();
  const found = known.find((one) => agrees(context, one, facts, nameKey));
  if (found) return { id: found.id, uuid: found.uuid, isKeptApart: false };
  const apart = ofId ? uuidV5(`desk:company:${claimant.source}:${facts.givenId}`) : uuid;
  const keptApart = ofId && readByUuid(context, apart);
  if (keptApart) return { id: keptApart.id, uuid: apart, isKeptApart: true };
  const other = context.newCompanies ? undefined : findByValues(context, facts, nameKey);
  // A source that gives it another id lists two companies.
  if (other && findOtherId(context, 'company', other.id, facts.givenId) === '')
    return { id: other.id, uuid: other.uuid, isKeptApart: false };
  return { id: null, uuid: apart, isKeptApart: ofId !== undefined };
}

/** company.id of the company that a source's id names; null if the directory holds none. */
export function findCompanyOfId(context: ImportContext, givenId: string): number | null {
  const { claimant, db } = context;
  const apart = uuidV5(`desk:company:${claimant.source}:${givenId}`);
  const known = readByUuid(context, apart) ?? readByUuid(context, recordUuid('company', givenId));
  if (known) return known.id;
  const listed = readListedCompanies(context, givenId);
  const own = listed.find((one) => readSource(db, one.import_id) === claimant.source);
  return (own ?? (listed.length === 1 ? listed[0] : undefined))?.id ?? null;
}

/** The survivor of a company that was merged and had a domain or a name. */
function findMerged(
  db: ReadableDatabase,
  nameKey: string,
  { name = '', domain = '', city = '', state = '' }: CompanyFacts['values'],
): KnownCompany | undefined {
  const atDomain = domain ? readMerged(db, 'm.domain', domain) : undefined;
  const isOneName =
    atDomain && (atDomain.name_key.startsWith(nameKey) || nameKey.startsWith(atDomain.name_key));
  if (isOneName) return atDomain;
  const named = name ? readMerged(db, 'm.name_key', nameKey) : undefined;
  if (!named || differ(named.domain, domain)) return undefined;
  return differ(named.state, state) || differ(named.city, city) ? undefined : named;
}

/** The company that fits by its domain, or else by its name, without a value that conflicts. */
function findByValues(
  { db, bulk }: ImportContext,
  facts: CompanyFacts,
  nameKey: string,
): KnownCompany | undefined {
  const { domain = '', city = '', state = '' } = facts.values;
  bulk.needCompanies();
  const byDomain = domain
    ? statement<KnownCompany>(db, `SELECT ${columns} FROM company WHERE domain = ? LIMIT 2`).all(
        domain,
      )
    : [];
  const isOneName = (known: KnownCompany) =>
    known.name_key.startsWith(nameKey) || nameKey.startsWith(known.name_key);
  const [atDomain] = byDomain;
  if (byDomain.length === 1 && atDomain && isOneName(atDomain)) return atDomain;
  const byName = statement<KnownCompany>(
    db,
    `SELECT ${columns} FROM company WHERE name_key = ? LIMIT 50`,
  )
    .all(nameKey)
    .filter((known) => !differ(known.domain, domain) && !differ(known.state, state))
    .filter((known) => !differ(known.city, city));
  const [named] = byName;
  if (byName.length === 1) return named;
  // No company has the domain or the name now, but one that was merged had it.
  return byDomain.length === 0 && byName.length === 0
    ? findMerged(db, nameKey, facts.values)
    : undefined;
}

/**
 * Finds a company by its id; with a new id or without one by domain, then by name, if exactly one
 * company fits and no value conflicts (docs/rules.md, "The directory").
 */
export function findCompany(context: ImportContext, facts: CompanyFacts): FoundCompany {
  const { name = '', domain = '', city = '', state = '' } = facts.values;
  const nameKey = companyNameKey(name);
  if (facts.givenId !== '') return findById(context, facts, nameKey);
  const known = findByValues(context, facts, nameKey);
  if (known) return { id: known.id, uuid: known.uuid, isKeptApart: false };
  const place = [nameKey, domain, foldText(state), foldText(city)].join('|');
  const uuid = uuidV5(`desk:company:name:${place}`);
  return { id: readByUuid(context, uuid)?.id ?? null, uuid, isKeptApart: false };
}

// Writes the company of a row.
import { copyText } from '../../platform/copy-text.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { companyNameKey } from '../normalize/normalize-company.ts';
import { recordFields, recordNames } from '../normalize/record-fields.ts';
import type { CompanyFacts } from './decode/read-company-row.ts';
import { touchNumber } from './derive.ts';
import { findCompany, findCompanyOfId } from './find-company.ts';
import { type ImportContext, readRecord } from './import-context.ts';
import type { RemarkOnRow } from './import-tally.ts';
import { claimValues } from './source-values.ts';
import { addListing, updateListing } from './write-listing.ts';

const companyIdsMax = 200_000;

export const companyColumns = [
  'id',
  'uuid',
  'given_id',
  'name_key',
  'import_id',
  'observed_on',
  ...recordFields.company,
];

function insertCompany(context: ImportContext, facts: CompanyFacts, uuid: string): number {
  const id = context.nextIds.company++;
  const row: unknown[] = [
    id,
    uuid,
    facts.givenId || null,
    companyNameKey(facts.values.name ?? ''),
    context.claimant.importId,
    facts.observedOn || context.observedOn,
  ];
  for (const field of recordFields.company) row.push(facts.values[field] ?? null);
  context.insert.company.add(row);
  context.newCompanies?.add(uuid);
  if (facts.values.phone) context.touchNumber(facts.values.phone);
  addListing(context, 'company', id, facts);
  return id;
}

/** Adds new aliases of this source. Returns whether there were any. */
function addAliases(context: ImportContext, id: number, aliases: readonly string[]): boolean {
  const { db, claimant } = context;
  let isChanged = false;
  for (const alias of aliases) {
    const { changes } = statement(
      db,
      `INSERT INTO company_alias (company_id, name, import_id) SELECT @id, @alias, @importId
       WHERE NOT EXISTS (SELECT 1 FROM company_alias a JOIN source_import s ON s.id = a.import_id
         WHERE a.company_id = @id AND a.name = @alias AND s.source = @source)`,
    ).run({ id, alias, importId: claimant.importId, source: claimant.source });
    isChanged ||= changes > 0;
  }
  return isChanged;
}

function updateCompany(context: ImportContext, facts: CompanyFacts, id: number): void {
  const { db, claimant, tally, seenCompanies } = context;
  const isSeen = seenCompanies.has(id);
  const row = readRecord(db, 'company', id);
  const phoneBefore = row.phone;
  // A company that was found by name is not renamed by another spelling, nor by a bare id.
  const { name, ...others } = facts.values;
  const isNamed = facts.givenId !== '' && name !== facts.givenId;
  const values = isNamed ? facts.values : others;
  const hasValues = claimValues(db, 'company', row, values, claimant, {
    observedOn: facts.observedOn || context.observedOn,
    fillsOnly: isSeen,
  });
  if (row.phone !== phoneBefore)
    for (const phone of [phoneBefore, row.phone]) if (phone) touchNumber(db, String(phone));
  const hasAliases = addAliases(context, id, facts.aliases);
  const isListed = updateListing(context, 'company', id, facts, isSeen);
  const isChanged = hasValues || hasAliases || isListed;
  if (isSeen) return;
  if (isChanged) context.changedCompanies.add(id);
  tally.count(isChanged ? 'companies_updated' : 'companies_unchanged');
}

const companyDeletions = [
  'DELETE FROM company_listing WHERE company_id = ?',
  `DELETE FROM value_claim WHERE record = ${recordNames.indexOf('company')} AND record_id = ?`,
  'DELETE FROM company WHERE id = ?',
];

function saysMore(facts: CompanyFacts): boolean {
  const { name, domain, ...others } = facts.values;
  return facts.aliases.length > 0 || facts.kept !== '' || Object.keys(others).length > 0;
}

function companyWords({ domain = '', name = '' }: CompanyFacts['values'], givenId: string): string {
  return `${givenId}|${domain}|${name}`;
}

/** Finds or adds the company of a row and writes its data. @returns company.id */
export function writeCompany(
  context: ImportContext,
  facts: CompanyFacts,
  remark: RemarkOnRow,
): number {
  const { companyIds, seenCompanies, tally } = context;
  const words = companyWords(facts.values, facts.givenId);
  const named = companyIds.get(words);
  if (named !== undefined && !saysMore(facts)) return named;
  const found = findCompany(context, facts);
  if (found.isKeptApart)
    remark(
      `The company id ${facts.givenId} belongs to another company of another source, so ` +
        `${facts.values.name ?? 'it'} was added separately.`,
    );
  const id = found.id ?? insertCompany(context, facts, found.uuid);
  if (found.id === null) {
    tally.count('companies_added');
    addAliases(context, id, facts.aliases);
  } else updateCompany(context, facts, id);
  seenCompanies.add(id);
  if (companyIds.size >= companyIdsMax) companyIds.clear();
  // Most rows of people have only the id and name of a company, which is nothing new for a company
  // that was just added.
  const isNew = found.id === null && !found.isKeptApart && facts.givenId !== '';
  const kept = isNew ? companyWords({ name: facts.values.name ?? '' }, facts.givenId) : words;
  companyIds.set(copyText(kept), id);
  return id;
}

/** Deletes companies that the import added and only refused rows name. */
export function dropRefusedCompanies(context: ImportContext): void {
  const { db, tally, claimant, refusedCompanies, statedCompanies } = context;
  for (const id of refusedCompanies) {
    if (statedCompanies.has(id)) continue;
    const isUnused = statement(
      db,
      `SELECT 1 FROM company WHERE id = @id AND import_id = @importId
         AND NOT EXISTS (SELECT 1 FROM employment WHERE company_id = @id)`,
    ).get({ id, importId: claimant.importId });
    if (!isUnused) continue;
    for (const sql of companyDeletions) statement(db, sql).run(id);
    tally.counts.companies_added--;
  }
}

/** Adds the names of a row of an alias list to the company of its id; refuses an unknown id. */
export function writeCompanyAliases(
  context: ImportContext,
  { givenId, aliases }: CompanyFacts,
  remark: RemarkOnRow,
): void {
  const { tally, seenCompanies } = context;
  const id = findCompanyOfId(context, givenId);
  if (id === null) {
    remark(`The row was refused: the directory has no company with the id ${givenId}.`);
    tally.count('rows_refused');
    return;
  }
  const isChanged = addAliases(context, id, aliases);
  if (!seenCompanies.has(id)) tally.count(isChanged ? 'companies_updated' : 'companies_unchanged');
  seenCompanies.add(id);
}

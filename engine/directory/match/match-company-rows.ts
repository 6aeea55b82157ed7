// Matches rows with a company or a website and nothing about a person. A match has no person.
import { matchFields, reasons } from '../../contract/jobs/job.ts';
import {
  type ColumnMapping,
  namesPeople,
  personFields,
  type RowInputField,
  readMapped,
} from '../../contract/jobs/row-input.ts';
import { type Mailbox, readNameCell } from '../../spreadsheet/several-people.ts';
import type { BatchCandidates, MatchBatch } from '../index/match-batch.ts';
import { isOrganisationName } from '../names/organisation-name.ts';
import { isRoleMailbox } from '../normalize/normalize-email.ts';
import type { CompanyFinder, CompanyMatch } from './match-companies.ts';

const companyFields = ['company_name', 'company_domain'] as const;

function readNames(cells: readonly string[], mapping: ColumnMapping): Mailbox {
  const first = readNameCell(readMapped(cells, mapping, 'first_name'));
  const last = readNameCell(readMapped(cells, mapping, 'last_name'));
  return { name: `${first.name} ${last.name}`.trim(), email: first.email || last.email };
}

/** The columns of names have an organisation, and no cell is a person's (info@ is not). */
export function namesOrganisation(cells: readonly string[], mapping: ColumnMapping): boolean {
  const read = (field: RowInputField) => readMapped(cells, mapping, field).trim();
  if (read('profile_url') !== '') return false;
  const email = read('email');
  if (email !== '' && !isRoleMailbox(email)) return false;
  const inName = readNames(cells, mapping);
  if (inName.email !== '' && !isRoleMailbox(inName.email)) return false;
  return inName.name !== '' && isOrganisationName(inName.name, read('company_name'));
}

/**
 * Whether a row names a company and no person. In a list of people a phone or a title is about a
 * person without a name; in a list of companies it is the company's.
 */
export function isAboutCompany(cells: readonly string[], mapping: ColumnMapping): boolean {
  const has = (field: RowInputField) => readMapped(cells, mapping, field).trim() !== '';
  if (!namesPeople(mapping)) return companyFields.some(has);
  if (namesOrganisation(cells, mapping)) return true;
  return (
    companyFields.some(has) && ![...personFields, 'phone' as const, 'title' as const].some(has)
  );
}

const bitOf = (field: (typeof companyFields)[number]): number => 1 << matchFields.indexOf(field);

/** Matches a row into the batch. @returns the candidates of a row that was not answered */
export function matchCompanyRow(
  find: CompanyFinder,
  cells: readonly string[],
  mapping: ColumnMapping,
  threshold: number,
  batch: MatchBatch,
  row: number,
): BatchCandidates | null {
  const read = (field: 'company_name' | 'company_domain' | 'country') =>
    readMapped(cells, mapping, field).trim();
  const name = read('company_name') || readNames(cells, mapping).name;
  const { match, candidates } = find({
    name,
    domain: read('company_domain'),
    country: read('country'),
  });
  const matchedOn = companyFields
    .filter((field) => (field === 'company_name' ? name : read(field)) !== '')
    .reduce((bits, field) => bits | bitOf(field), 0);
  if (match && match.confidence >= threshold) {
    batch.companyIds[row] = match.companyId;
    batch.confidences[row] = match.confidence;
    batch.matchedOn[row] = matchedOn;
    return null;
  }
  const likely: readonly CompanyMatch[] = match ? [match] : candidates;
  batch.reasons[row] = reasons.indexOf(likely.length > 0 ? 'ambiguous' : 'no_match');
  if (likely.length === 0) return null;
  return {
    row,
    personIds: likely.map(() => 0),
    scores: likely.map(({ confidence }) => confidence),
    companyIds: likely.map(({ companyId }) => companyId),
    employmentStatuses: likely.map(() => 0),
    matchedOn: likely.map(() => matchedOn),
  };
}

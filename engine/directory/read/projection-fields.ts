// The table of the projection: the source of each display name.
import {
  type DisplayName,
  type LayerCode,
  layerByCode,
  layerCodes,
} from '../../contract/jobs/layers.ts';
import type { FieldName, RecordName } from '../normalize/record-fields.ts';

/**
 * The records of a result row: the person, their current employment, its company, the company whose
 * head office L2 returns, and the person's own phones.
 */
export type ResultRecord = 'person' | 'employment' | 'company' | 'office' | 'phone';

export interface FieldSource {
  readonly record: ResultRecord;
  /** The claimed column that determines the value's provenance. */
  readonly field: FieldName | 'mobile_phone' | 'direct_phone';
  /** SQL with the aliases of projection.ts; NULL if there is no value. */
  readonly sql: string;
}

/** The record type of a result record's claims; phones have none. */
export const claimedRecord: Readonly<Record<ResultRecord, RecordName | null>> = {
  person: 'person',
  employment: 'employment',
  company: 'company',
  office: 'company',
  phone: null,
};

/**
 * Joins the employment that represents person p as e: none if the last known one has ended.
 * @param schema the name of the directory on the connection
 */
export const employmentJoinSql = (schema: 'directory' | 'main') =>
  `LEFT JOIN ${schema}.employment e ON e.id = iif(p.has_left, NULL, p.employment_id)`;

const alias = { person: 'p', employment: 'e', company: 'c', office: 'h', phone: 'p' } as const;

function column(record: ResultRecord, field: FieldSource['field']): FieldSource {
  return { record, field, sql: `${alias[record]}.${field}` };
}
// Layers of a move apply only to people who moved. For people who left, e and c are NULL.
const moved = 'm.employment_status > 1';
// Also if the index is older than the information that the person left.
const left = `(e.id IS NULL AND (p.has_left = 1 OR ${moved}))`;

function name(field: 'first_name' | 'last_name'): FieldSource {
  return { record: 'person', field, sql: `nullif(p.${field}, '')` };
}
// Its source says that the person works there. That of the company may know no person.
const employer: FieldSource = { record: 'employment', field: 'is_current', sql: 'c.name' };
// An address that is known to be invalid is never returned.
const validEmail = "iif(e.email_status = 'invalid', NULL, e.email)";
const email: FieldSource = { record: 'employment', field: 'email', sql: validEmail };

// A range in place of the number that a list gave, in directories of older imports.
const employees = 'coalesce(h.employees, h.employee_range)';

/** A company's website, its domain, or the domain of most of its people's addresses. */
export const websiteSql = (company: string): string =>
  `coalesce(${company}.website, ${company}.domain, ${company}.mail_domain)`;

const website = (record: 'office' | 'company'): FieldSource => ({
  record,
  field: 'website',
  sql: websiteSql(alias[record]),
});

export const fieldSources: Readonly<Record<DisplayName, FieldSource>> = {
  'First name': name('first_name'),
  'Last name': name('last_name'),
  'Current company name': employer,
  'Current title': column('employment', 'title'),
  Email: email,
  'Email status': {
    record: 'employment',
    field: 'email_status',
    sql: `iif(${validEmail} IS NULL, NULL, coalesce(e.email_status, 'unknown'))`,
  },
  'Profile URL': column('person', 'profile_url'),
  'Employment status': {
    record: 'employment',
    field: 'is_current',
    sql: `iif(${left}, 'Left', iif(${moved}, 'Changed', 'Current'))`,
  },
  'Job function': column('employment', 'job_function'),
  'Job level': column('employment', 'job_level'),
  'Contact city': column('person', 'city'),
  'Contact state': column('person', 'state'),
  'Contact country': column('person', 'country'),
  'Company website': website('office'),
  'Company address': column('office', 'street'),
  'Company city': column('office', 'city'),
  'Company State': column('office', 'state'),
  'Company country': column('office', 'country'),
  'Company postal code': column('office', 'postal_code'),
  'Company phone': column('office', 'phone'),
  'New company name': employer,
  'New title': column('employment', 'title'),
  'New start date': column('employment', 'start_on'),
  'New company website': website('company'),
  'New email': email,
  'New company address': column('company', 'street'),
  'New company city': column('company', 'city'),
  'New company State': column('company', 'state'),
  'New company country': column('company', 'country'),
  'New company postal code': column('company', 'postal_code'),
  'New company phone': column('company', 'phone'),
  'Mobile phone': column('phone', 'mobile_phone'),
  'Direct phone': column('phone', 'direct_phone'),
  Website: website('office'),
  Domain: {
    record: 'office',
    field: 'domain',
    sql: 'coalesce(h.domain, h.mail_domain)',
  },
  Industry: column('office', 'industry'),
  Employees: { record: 'office', field: 'employees', sql: employees },
  Revenue: column('office', 'revenue'),
  Founded: column('office', 'founded'),
  'Legal name': column('office', 'legal_name'),
  'Registration number': column('office', 'registration_number'),
  'Parent company': column('office', 'parent'),
  Description: column('office', 'description'),
  'Company record ID': {
    record: 'office',
    field: 'name',
    sql: `ifnull(h.given_id, (SELECT l.given_id FROM company_listing l
      WHERE l.company_id = h.id AND l.given_id <> '' ORDER BY l.id DESC LIMIT 1))`,
  },
};

export const readsRecord = (layers: readonly LayerCode[], record: ResultRecord): boolean =>
  layers.some((code) => layerByCode[code].fields.some((n) => fieldSources[n].record === record));

/** The layers with their number of fields, and the values as a JSON array. */
function valuesSql(layers: readonly LayerCode[]): string {
  const names = layers.flatMap((code) => layerByCode[code].fields);
  const values = names.map((field) => fieldSources[field].sql).join(', ');
  const head = layers.map((code) => `${code}:${layerByCode[code].fields.length}`).join();
  return `'${head}' || json_array(${values})`;
}

/**
 * The values of the selected layers, in the form that jobs/results/result-fields.ts reads; NULLs
 * are kept. Field names in every row would be more than half of what a job writes. Layers of a move
 * are included only for people who moved, which halves most rows.
 */
export function fieldsSql(layers: readonly LayerCode[]): string {
  const stay = layers.filter((code) => !layerByCode[code].isOfMove);
  return stay.length === layers.length
    ? valuesSql(layers)
    : `iif(${moved}, ${valuesSql(layers)}, ${valuesSql(stay)})`;
}

/** The status of a layer: 0 not_found, 1 enriched, 2 not_applicable, as in layerStatuses. */
function layerStatusSql(code: LayerCode): string {
  const { fields, foundWhen, isOfMove } = layerByCode[code];
  const hasValue = fields.map((field) => `${fieldSources[field].sql} IS NOT NULL`).join(' OR ');
  const found = foundWhen === 'matched' ? '1' : `(${hasValue})`;
  return isOfMove ? `iif(${left}, 0, iif(${moved}, ${found}, 2))` : found;
}

/** Two bits for each selected layer, in the order of layerCodes. */
export function layerBitsSql(layers: readonly LayerCode[]): string {
  const parts = layers.map(
    (code) => `((${layerStatusSql(code)}) << ${2 * layerCodes.indexOf(code)})`,
  );
  return parts.join(' | ');
}

/**
 * What filters ask of a row about a person, as bits in the order of rowContents. The layers of a
 * move need the first layer, and their email is that of the same employment.
 */
export const contentsSql = (layers: readonly LayerCode[]): string =>
  layers.includes('L1')
    ? `(iif(${left}, 2, ${moved}) + 4 * (ifnull(${validEmail}, '') <> ''))`
    : '0';

const isAboutCompany = (code: LayerCode): boolean => layerByCode[code].about === 'company';

export const companyFieldsSql = (layers: readonly LayerCode[]): string =>
  valuesSql(layers.filter(isAboutCompany));

export const companyFoundSql = (layers: readonly LayerCode[]): string =>
  `(${layers.filter(isAboutCompany).map(layerStatusSql).join(' OR ')})`;

/** The statuses of a row about a company: layers about people are not applicable. */
export function companyBitsSql(layers: readonly LayerCode[]): string {
  const parts = layers.map((code) => {
    const status = isAboutCompany(code) ? layerStatusSql(code) : '2';
    return `((${status}) << ${2 * layerCodes.indexOf(code)})`;
  });
  return parts.join(' | ');
}

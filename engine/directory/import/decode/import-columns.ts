// The meanings of columns that the fields of lists of people and of companies are read from.
import type { CompanyImportField, PersonImportField } from '../../../contract/directory.ts';
import type { ColumnKey } from '../../../spreadsheet/read-header.ts';
import { rowInputColumns } from '../../../spreadsheet/row-input-columns.ts';

const inputs = rowInputColumns;

/** Field of a person's row → the meanings of its columns, the best first. */
export const personColumns = {
  id: inputs.client_reference_id,
  first_name: inputs.first_name,
  middle_name: ['middle_name'],
  last_name: inputs.last_name,
  full_name: inputs.full_name,
  suffix: ['suffix'],
  nickname: ['nickname'],
  other_names: ['other_names'],
  company_id: ['company.id'],
  company_name: inputs.company_name,
  title: inputs.title,
  job_function: ['function'],
  job_level: ['level'],
  email: ['email.work', 'email', 'email.other', 'company.email'],
  email_status: ['email_status'],
  personal_email: ['email.private'],
  profile_url: inputs.profile_url,
  mobile_phone: ['mobile', 'mobile.work', 'mobile.other', 'mobile.private'],
  direct_phone: ['direct', 'direct.work', 'direct.other'],
  phone: ['phone.work', 'phone', 'phone.other'],
  start_on: ['start'],
  end_on: ['end'],
  is_current: ['is_current'],
  is_primary: ['is_primary'],
  city: ['city', 'city.work', 'city.private'],
  state: ['state', 'state.work', 'state.private'],
  country: inputs.country,
  location: ['location', 'location.work', 'location.private'],
  suppressed: ['opt_out', 'opt_out.date'],
  subscription: ['subscription'],
  consent: ['consent'],
  observed_on: ['observed'],
  company_domain: inputs.company_domain,
  company_phone: ['company.phone', 'company.phone.work', 'company.phone.other'],
  company_street: ['company.street', 'street.work'],
  company_city: ['company.city'],
  company_state: ['company.state'],
  company_postal_code: ['company.postal_code', 'postal_code.work'],
  company_country: ['company.country'],
  industry: ['industry'],
  employees: ['employees'],
  revenue: ['revenue'],
} as const satisfies Record<PersonImportField, readonly ColumnKey[]>;

export type PersonField = PersonImportField;

/** Field of a company's row → the meanings of its columns, the best first. */
export const companyColumns = {
  id: ['company.id', 'id'],
  name: ['company', 'name', 'client', 'company.work', 'company.other'],
  aliases: ['aliases', 'other_names'],
  kind: ['kind'],
  industry: ['industry'],
  domain: ['domain', 'company.domain'],
  website: ['website', 'url', 'website.work', 'website.other'],
  street: ['company.street', 'street', 'street.work'],
  city: ['company.city', 'city', 'city.work'],
  state: ['company.state', 'state', 'state.work'],
  postal_code: ['company.postal_code', 'postal_code', 'postal_code.work'],
  country: ['company.country', 'country', 'country.work'],
  location: ['company.location', 'location', 'location.work'],
  phone: ['company.phone', 'phone', 'phone.work', 'company.phone.work', 'phone.other'],
  employees: personColumns.employees,
  revenue: personColumns.revenue,
  founded: ['founded'],
  legal_name: ['legal_name'],
  registration_number: ['registration_number'],
  parent: ['parent'],
  description: ['description'],
  observed_on: personColumns.observed_on,
} as const satisfies Record<CompanyImportField, readonly ColumnKey[]>;

export type CompanyField = CompanyImportField;

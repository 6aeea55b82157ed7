// Between layers and provider fields: what a selection asks for, and where each value is shown.
import type { DisplayName, LayerCode } from '../../contract/jobs/layers.ts';
import {
  type ProviderField,
  type ProviderValueName,
  providerFieldNames,
} from '../../contract/provider.ts';

/** Providers are not asked for a layer without an entry. */
const fieldsByLayer: Readonly<Partial<Record<LayerCode, readonly ProviderField[]>>> = {
  L1: ['work_email', 'email_status', 'employment'],
  L2: ['headquarters'],
  L3: ['new_job'],
  L4: ['new_job'],
  MPA: ['phone'],
};

export function listWanted(codes: readonly LayerCode[]): ProviderField[] {
  const wanted = new Set(codes.flatMap((code) => fieldsByLayer[code] ?? []));
  return providerFieldNames.filter((field) => wanted.has(field));
}

export const displayNames: Readonly<Partial<Record<ProviderValueName, DisplayName>>> = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  company_name: 'Current company name',
  title: 'Current title',
  profile_url: 'Profile URL',
  job_function: 'Job function',
  job_level: 'Job level',
  city: 'Contact city',
  state: 'Contact state',
  country: 'Contact country',
  company_website: 'Company website',
  company_address: 'Company address',
  company_city: 'Company city',
  company_state: 'Company State',
  company_country: 'Company country',
  company_postal_code: 'Company postal code',
  company_phone: 'Company phone',
  new_company_name: 'New company name',
  new_title: 'New title',
  new_start_date: 'New start date',
  new_company_website: 'New company website',
  new_email: 'New email',
  new_company_address: 'New company address',
  new_company_city: 'New company city',
  new_company_state: 'New company State',
  new_company_country: 'New company country',
  new_company_postal_code: 'New company postal code',
  new_company_phone: 'New company phone',
  mobile_phone: 'Mobile phone',
  direct_phone: 'Direct phone',
};

/** Usual headers of the fields in lists of people and of companies. */
import type { CompanyImportField, PersonImportField } from '../../../contract/directory.ts';
import { rowInputColumns } from '../../../spreadsheet/row-input-columns.ts';

const inputs = rowInputColumns;

/** Field of a person's row → the headers it is recognised by, the best first. */
export const personColumns = {
  id: ['person id', 'contact id', 'record id', 'lead id', 'external id', 'uuid', 'id'],
  first_name: inputs.first_name,
  middle_name: ['middle name', 'middle initial', 'zweiter vorname', 'deuxième prénom'],
  last_name: inputs.last_name,
  full_name: inputs.full_name,
  suffix: ['suffix', 'name suffix', 'generation'],
  nickname: ['nickname', 'preferred name', 'known as', 'goes by', 'spitzname', 'surnom'],
  other_names: ['other names', 'other name', 'alternate names', 'former names', 'maiden name'],
  company_id: ['org id', 'company id', 'account id', 'organization id', 'associated company id'],
  company_name: inputs.company_name,
  title: inputs.title,
  job_function: ['job function', 'function', 'department', 'departments', 'abteilung'],
  job_level: ['job level', 'seniority', 'management level', 'level', 'seniority level'],
  email: inputs.email,
  email_status: ['email status', 'email verification status', 'verification status'],
  personal_email: ['personal email', 'private email', 'secondary email', 'email 2', 'other email'],
  profile_url: inputs.profile_url,
  mobile_phone: [
    ...['mobile phone', 'mobile phone number', 'mobile', 'mobile number', 'cell phone', 'cell'],
    ...['cell number', 'cell phone number', 'person phone mobile', 'mobiltelefon', 'handynummer'],
    ...['handy', 'téléphone portable', 'portable', 'teléfono móvil', 'móvil'],
  ],
  direct_phone: [
    ...['direct phone', 'work direct phone', 'direct dial', 'direct phone number', 'direct line'],
    ...['durchwahl', 'ligne directe', 'teléfono directo'],
  ],
  phone: [
    ...['phone', 'phone number', 'work phone', 'business phone', 'telephone', 'telephone number'],
    ...['person phone work', 'phone work', 'phone 1 value', 'tel', 'telefon', 'telefonnummer'],
    ...['rufnummer', 'téléphone', 'numéro de téléphone', 'teléfono', 'número de teléfono'],
  ],
  start_on: [
    'start',
    'start date',
    'started on',
    'job start date',
    'from',
    'since',
    'von',
    'début',
  ],
  end_on: ['end', 'end date', 'ended on', 'job end date', 'until', 'to', 'bis', 'fin'],
  is_current: ['is current', 'current', 'current job', 'still there'],
  is_primary: ['is primary', 'primary', 'primary job', 'main job'],
  city: ['city', 'contact city', 'mailing city', 'person city', 'town', 'stadt', 'ort', 'ville'],
  state: ['state', 'contact state', 'mailing state', 'state region', 'province', 'bundesland'],
  country: inputs.country,
  suppressed: ['suppressed', 'do not contact', 'opted out', 'opt out', 'unsubscribed'],
  observed_on: [
    ...['observed on', 'observed', 'observed at', 'last verified', 'verified on', 'updated at'],
    ...['last updated', 'last modified date', 'last modified', 'as of'],
  ],
  company_domain: inputs.company_domain,
  company_phone: ['company phone', 'company phone number', 'corporate phone', 'hq phone'],
  company_street: ['company address', 'company street', 'company street address'],
  company_city: ['company city', 'hq city'],
  company_state: ['company state', 'company region', 'hq state'],
  company_postal_code: ['company postal code', 'company zip', 'company zip code'],
  company_country: ['company country', 'hq country'],
  industry: ['industry', 'company industry', 'branche', 'secteur', 'sector'],
  employees: [
    ...['employees', 'number of employees', 'employee count', 'company size', 'employee range'],
    ...['# employees', 'mitarbeiter', 'headcount'],
  ],
  revenue: ['revenue', 'annual revenue', 'revenue range', 'umsatz'],
} as const satisfies Record<PersonImportField, readonly string[]>;

/** A field of a person's row. */
export type PersonField = PersonImportField;

/** Field of a company's row → the headers it is recognised by, the best first. */
export const companyColumns = {
  id: ['org id', 'company id', 'account id', 'organization id', 'record id', 'uuid', 'id'],
  name: ['name', 'account name', ...inputs.company_name],
  aliases: ['aliases', 'alias', 'other names', 'also known as', 'former names', 'ticker', 'dba'],
  kind: ['kind', 'type', 'company type', 'account type', 'ownership'],
  industry: ['industry', 'company industry', 'branche', 'secteur', 'sector'],
  domain: ['domain', 'company domain', 'company domain name', 'domain name', 'domaine', 'dominio'],
  website: ['website', 'website url', 'company website', 'web site', 'url', 'site web', 'webseite'],
  street: [
    ...['street', 'address', 'street address', 'address 1', 'address line 1', 'company address'],
    ...['billing street', 'straße', 'rue', 'dirección'],
  ],
  city: ['city', 'company city', 'billing city', 'hq city', 'town', 'stadt', 'ort', 'ville'],
  state: ['state', 'company state', 'billing state', 'state region', 'province', 'bundesland'],
  postal_code: [
    ...['postal code', 'postal', 'zip', 'zip code', 'postcode', 'billing zip', 'plz'],
    ...['company postal code', 'code postal'],
  ],
  country: ['country', 'company country', 'billing country', 'country region', 'land', 'pays'],
  phone: [
    'phone',
    'phone number',
    'company phone',
    'main phone',
    'telephone',
    'hq phone',
    'telefon',
  ],
  employees: personColumns.employees,
  revenue: personColumns.revenue,
  observed_on: personColumns.observed_on,
} as const satisfies Record<CompanyImportField, readonly string[]>;

/** A field of a company's row. */
export type CompanyField = CompanyImportField;

// The meanings of columns that row fields are read from.
import type { RowInputField } from '../contract/jobs/row-input.ts';
import type { ColumnKey } from './read-header.ts';

/**
 * Row field → the meanings of its columns, the best first, for recognizeColumns. `full_name` is
 * not a row field: callers split it if there is no column for the first or last name.
 */
export const rowInputColumns: Readonly<Record<RowInputField | 'full_name', readonly ColumnKey[]>> =
  {
    first_name: ['first_name'],
    last_name: ['last_name'],
    full_name: ['full_name', 'full_name.last_first', 'full_name.other'],
    company_name: ['company', 'company.work', 'company.other', 'legal_name'],
    email: ['email.work', 'email', 'email.other', 'company.email', 'email.private'],
    profile_url: ['profile', 'profile.work', 'url', 'profile.other', 'profile.private'],
    title: ['job_title', 'title', 'headline'],
    phone: [
      'phone',
      'phone.work',
      'mobile',
      'mobile.work',
      'direct',
      'direct.work',
      'phone.other',
      'mobile.other',
      'mobile.private',
      'phone.private',
    ],
    company_domain: ['domain', 'website', 'website.work', 'website.other'],
    country: ['country', 'country.work', 'country.private'],
    client_reference_id: ['id'],
  };

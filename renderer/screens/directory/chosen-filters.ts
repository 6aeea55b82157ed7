// The values of the form of a directory search.
import type { SearchValues } from '../../../engine/contract/search.ts';

/** The form's values. Empty ones are not part of the search. */
export interface ChosenFilters extends Readonly<Record<keyof SearchValues, readonly string[]>> {
  readonly job_title: string;
  readonly company_name: string;
  /** Whether only people with an email are found. */
  readonly has_email: boolean;
}

export const noFilters: ChosenFilters = {
  job_title: '',
  company_name: '',
  job_level: [],
  industry: [],
  contact_office_country: [],
  employee_range: [],
  revenue_range: [],
  has_email: false,
};

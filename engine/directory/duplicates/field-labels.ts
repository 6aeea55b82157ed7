// The names of the fields of a pair for users.
import { companyImportFields, personImportFields } from '../../contract/directory.ts';

export const fieldLabels: Readonly<Record<string, string>> = {
  ...personImportFields,
  ...companyImportFields,
  name: 'Name',
  employee_range: 'Employee range',
  revenue_range: 'Revenue range',
  job_title: 'Job title',
  job_email: 'Work email',
  emails: 'Emails',
  phones: 'Phones',
  employers: 'Employers',
};

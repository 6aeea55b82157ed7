// The stored form of an inferred email: JSON of [email, probability, form, witnesses, compared,
// domain check, day]. The domain check is the index in `domainChecks`.
import { domainChecks, type InferredEmail } from '../../contract/jobs/inferred-email.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import { emailDomain } from '../../directory/normalize/normalize-email.ts';
import type { ResultRecord } from './result.table.ts';

type Compact = [
  email: string,
  probability: number,
  form: string,
  witnesses: number,
  compared: number,
  domainCheck: number,
  inferredOn: string,
];

export interface NewInferredEmail extends Omit<InferredEmail, 'status' | 'pattern'> {
  /** The form without the domain. */
  readonly form: string;
}

export function compactInferred(one: NewInferredEmail): string {
  const check = domainChecks.indexOf(one.domain_check);
  const { email, probability, form, witnesses, compared, inferred_on } = one;
  const compact: Compact = [email, probability, form, witnesses, compared, check, inferred_on];
  return JSON.stringify(compact);
}

const enriched = rowStatuses.indexOf('enriched');

/** The inferred email of a result row; null if it has none. Only enriched rows have one. */
export function expandInferred(
  record: Pick<ResultRecord, 'inferred' | 'status'>,
): InferredEmail | null {
  if (!record.inferred || record.status !== enriched) return null;
  const [email, probability, form, witnesses, compared, check, day]: Compact = JSON.parse(
    record.inferred,
  );
  return {
    email,
    status: 'inferred',
    probability,
    pattern: `${form}@${emailDomain(email)}`,
    witnesses,
    compared,
    domain_check: domainChecks[check] ?? 'unchecked',
    inferred_on: day,
  };
}

export const inferredColumns = [
  'Inferred email',
  'Inferred email probability',
  'Inferred email pattern',
  'Inferred email domain',
] as const;

export function listInferredCells(record: Pick<ResultRecord, 'inferred' | 'status'>): string[] {
  const inferred = expandInferred(record);
  if (!inferred) return inferredColumns.map(() => '');
  const { email, probability, pattern, witnesses, compared, domain_check: check } = inferred;
  return [email, String(probability), `${pattern} (${witnesses} of ${compared})`, check];
}

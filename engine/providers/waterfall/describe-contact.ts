// Accepted answers about a row as one contact: values by display name with their provenance.
import { employmentStatuses } from '../../contract/jobs/job.ts';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import type { ProviderField, ProviderRow, ProviderValueName } from '../../contract/provider.ts';
import { companyNameKey } from '../../directory/normalize/normalize-company.ts';
import { websiteDomain } from '../../directory/normalize/normalize-url.ts';
import { displayNames } from './layer-fields.ts';
import { type AcceptedAnswer, completeRow } from './plan-person.ts';
import { contactUuid } from './row-subject.ts';

export interface AnsweredValue {
  readonly value: string;
  /** The title of the provider, and the source that it names. */
  readonly source: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** YYYY-MM-DD: when it was observed; the day it was fetched if the service does not say. */
  readonly observedOn: string;
}

export interface AnsweredContact {
  readonly contactUuid: string;
  readonly employmentStatus: 'Current' | 'Changed' | 'Left';
  readonly values: Readonly<Partial<Record<DisplayName, AnsweredValue>>>;
  /** The lowest confidence of the fields, 0 to 1. */
  readonly confidence: number;
}

/** The confidence of a service that states none: the default trust of an imported list. */
const defaultConfidence = 0.8;
/** Fields that are about the person. A head office alone is no contact. */
const personalFields: readonly ProviderField[] = ['work_email', 'employment', 'new_job', 'phone'];

type Accepted = ReadonlyMap<ProviderField, AcceptedAnswer>;

function employmentStatusOf(row: ProviderRow, accepted: Accepted) {
  const employment = accepted.get('employment')?.hit.values;
  const said = employmentStatuses.find((status) => status === employment?.employment_status);
  if (said) return said;
  if (accepted.has('new_job')) return 'Changed';
  const [name, domain] = [employment?.company_name, employment?.company_domain];
  const isSameName =
    !row.company_name || !name || companyNameKey(row.company_name) === companyNameKey(name);
  const isSameDomain =
    !!domain &&
    websiteDomain(row.company_domain ?? '') !== null &&
    websiteDomain(row.company_domain ?? '') === websiteDomain(domain);
  return isSameName || isSameDomain ? 'Current' : 'Changed';
}

/** Values of the employment that are those of the new company, if the person changed jobs. */
const movedValues: Readonly<Partial<Record<ProviderValueName, DisplayName>>> = {
  company_name: 'New company name',
  title: 'New title',
  start_date: 'New start date',
  company_domain: 'New company website',
  email: 'New email',
};

/** Null if no accepted answer is about the person. @param titleOf the name of a provider */
export function describeContact(
  row: ProviderRow,
  accepted: Accepted,
  titleOf: (provider: string) => string,
): AnsweredContact | null {
  if (!personalFields.some((field) => accepted.has(field))) return null;
  const status = employmentStatusOf(row, accepted);
  const values: Partial<Record<DisplayName, AnsweredValue>> = {};
  let confidence = 1;
  const sourceOf = ({
    provider,
    hit,
    fetchedAt,
  }: AcceptedAnswer): Omit<AnsweredValue, 'value'> => ({
    source: hit.source === undefined ? titleOf(provider) : `${titleOf(provider)}: ${hit.source}`,
    confidence: hit.confidence ?? defaultConfidence,
    observedOn: hit.observedOn ?? fetchedAt.slice(0, 10),
  });
  const add = (name: DisplayName | undefined, value: string, answer: AcceptedAnswer) => {
    if (name && value !== '') values[name] ??= { value, ...sourceOf(answer) };
  };
  for (const [field, answer] of accepted) {
    confidence = Math.min(confidence, sourceOf(answer).confidence);
    for (const [name, value] of Object.entries(answer.hit.values))
      add(displayNames[name as ProviderValueName], value, answer);
    if (field === 'work_email' || field === 'email_status') {
      // The status of a verifier replaces that of the finder.
      if (field === 'email_status') delete values['Email status'];
      add('Email status', answer.hit.status ?? '', answer);
    }
    if (field === 'employment' || field === 'work_email') {
      const isMoved = status === 'Changed';
      if (isMoved)
        for (const [name, value] of Object.entries(answer.hit.values))
          add(movedValues[name as ProviderValueName], value, answer);
      if (field === 'employment') add('Employment status', status, answer);
    }
  }
  // Without an employment, the answer that the contact comes from says that the person is there.
  const [first] = personalFields.flatMap((field) => accepted.get(field) ?? []);
  if (first) add('Employment status', status, first);
  const uuid = contactUuid(completeRow(row, accepted));
  return { contactUuid: uuid, employmentStatus: status, values, confidence };
}

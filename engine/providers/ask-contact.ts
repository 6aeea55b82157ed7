// Asks the user's providers about one contact, for a lookup or a tool.
import { EngineError } from '../contract/errors.ts';
import {
  type Candidate,
  emailStatuses,
  type MatchField,
  type MatchReason,
} from '../contract/jobs/job.ts';
import type { DisplayName } from '../contract/jobs/layers.ts';
import type { ProviderField, ProviderRow } from '../contract/provider.ts';
import type { NamedContact } from '../directory/read/read-person.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { namesContact } from '../suppression/suppress-rows.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import type { Waterfalls } from './waterfall/create-waterfalls.ts';
import type { AnsweredContact } from './waterfall/describe-contact.ts';
import { refusalError } from './waterfall/waterfall-run.ts';

export const readTexts = (values: AnsweredContact['values']) =>
  Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));

export interface ContactRequest {
  readonly row: ProviderRow;
  readonly wanted: readonly ProviderField[];
  /** The most that it may spend at each provider, in its credits; null for no limit. */
  readonly providerCap: number | null;
  /** The least confidence of a match in the team's directory, 0 to 1. */
  readonly threshold?: number | undefined;
}

export type ContactAnswer =
  | {
      readonly kind: 'found';
      readonly contact: AnsweredContact;
      /** What the team's directory matched on; none for an answer of a provider. */
      readonly matchedOn: readonly MatchField[];
    }
  | { readonly kind: 'unknown' }
  /** The team's directory knows several such people and names none; no provider is asked. */
  | {
      readonly kind: 'withheld';
      readonly reason: Exclude<MatchReason, '' | 'no_match'>;
      readonly candidates: readonly Candidate[];
    };

/**
 * Asks the providers. A suppressed contact is like an unknown one. Rejects with `unavailable`,
 * `upstream_error` and `upstream_insufficient_credits`.
 */
export async function askContact(
  database: ReadableDatabase,
  waterfalls: Waterfalls,
  { row, wanted, providerCap }: ContactRequest,
): Promise<AnsweredContact | null> {
  const waterfall = waterfalls.open({ jobId: null, wanted, providerCap });
  if (!waterfall) return null;
  try {
    const outcome = await waterfall.ask([row]);
    if (outcome.kind === 'refused') throw refusalError(outcome);
    if (outcome.kind === 'stopped')
      throw new EngineError('unavailable', 'The engine is stopping. Try again later.');
    const [answer] = outcome.answers;
    if (answer?.kind === 'failed') throw new EngineError('upstream_error', answer.detail);
    if (answer?.kind !== 'found') return null;
    const { contactUuid, values } = answer.contact;
    const list = readSuppressionList(database);
    return namesContact(list, contactUuid, readTexts(values)) ? null : answer.contact;
  } finally {
    waterfall.stop();
  }
}

export const answeredText = ({ values }: AnsweredContact, name: DisplayName): string =>
  values[name]?.value ?? '';

export function readAnsweredContact(contact: AnsweredContact): NamedContact {
  const text = (name: DisplayName) => answeredText(contact, name);
  const status = emailStatuses.find((one) => one === text('Email status')) ?? 'unknown';
  const hasEmail =
    contact.employmentStatus !== 'Left' && status !== 'invalid' && text('Email') !== '';
  return {
    uuid: contact.contactUuid,
    firstName: text('First name'),
    lastName: text('Last name'),
    email: hasEmail ? text('Email') : null,
    emailStatus: hasEmail ? status : null,
    mobilePhone: text('Mobile phone') || null,
    directPhone: text('Direct phone') || null,
  };
}

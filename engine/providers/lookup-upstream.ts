/** Requests one contact from the provider behind the directory. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../contract/errors.ts';
import { emailStatuses } from '../contract/jobs/job.ts';
import {
  type Provider,
  type ProviderAnswer,
  type ProviderRow,
  providerFailures,
} from '../contract/provider.ts';
import type { NamedContact } from '../directory/read/read-person.ts';
import { createUpstreamClient } from './upstream-client.ts';

/** A provider's answer for a contact it knows. */
export type UpstreamAnswer = Extract<ProviderAnswer, { kind: 'found' }>;

/**
 * Requests a contact with the provider's retries; null if the provider does not know it. Throws
 * `upstream_error` if it does not answer, and `upstream_insufficient_credits`.
 * @param signal ends the request; its reason is thrown then
 */
export async function lookupUpstream(
  provider: Provider,
  row: ProviderRow,
  signal?: AbortSignal,
): Promise<UpstreamAnswer | null> {
  const upstream = createUpstreamClient(provider, (ms, stop) =>
    wait(ms, undefined, { signal: stop }),
  );
  signal?.addEventListener('abort', upstream.stop, { once: true });
  const outcome = await upstream.ask({ id: `lookup:${randomUUID()}`, rows: [row] });
  signal?.removeEventListener('abort', upstream.stop);
  signal?.throwIfAborted();
  if (outcome.kind === 'refused')
    throw new EngineError(providerFailures[outcome.failure].jobError, outcome.detail);
  const answer = outcome.kind === 'answered' ? outcome.answers[0] : undefined;
  if (answer?.kind === 'failed') throw new EngineError('upstream_error', answer.detail);
  return answer?.kind === 'found' ? answer : null;
}

/** A provider's contact in the format of the directory. */
export function readUpstreamContact(answer: UpstreamAnswer): NamedContact {
  const { contactUuid, employmentStatus, values } = answer;
  const status = emailStatuses.find((one) => one === values['Email status']) ?? 'unknown';
  const hasEmail = employmentStatus !== 'Left' && status !== 'invalid' && !!values.Email;
  return {
    uuid: contactUuid,
    firstName: values['First name'] ?? '',
    lastName: values['Last name'] ?? '',
    email: hasEmail ? (values.Email ?? null) : null,
    emailStatus: hasEmail ? status : null,
    mobilePhone: values['Mobile phone'] || null,
    directPhone: values['Direct phone'] || null,
  };
}

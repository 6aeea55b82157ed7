/**
 * Direct lookup (specification, section B): the phone or the email of the person of a profile URL,
 * charged when it is found and not owned yet.
 *
 * The charge is durable before the answer leaves: whoever misses the answer, in a crash or over a
 * broken line, owns the value and asks again for nothing.
 */

import { EngineError } from '../contract/errors.ts';
import type { EmailAnswer, PhoneAnswer } from '../contract/lookup.ts';
import { type Contact, findContact, isProfileUrl } from '../directory/read/find-contact.ts';
import type { Spending } from '../ledger/approvals.commands.ts';
import { isOwned } from '../ledger/owned-values.ts';
import { lookupUpstream, readUpstreamContact } from '../providers/lookup-upstream.ts';
import type { LookupRouteDeps } from './route-deps.ts';

/** What each lookup finds. */
interface LookupResults {
  readonly phone: PhoneAnswer['results'];
  readonly email: EmailAnswer['results'];
}

const readers: {
  readonly [Kind in keyof LookupResults]: (contact: Contact) => LookupResults[Kind] | null;
} = {
  phone({ mobilePhone, directPhone }) {
    const phone = mobilePhone ?? directPhone;
    return phone === null ? null : { phone };
  },
  email: ({ email, emailStatus }) =>
    email === null ? null : { email, email_status: emailStatus ?? 'unknown' },
};

/** The person of a URL: from the directory, and from the provider whom nobody there holds it. */
async function findPerson(
  environment: Pick<LookupRouteDeps['environment'], 'directoryDatabase' | 'provider'>,
  profileUrl: string,
): Promise<Contact | null> {
  const found = findContact(environment.directoryDatabase, profileUrl);
  if (found.kind === 'found') return found.contact;
  if (found.kind !== 'nobody' || !environment.provider) return null;
  const answer = await lookupUpstream(environment.provider, { profile_url: profileUrl });
  return answer && readUpstreamContact(answer);
}

/**
 * Looks a value up and pays for it. Throws `validation_error` where the URL is none; `not_found`
 * where nobody, or nobody alone, holds it, or nothing is known; `insufficient_credits`,
 * `spending_cap_reached` and `approval_required`; `upstream_error` and
 * `upstream_insufficient_credits` where the directory knows nobody and the provider behind it
 * fails. Nothing is charged then.
 */
export async function lookUp<Kind extends keyof LookupResults>(
  environment: Pick<
    LookupRouteDeps['environment'],
    'database' | 'directoryDatabase' | 'provider' | 'writer'
  >,
  kind: Kind,
  spending: Spending,
  profileUrl: string,
): Promise<LookupResults[Kind]> {
  if (!isProfileUrl(profileUrl))
    throw new EngineError(
      'validation_error',
      'profile_url: this is no web address. Send the whole address of the person’s profile.',
    );
  const contact = await findPerson(environment, profileUrl);
  const found = contact && readers[kind](contact);
  if (!found)
    throw new EngineError(
      'not_found',
      `No ${kind} was found for this profile, and nothing was charged. Check the address, or ` +
        'import a list that knows the person.',
    );
  const value = { personUuid: contact.uuid, kind };
  // What is owned stays so: it needs no writer, and waits behind no job.
  if (!isOwned(environment.database, spending.accountId, value))
    await environment.writer.unlock({
      ...spending,
      values: [value],
      subject: { kind: `${kind}_lookup`, id: contact.uuid },
      whenShort: 'refuse',
    });
  return found;
}

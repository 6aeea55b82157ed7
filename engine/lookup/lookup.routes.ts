// The routes of direct lookup: a phone or an email for a profile URL.
import { invalid, notFound } from '../contract/errors.ts';
import {
  type EmailAnswer,
  EmailAnswerSchema,
  LookupBodySchema,
  LookupFailureSchema,
  LookupQuerySchema,
  type PhoneAnswer,
  PhoneAnswerSchema,
} from '../contract/lookup.ts';
import { approvalKey, keyRefusals } from '../contract/operation-docs.ts';
import type { ProviderField } from '../contract/provider.ts';
import { type Contact, findContact, isProfileUrl } from '../directory/read/find-contact.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { requireToken } from '../http/credentials.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import type { JobReads } from '../jobs/job-reads.ts';
import type { Spending } from '../ledger/approve-spending.ts';
import type { UnlockCalls } from '../ledger/create-unlock-commands.ts';
import { readProviderCap } from '../ledger/key-guard.ts';
import { isOwned } from '../ledger/owned-values.ts';
import { readAnsweredContact } from '../providers/ask-contact.ts';
import type { ProviderCalls } from '../providers/installed/change-providers.ts';

type LookupRouteDeps = RouteDepsWith<UnlockCalls & ProviderCalls, Pick<JobReads, 'matchContact'>>;

// Direct lookup (docs/api.md): the phone or email of the person with a profile URL, charged if it
// is found and not owned yet. The charge is durable before the answer is sent. A client that misses
// the answer, because of a crash or a lost connection, owns the value and can request it again for
// free.

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

const wantedFields: Readonly<Record<keyof LookupResults, readonly ProviderField[]>> = {
  email: ['work_email', 'email_status'],
  phone: ['phone'],
};

/**
 * The person with a URL: from the directory, or from the team's directory and the user's providers
 * if no person in the directory has the URL.
 */
async function findPerson(
  environment: Pick<LookupRouteDeps['environment'], 'database' | 'directoryDatabase' | 'writer'>,
  kind: keyof LookupResults,
  { keyId }: Spending,
  profileUrl: string,
): Promise<Contact | null> {
  const found = findContact(environment.directoryDatabase, profileUrl);
  if (found.kind === 'found') return found.contact;
  if (found.kind !== 'unknown') return null;
  const row = { profile_url: profileUrl };
  const providerCap = readProviderCap(environment.database, keyId);
  const wanted = wantedFields[kind];
  const answer = await environment.writer.askProviders({ row, wanted, providerCap });
  return answer.kind === 'found' ? readAnsweredContact(answer.contact) : null;
}

/**
 * Looks a value up and pays for it. Throws `validation_error` if the URL is invalid; `not_found` if
 * no person or several people have it, or the value is unknown; `insufficient_credits`,
 * `spending_cap_reached` and `approval_required`; `upstream_error` and
 * `upstream_insufficient_credits` if the directory has no person and the providers behind it fail.
 * Nothing is charged then.
 */
async function lookUp<Kind extends keyof LookupResults>(
  environment: Pick<LookupRouteDeps['environment'], 'database' | 'directoryDatabase' | 'writer'>,
  kind: Kind,
  spending: Spending,
  profileUrl: string,
): Promise<LookupResults[Kind]> {
  if (!isProfileUrl(profileUrl))
    throw invalid('profile_url: this is not a URL. Send the full URL of the person’s profile.');
  const contact = await findPerson(environment, kind, spending, profileUrl);
  const found = contact && readers[kind](contact);
  if (!found)
    throw notFound(
      `No ${kind} was found for this profile. Nothing was charged. Check the URL, or ` +
        'import a list with this person.',
    );
  const value = { personUuid: contact.uuid, kind };
  // An owned value stays owned, so it needs no write and does not wait behind jobs.
  if (!isOwned(environment.database, spending.accountId, value))
    await environment.writer.unlock({
      ...spending,
      values: [value],
      subject: { kind: `${kind}_lookup`, id: contact.uuid },
      whenShort: 'refuse',
    });
  return found;
}

const asking = { querystring: LookupQuerySchema, body: LookupBodySchema };
const lookupDocs = {
  tag: 'Direct lookup',
  refusals: [...keyRefusals, 'upstream_insufficient_credits', 'upstream_error'],
  headers: approvalKey,
} as const;
const refusals = { '4xx': LookupFailureSchema, '5xx': LookupFailureSchema };

export function addLookupRoutes(server: ApiServer, context: LookupRouteDeps): void {
  const { environment } = context;
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToken(context));
    scope.post(
      '/phone/enrichment',
      {
        schema: {
          docs: {
            ...lookupDocs,
            id: 'lookUpPhone',
            summary: 'Get the phone number of the person with a profile URL',
            description: 'Costs 5 credits if it is found; free if the account owns it.',
          },
          ...asking,
          response: { 200: PhoneAnswerSchema, ...refusals },
        },
      },
      async (request) => {
        const spending = spendingOf(request, 'POST /phone/enrichment/', request.body);
        const results = await lookUp(environment, 'phone', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
    scope.post(
      '/email/enrichment',
      {
        schema: {
          docs: {
            ...lookupDocs,
            id: 'lookUpEmail',
            summary: 'Get the email of the person with a profile URL',
            description: 'Costs 1 credit if it is found; free if the account owns it.',
          },
          ...asking,
          response: { 200: EmailAnswerSchema, ...refusals },
        },
      },
      async (request) => {
        const spending = spendingOf(request, 'POST /email/enrichment/', request.body);
        const results = await lookUp(environment, 'email', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
  });
}

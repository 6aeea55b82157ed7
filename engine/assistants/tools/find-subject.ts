// Identifies the person of an enrich_* call with the matcher and threshold of jobs, then with the
// user's providers behind the directory. Abstains like jobs.
import { getAccountById } from '../../accounts/account.table.ts';
import type { EnrichPerson, enrichStatuses } from '../../contract/assistants/tools/enrich.ts';
import type { ToolName } from '../../contract/assistants/tools.ts';
import { invalid } from '../../contract/errors.ts';
import type { Candidate, MatchField, MatchReason } from '../../contract/jobs/job.ts';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import { unlikelyReasons } from '../../contract/jobs/review.ts';
import { workHistoryMax } from '../../contract/limits/directory.ts';
import type { ProviderField, ProviderRow } from '../../contract/provider.ts';
import { isProfileUrl } from '../../directory/read/find-contact.ts';
import {
  type NamedContact,
  type Profile,
  readContacts,
  readProfile,
} from '../../directory/read/read-person.ts';
import { readProviderCap } from '../../ledger/key-guard.ts';
import { answeredText, readAnsweredContact } from '../../providers/ask-contact.ts';
import type { AnsweredContact } from '../../providers/waterfall/describe-contact.ts';
import type { ToolCall } from './tool-call.ts';

/** A found person: plain data that is stored for repeats. */
export interface Subject {
  readonly contact: NamedContact;
  readonly profile: Profile | null;
  readonly confidence: number;
  readonly matchedOn: readonly MatchField[];
}

/** Why no person is returned. */
export interface Abstention {
  readonly status: Exclude<(typeof enrichStatuses)[number], 'found'>;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

const abstentions: Readonly<Record<Exclude<MatchReason, ''>, Omit<Abstention, 'candidates'>>> = {
  no_match: {
    status: 'not_found',
    reason:
      'No known person matches well enough. Nothing was charged. A ' +
      'profile_url, or the company’s website with its name, identifies a person best.',
  },
  ambiguous: {
    status: 'ambiguous',
    reason:
      'Several people match equally well. Nothing was charged. Let the user choose one of the ' +
      'candidates, and send its UUID to unlock_contacts.',
  },
  too_little_data: {
    status: 'not_found',
    reason:
      'This is not enough to identify a person. Nothing was charged. Add a ' +
      'profile_url, or the company.',
  },
  suppressed: {
    status: 'suppressed',
    reason: 'This person has opted out, so nothing is returned. Nothing was charged.',
  },
  source_error: {
    status: 'not_found',
    reason: 'The source did not answer for this person. Nothing was charged. Try again later.',
  },
  conflicting_evidence: {
    status: 'ambiguous',
    reason:
      'The arguments belong to different people: an email or profile of one with the name of ' +
      'another. Nothing was charged. Send only what belongs to one person.',
  },
  not_a_person: {
    status: 'not_found',
    reason:
      'The arguments name a test, an office or two people. Nothing was charged. Name one person ' +
      'at a time.',
  },
};

type EnrichTool = 'enrich_email' | 'enrich_phone' | 'enrich_contact' | 'enrich_profile';

const wantedFields: Readonly<Record<EnrichTool, readonly ProviderField[]>> = {
  enrich_email: ['work_email', 'email_status'],
  enrich_phone: ['phone'],
  enrich_contact: ['work_email', 'email_status', 'phone'],
  enrich_profile: ['work_email', 'email_status', 'employment', 'headquarters', 'phone'],
};

const whoIsMeant =
  'Identify the person: profile_url; or first_name and last_name with company_name or ' +
  'company_website';

/** The row for the arguments. Throws `validation_error` if they identify no person. */
function readRow(tool: ToolName, args: EnrichPerson): ProviderRow {
  const takesEmail = tool !== 'enrich_email';
  const hasName = args.first_name !== undefined && args.last_name !== undefined;
  const hasCompany = args.company_name !== undefined || args.company_website !== undefined;
  const hasKey = args.profile_url !== undefined || (takesEmail && args.email !== undefined);
  if (!hasKey && !(hasName && hasCompany))
    throw invalid(`${whoIsMeant}${takesEmail ? '; or email' : ''}. Nothing was charged.`);
  if (args.profile_url !== undefined && !isProfileUrl(args.profile_url))
    throw invalid('profile_url is not a URL. Send the full URL of the person’s profile.');
  const named = {
    profile_url: args.profile_url,
    email: args.email,
    first_name: args.first_name,
    last_name: args.last_name,
    company_name: args.company_name,
    company_domain: args.company_website,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** A profile from the answers of providers, which have only the current employment. */
function readAnsweredProfile(answer: AnsweredContact): Profile {
  const text = (name: DisplayName) => answeredText(answer, name) || null;
  const [title, company] = [text('Current title'), text('Current company name')];
  const hasLeft = answer.employmentStatus === 'Left';
  const places = (['Contact city', 'Contact state', 'Contact country'] as const).map(text);
  return {
    title,
    company,
    companyWebsite: text('Company website'),
    profileUrl: text('Profile URL'),
    location: places.filter(Boolean).join(', ') || null,
    employmentStatus: hasLeft ? 'Left' : 'Current',
    workHistory:
      !hasLeft && (title !== null || company !== null)
        ? [
            {
              company_name: company,
              title,
              end_date: null,
              is_current: true,
              start_date: text('New start date'),
            },
          ]
        : [],
  };
}

const abstain = (
  reason: Exclude<MatchReason, ''>,
  candidates: readonly Candidate[] = [],
): Abstention => ({
  ...abstentions[reason],
  // An assistant would present an unlikely person as the answer.
  candidates: unlikelyReasons.includes(reason) ? [] : candidates,
});

/**
 * Finds the person. Throws `validation_error` if the arguments identify no person, `not_ready`
 * until the directory is indexed, and the refusals of the providers.
 */
export async function findSubject(
  { environment, caller, signal }: ToolCall,
  tool: EnrichTool,
  args: EnrichPerson,
): Promise<Subject | Abstention> {
  const row = readRow(tool, args);
  const { accountId } = caller;
  const match = await environment.reader.matchContact({ accountId, row });
  if (match.personUuid !== null) {
    const { personUuid, confidence, matchedOn } = match;
    const contact = readContacts(environment.directoryDatabase, [personUuid]).get(personUuid);
    const profile = readProfile(environment.directoryDatabase, personUuid, workHistoryMax);
    return contact ? { contact, profile, confidence, matchedOn } : abstain('no_match');
  }
  const reason = match.reason || 'no_match';
  if (reason !== 'no_match') return abstain(reason, match.candidates);
  signal.throwIfAborted();
  // A dry run reads only answers that are stored, or free.
  const providerCap = args.dry_run ? 0 : readProviderCap(environment.database, caller.keyId);
  const wanted = wantedFields[tool];
  const threshold = getAccountById(environment.database, accountId)?.matchThreshold;
  const request = { row, wanted, providerCap, threshold };
  const answer = await environment.writer.askProviders(request);
  signal.throwIfAborted();
  if (answer.kind === 'unknown') return abstain('no_match');
  if (answer.kind === 'withheld') return abstain(answer.reason, answer.candidates);
  const { contact, matchedOn } = answer;
  return {
    contact: readAnsweredContact(contact),
    profile: readAnsweredProfile(contact),
    confidence: contact.confidence,
    matchedOn,
  };
}

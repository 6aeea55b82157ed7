// The enrich_* tools: a person's email, phone, both, or the whole profile. Only returned values are
// charged, never beyond the balance; owned values are free (docs/api.md, "Tools").
import type {
  Enriched,
  EnrichPerson,
  enrichTools,
} from '../../contract/assistants/tools/enrich.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { lookupPrices, type OwnedKind } from '../../contract/lookup.ts';
import type { NamedContact } from '../../directory/read/read-person.ts';
import type { UnlockReport } from '../../ledger/unlock.ts';
import { type Abstention, findSubject, type Subject } from './find-subject.ts';
import { findEarlierCall, payValues } from './pay-values.ts';
import type { ToolCall } from './tool-call.ts';
import { sayAtMost, sayCharged, type ToolHandlers } from './tool-handler.ts';

type EnrichTool = keyof typeof enrichTools;

/** The values of each tool, in the order in which credits are spent. */
const wantedKinds = {
  enrich_email: ['email'],
  enrich_phone: ['phone'],
  enrich_contact: ['email', 'phone'],
  enrich_profile: ['profile', 'email', 'phone'],
} as const satisfies Record<EnrichTool, readonly OwnedKind[]>;

const nothing = formatCredits(creditUnits(0));
const phoneOf = ({ mobilePhone, directPhone }: NamedContact) => mobilePhone ?? directPhone;

const isKnown: Readonly<Record<OwnedKind, (subject: Subject) => boolean>> = {
  profile: ({ profile }) => profile !== null,
  email: ({ contact }) => contact.email !== null,
  phone: ({ contact }) => phoneOf(contact) !== null,
};

const describeAbstention = ({ status, reason, candidates }: Abstention): Enriched => ({
  status,
  reason,
  ...(candidates.length > 0 && { candidates: [...candidates] }),
  credits_charged: nothing,
});

/** The found person, with no more than a free search returns. */
const describePerson = ({ contact, confidence, matchedOn }: Subject) => ({
  uuid: contact.uuid,
  first_name: contact.firstName,
  last_name: contact.lastName,
  confidence: Math.round(confidence * 1000) / 1000,
  matched_on: [...matchedOn],
});

/** Fields of each kind of value, shown once it is paid for. */
const shown: Readonly<Record<OwnedKind, (subject: Subject) => Partial<Enriched>>> = {
  email: ({ contact }) => ({
    email: contact.email ?? undefined,
    email_status: contact.emailStatus ?? undefined,
  }),
  phone: ({ contact }) => ({ phone: phoneOf(contact) ?? undefined }),
  profile: ({ profile }) =>
    profile
      ? {
          title: profile.title,
          company: profile.company,
          company_website: profile.companyWebsite,
          profile_url: profile.profileUrl,
          location: profile.location,
          employment_status: profile.employmentStatus,
          work_history: [...profile.workHistory],
        }
      : {},
};

function describeCharges(kinds: readonly OwnedKind[], { states }: UnlockReport) {
  const cost = (kind: OwnedKind) =>
    states[kinds.indexOf(kind)] === 'charged' ? formatCredits(lookupPrices[kind]) : nothing;
  return { profile: cost('profile'), email: cost('email'), phone: cost('phone') };
}

function describeFound(tool: EnrichTool, subject: Subject, report: UnlockReport): Enriched {
  const kinds = wantedKinds[tool].filter((kind) => isKnown[kind](subject));
  const unlockedKinds = kinds.filter((_kind, at) => report.states[at] !== 'locked');
  const locked = kinds.filter((_kind, at) => report.states[at] === 'locked');
  const omitted = locked.map((value) => ({
    value,
    reason: report.lockedBy ?? ('insufficient_credits' as const),
    price: formatCredits(lookupPrices[value]),
  }));
  return {
    status: 'found',
    ...describePerson(subject),
    ...Object.assign({}, ...unlockedKinds.map((kind) => shown[kind](subject))),
    ...(omitted.length > 0 && { omitted }),
    ...(tool === 'enrich_profile' && { charges: describeCharges(kinds, report) }),
    credits_charged: formatCredits(report.chargedUnits),
  };
}

/** The answer for a found person without any of the requested values. */
const describeEmpty = (tool: EnrichTool, subject: Subject): Enriched => ({
  status: 'not_found',
  ...describePerson(subject),
  reason:
    `The person was found, but no ${wantedKinds[tool].join(' and no ')} is known. ` +
    'Nothing was charged.',
  credits_charged: nothing,
});

/** Throws `validation_error`, `not_ready`, and refusals of a provider and of `payValues`. */
async function enrichPerson(
  call: ToolCall,
  tool: EnrichTool,
  args: EnrichPerson,
): Promise<Enriched> {
  const earlier = findEarlierCall<Subject>(call, tool, args);
  if (earlier) return describeFound(tool, earlier.material, earlier.report);
  const subject = await findSubject(call, tool, args);
  if ('status' in subject) return describeAbstention(subject);
  const kinds = wantedKinds[tool].filter((kind) => isKnown[kind](subject));
  if (kinds.length === 0) return describeEmpty(tool, subject);
  const personUuid = subject.contact.uuid;
  const { material, report } = await payValues(call, {
    tool,
    args,
    values: kinds.map((kind) => ({ personUuid, kind })),
    material: subject,
  });
  if (!args.dry_run) return describeFound(tool, material, report);
  return {
    status: 'found',
    ...describePerson(material),
    credits_charged: nothing,
    credits_at_most: formatCredits(report.chargedUnits),
    dry_run: true,
  };
}

function summarizeEnriched(answer: Enriched): string {
  if (answer.status !== 'found') return answer.reason ?? '';
  const who = `${answer.first_name} ${answer.last_name}`.trim() || answer.uuid;
  if (answer.dry_run) return `Found ${who}. The call would cost ${sayAtMost(answer)}.`;
  const omitted = (answer.omitted ?? []).map(({ value }) => value).join(' and ');
  const values = [answer.title, answer.company, answer.email, answer.phone].filter(Boolean);
  const found = `Found ${who}${values.length ? `: ${values.join(', ')}` : ''}.`;
  const left = omitted ? ` Not covered by the credits and omitted: ${omitted}.` : '';
  return `${found} ${sayCharged(answer)}${left}`;
}

const handlerOf = (tool: EnrichTool) => ({
  handle: (call: ToolCall, args: EnrichPerson) => enrichPerson(call, tool, args),
  summarize: summarizeEnriched,
});

export const enrichHandlers: ToolHandlers<EnrichTool> = {
  enrich_email: handlerOf('enrich_email'),
  enrich_phone: handlerOf('enrich_phone'),
  enrich_contact: handlerOf('enrich_contact'),
  enrich_profile: handlerOf('enrich_profile'),
};

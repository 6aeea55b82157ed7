// Asks the team's directory about one contact, for a lookup or a tool.
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../contract/errors.ts';
import { employmentStatuses, matchFields, matchReasons } from '../../contract/jobs/job.ts';
import { type DisplayName, layerCodes } from '../../contract/jobs/layers.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import { sharedContactMs } from '../../contract/shared/limits.ts';
import { describeCandidates } from '../../directory/read/projection.ts';
import { expandProvenance } from '../../directory/read/provenance.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { ContactAnswer, ContactRequest } from '../../providers/ask-contact.ts';
import type { AnsweredContact } from '../../providers/waterfall/describe-contact.ts';
import type { SharedResult } from '../../shared/records/describe-results.ts';
import type { TeamDirectory } from '../../shared/settings/team-directory.ts';
import { namesContact } from '../../suppression/suppress-rows.ts';
import { readSuppressionList } from '../../suppression/suppression-list.ts';
import { readFields } from '../results/result-fields.ts';

interface AskTeamDeps {
  readonly database: WritableDatabase;
  readonly teamDirectory: Pick<TeamDirectory, 'openRun'>;
  /** How long workers may take, in milliseconds. */
  readonly patienceMs?: number;
}

const suppressedContact: ContactAnswer = { kind: 'withheld', reason: 'suppressed', candidates: [] };
const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));
/** A lookup by URL needs no threshold; this is that of a new account. */
const usualThreshold = 0.8;

const noWorker =
  "The team's directory did not answer in time. Nothing was charged. Check under Connections, " +
  'Team directory, that a worker runs, then try again.';

function describeContact({ contactUuid, fields, provenance, confidence }: SharedResult) {
  const known = readFields({ fields: fields ?? '{}' });
  const sources = expandProvenance(provenance ?? '{}', Object.keys(known));
  const values = Object.fromEntries(
    (Object.entries(known) as [DisplayName, string][]).map(([name, value]) => {
      const {
        source = '',
        confidence: trust = 0,
        observed_at: observedOn = '',
      } = sources[name] ?? {};
      return [name, { value, source, confidence: trust, observedOn }];
    }),
  );
  const said = employmentStatuses.find((status) => status === known['Employment status']);
  const contact: AnsweredContact = {
    contactUuid: contactUuid ?? '',
    values,
    confidence,
    employmentStatus: said || 'Current',
  };
  return { contact, known };
}

/** Rejects with `unavailable`: what a silent directory may know is not bought elsewhere. */
async function askTeam(
  { database, teamDirectory, patienceMs = sharedContactMs }: AskTeamDeps,
  { row, threshold = usualThreshold }: Pick<ContactRequest, 'row' | 'threshold'>,
): Promise<ContactAnswer> {
  const run = await teamDirectory.openRun(randomUUID(), layerCodes);
  if (!run) return { kind: 'unknown' };
  const timer = setTimeout(() => run.stop(), patienceMs);
  try {
    const rows = [rowInputFields.map((field) => row[field] ?? '')];
    const answer = await run.ask({ firstRow: 0, rows, mapping, threshold });
    if (answer.kind === 'unreachable') throw new EngineError('unavailable', answer.detail);
    if (answer.kind === 'stopped') throw new EngineError('unavailable', noWorker);
    const [result] = answer.results;
    if (!result) return { kind: 'unknown' };
    if (result.error !== null)
      throw new EngineError('upstream_error', `${result.error} Nothing was charged.`);
    const reason = matchReasons[result.reason] || 'no_match';
    if (!result.contactUuid)
      return reason === 'no_match'
        ? { kind: 'unknown' }
        : { kind: 'withheld', reason, candidates: describeCandidates(result.candidates) };
    const { contact, known } = describeContact(result);
    const list = readSuppressionList(database);
    if (namesContact(list, contact.contactUuid, known)) return suppressedContact;
    const matchedOn = matchFields.filter((_field, bit) => (result.matchedOn >> bit) & 1);
    return { kind: 'found', contact, matchedOn };
  } finally {
    clearTimeout(timer);
    void run.close(true);
  }
}

/**
 * Asks the team's directory, and the providers about a contact that it does not know. Rejects with
 * `unavailable` if the team's directory does not answer.
 */
export async function askBehindDirectory(
  deps: AskTeamDeps,
  askProviders: (request: ContactRequest) => Promise<ContactAnswer>,
  request: ContactRequest,
): Promise<ContactAnswer> {
  const answer = await askTeam(deps, request);
  return answer.kind === 'unknown' ? askProviders(request) : answer;
}

// The first step of a pipeline: identifies each contact. UUIDs and people of a search are read from
// the directory, or from the team's if only that has them. Row inputs are matched like those
// of a job, then looked up in the team's directory, and then requested from the providers. This
// step charges nothing, so a pipeline whose upstream refuses costs nothing.
import { emailStatuses, type MatchReason, matchReasons } from '../contract/jobs/job.ts';
import { pipelineBatchContactsMax } from '../contract/limits/pipelines.ts';
import type { PipelineKind } from '../contract/pipelines/pipeline.ts';
import {
  type ListedPerson,
  readPeopleByIds,
  readPeopleByUuids,
} from '../directory/read/read-people.ts';
import type { NamedContact } from '../directory/read/read-person.ts';
import { enrichBatch, type ReadyAnswers, resolveUpstream } from '../jobs/matching/enrich-batch.ts';
import { readFields } from '../jobs/results/result-fields.ts';
import { answeredText, readAnsweredContact, readTexts } from '../providers/ask-contact.ts';
import type { PersonAnswer } from '../providers/waterfall/ask-person.ts';
import type { SharedResult } from '../shared/records/describe-results.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import { namesContact } from '../suppression/suppress-rows.ts';
import { readSuppressionList, type SuppressionList } from '../suppression/suppression-list.ts';
import { advancePipeline, type PipelineRow } from './pipeline.table.ts';
import { type FoundPipelineContact, insertPipelineContacts } from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';
import { dropSubjects, readSubjects } from './pipeline-subjects.ts';

const nobody = (reason: MatchReason, error: string | null = null): FoundPipelineContact => ({
  personUuid: null,
  reason,
  error,
  facts: null,
  email: null,
  emailStatus: null,
  phone: null,
});

/** A found person, with only the requested values. */
function describeFound(
  kinds: readonly PipelineKind[],
  { uuid, firstName, lastName, ...contact }: NamedContact,
  work: { readonly title: string | null; readonly companyName: string | null },
): FoundPipelineContact {
  const email = kinds.includes('email') ? contact.email : null;
  const status = emailStatuses.find((one) => one === contact.emailStatus) ?? 'unknown';
  return {
    personUuid: uuid,
    reason: '',
    error: null,
    facts: { firstName, lastName, title: work.title, companyName: work.companyName },
    email,
    emailStatus: email === null ? null : status,
    phone: kinds.includes('phone') ? (contact.mobilePhone ?? contact.directPhone) : null,
  };
}

/** A person of the directory. A suppressed person is reported as not found. */
const describePerson = (
  kinds: readonly PipelineKind[],
  person: ListedPerson | undefined,
  whenSuppressed: MatchReason,
): FoundPipelineContact => {
  if (!person) return nobody('no_match');
  return person.suppressed ? nobody(whenSuppressed) : describeFound(kinds, person, person);
};

function describeShared(
  kinds: readonly PipelineKind[],
  { reason, contactUuid: uuid, fields, error }: SharedResult,
  list: SuppressionList,
): FoundPipelineContact {
  if (uuid === null) return nobody(matchReasons[reason] || 'no_match', error);
  const known = readFields({ fields: fields ?? '{}' });
  if (namesContact(list, uuid, known)) return nobody('suppressed');
  const person: NamedContact = {
    uuid,
    firstName: known['First name'] ?? '',
    lastName: known['Last name'] ?? '',
    email: known.Email ?? null,
    emailStatus: emailStatuses.find((one) => one === known['Email status']) ?? null,
    mobilePhone: known['Mobile phone'] ?? null,
    directPhone: known['Direct phone'] ?? null,
  };
  const companyName = known['Current company name'] ?? null;
  return describeFound(kinds, person, { title: known['Current title'] ?? null, companyName });
}

/** The answer of the providers for a row; null if they do not know the person either. */
function describeAnswer(
  kinds: readonly PipelineKind[],
  answer: PersonAnswer | undefined,
  list: SuppressionList,
): FoundPipelineContact | null {
  if (answer?.kind === 'failed') return nobody('source_error', answer.detail);
  if (answer?.kind !== 'found') return null;
  const { contactUuid, values } = answer.contact;
  if (namesContact(list, contactUuid, readTexts(values))) return nobody('suppressed');
  return describeFound(kinds, readAnsweredContact(answer.contact), {
    title: answeredText(answer.contact, 'Current title') || null,
    companyName: answeredText(answer.contact, 'Current company name') || null,
  });
}

/** People by UUID: those of the own directory, and those that only the team's directory has. */
async function readFromBoth(
  { database, readTeamPeople }: PipelineDeps,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, ListedPerson>> {
  const people = readPeopleByUuids(database, uuids);
  const missing = uuids.filter((uuid) => !people.has(uuid));
  if (missing.length > 0)
    for (const person of await readTeamPeople({ uuids: missing })) people.set(person.uuid, person);
  return people;
}

/** The next people by id or UUID. Who was deleted since the search is not found. */
async function lookUpPeople(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<FoundPipelineContact[]> {
  const subjects = readSubjects(deps.database, pipeline);
  const people: ReadonlyMap<number | string, ListedPerson> =
    pipeline.source === 'people'
      ? readPeopleByIds(deps.database, subjects as number[])
      : await readFromBoth(deps, subjects as string[]);
  return subjects.map((subject) => describePerson(pipeline.kinds, people.get(subject), 'no_match'));
}

function readBytes(folder: string, pipeline: PipelineRow, rowsMax: number): Uint8Array {
  const rows = openInput(folder, pipeline.uuid, pipeline.total);
  try {
    return rows.rangeBytes(pipeline.lookedUpTo, rowsMax);
  } finally {
    rows.close();
  }
}

/** The outcome of each row of a batch; null if a matched person has been deleted since. */
function describeRows(
  { database }: PipelineDeps,
  { kinds }: PipelineRow,
  batch: { readonly count: number; readonly personIds: Int32Array; readonly reasons: Uint8Array },
  { upstreamRows, shared }: { upstreamRows: ReadyAnswers | null; shared: readonly SharedResult[] },
): FoundPipelineContact[] | null {
  const people = readPeopleByIds(
    database,
    [...batch.personIds].filter((id) => id !== 0),
  );
  const answers = new Map(
    upstreamRows?.positions.map((position, nth) => [position, upstreamRows.answers[nth]]),
  );
  const ofTeam = new Map(shared.map((result) => [result.position, result]));
  const list = readSuppressionList(database);
  const describeOther = (at: number): FoundPipelineContact | null => {
    const result = ofTeam.get(at);
    return result?.contactUuid
      ? describeShared(kinds, result, list)
      : (describeAnswer(kinds, answers.get(at), list) ??
          (result ? describeShared(kinds, result, list) : null));
  };
  const found: FoundPipelineContact[] = [];
  for (let at = 0; at < batch.count; at += 1) {
    const id = batch.personIds[at] ?? 0;
    if (id !== 0 && !people.has(id)) return null;
    const unmatched = matchReasons[batch.reasons[at] ?? 0] || 'no_match';
    found.push(
      id === 0
        ? (describeOther(at) ?? nobody(unmatched))
        : describePerson(kinds, people.get(id), 'suppressed'),
    );
  }
  return found;
}

/**
 * The next row inputs, matched again with a newer index if a person was deleted meanwhile; null if
 * the engine is stopping, or the team's directory does not answer. Throws `upstream_error` and
 * `upstream_insufficient_credits`.
 */
async function lookUpRows(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<FoundPipelineContact[] | null> {
  const { mapping, matchThreshold } = pipeline;
  const rowsMax = Math.min(
    pipelineBatchContactsMax,
    deps.waterfall?.rowsMax ?? pipelineBatchContactsMax,
  );
  const bytes = readBytes(deps.folder, pipeline, rowsMax);
  await deps.whenGeneration(0);
  while (!deps.isStopping()) {
    const match = deps.match(bytes.slice(), mapping, matchThreshold);
    const { shared: team } = deps;
    const place = { firstRow: pipeline.lookedUpTo, mapping, threshold: matchThreshold };
    const answer = await enrichBatch(match, deps.waterfall, {
      bytes,
      mapping,
      list: readSuppressionList(deps.database),
      waitsForShared: true,
      askShared: team && ((rows) => team.ask({ ...place, rows })),
    });
    const { batch, upstreamRows, shared = [], deferred } = answer;
    if (deps.isStopping() || answer.isStopped) return null;
    // The team's directory is not reached: the pipeline waits, and its next turn asks again.
    if (deferred && deferred.size > 0) return null;
    // Unlike a job, a pipeline fails as a whole if its upstream stays unavailable.
    const ready = upstreamRows && resolveUpstream(upstreamRows, false);
    const found = describeRows(deps, pipeline, batch, { upstreamRows: ready, shared });
    if (found) return found;
    await deps.whenGeneration(deps.readGeneration());
  }
  return null;
}

/** Looks up the next contacts of a pipeline. Throws errors that fail the whole pipeline. */
export async function lookUpContacts(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<WriteBatch | null> {
  const isTable = pipeline.source === 'contacts';
  const found = await (isTable ? lookUpRows : lookUpPeople)(deps, pipeline);
  if (!found) return null;
  const { database } = deps;
  return () => {
    insertPipelineContacts(database, pipeline.id, pipeline.lookedUpTo, found);
    if (!isTable) dropSubjects(database, pipeline);
    const matched = found.filter(({ personUuid }) => personUuid !== null).length;
    advancePipeline(database, pipeline, { lookedUp: found.length, matched });
  };
}

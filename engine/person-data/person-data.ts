// Finds, exports and deletes everything about one person, in all environments of a data folder. A
// deletion is recorded with all that it erases before the first value is erased, so that it
// continues after a kill.
import { randomUUID } from 'node:crypto';
import type { AuditCalls } from '../audit/create-audit-commands.ts';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { personRoundsMax } from '../contract/limits/privacy/person-data.ts';
import type {
  PersonCandidate,
  PersonExport,
  PersonHoldings,
  PersonIdentity,
  PersonPlace,
  PersonQuery,
  PersonReceipt,
  PersonSearch,
} from '../contract/person-data/person-data.ts';
import { queueWork } from '../platform/queue-work.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { PersonDataCalls, PersonDataReads } from './change-person-data.ts';
import type { FoundEntries, FoundEntry } from './found-entry.ts';
import {
  countErased,
  type DeletionPlan,
  listOpenDeletions,
  listReceipts,
} from './person-deletion.table.ts';
import { advice, type OwnPlaceName, ownPlaces, textPlaces } from './places.ts';
import type { FoundPerson } from './read-value.ts';
import { countValues, type Subject } from './subject.ts';

interface PersonEnvironment {
  readonly name: EnvironmentName;
  readonly database: ReadableDatabase;
  readonly writer: PersonDataCalls & AuditCalls;
  readonly reader: PersonDataReads;
}

interface Deps {
  /** Opens every environment of the folder that has data; the live one is the first. */
  readonly openAll: () => Promise<readonly PersonEnvironment[]>;
  /** engine.db of the live environment. */
  readonly liveDatabase: ReadableDatabase;
  readonly now: () => Date;
}

interface Candidate extends FoundPerson {
  readonly environment: EnvironmentName;
}

/** The pick of a person who is in no directory. */
const byValue = 'value';
const pickOf = ({ person }: FoundPerson): string => person?.uuid ?? byValue;

const isSame = (one: Subject, other: Subject): boolean =>
  (['uuids', 'emails', 'profiles'] as const).some((kind) =>
    one[kind].some((value) => other[kind].includes(value)),
  );

async function findCandidates(
  environments: readonly PersonEnvironment[],
  value: string,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { name, reader } of environments)
    for (const one of await reader.findPeople({ value })) {
      const isKnown = found.some(({ subject }) => isSame(subject, one.subject));
      if (!isKnown) found.push({ ...one, environment: name });
    }
  const inDirectory = found.filter(({ person }) => person !== null);
  return inDirectory.length > 0 ? inDirectory : found.slice(0, 1);
}

type FoundEverywhere = readonly { readonly name: EnvironmentName; readonly found: FoundEntries }[];

async function findEverywhere(
  environments: readonly PersonEnvironment[],
  given: Subject,
): Promise<{ readonly subject: Subject; readonly everywhere: FoundEverywhere }> {
  let subject = given;
  // An identifier is the person's own only if no directory has it for another. A search checks its
  // own directory.
  const completeEverywhere = async () => {
    if (environments.length === 1) return;
    for (const { reader } of environments) subject = await reader.completePerson({ subject });
  };
  for (let round = 1; ; round += 1) {
    const before = countValues(subject);
    await completeEverywhere();
    const everywhere: { name: EnvironmentName; found: FoundEntries }[] = [];
    for (const { name, reader } of environments) {
      const found = await reader.findPersonEntries({ subject });
      subject = found.subject;
      everywhere.push({ name, found });
    }
    await completeEverywhere();
    if (countValues(subject) <= before || round === personRoundsMax) return { subject, everywhere };
  }
}

const placeOf = ({ place }: FoundEntry): Pick<PersonPlace, 'place' | 'treatment' | 'advice'> => {
  const own = ownPlaces[place as OwnPlaceName];
  if (own) {
    const { place: title, treatment } = own;
    return { place: title, treatment, advice: advice[place as OwnPlaceName] ?? '' };
  }
  const text = textPlaces.find(({ table }) => table === place);
  if (!text) throw new Error(`${place} is not a place`);
  const treatment = text.isDeleted ? 'deleted' : 'anonymised';
  return { place: text.place, treatment, advice: '' };
};

function countPlaces(everywhere: FoundEverywhere): PersonPlace[] {
  const places = new Map<string, PersonPlace>();
  for (const { name, found } of everywhere)
    for (const entry of found.entries) {
      const key = `${name} ${entry.place}`;
      const known = places.get(key) ?? { environment: name, entries: 0, ...placeOf(entry) };
      places.set(key, { ...known, entries: known.entries + 1 });
    }
  return [...places.values()];
}

const describeSubject = (subject: Subject): PersonIdentity => ({
  names: subject.names.map(({ first, last }) => `${first} ${last}`),
  emails: [...subject.emails],
  phones: [...subject.phones],
  profile_urls: [...subject.profiles],
  employers: [...subject.employers],
  ids: [...subject.uuids],
});

function presentHoldings(subject: Subject, everywhere: FoundEverywhere): PersonHoldings {
  const places = countPlaces(everywhere);
  return { person: describeSubject(subject), total: countErased(places), places };
}

const presentCandidate = (candidate: Candidate): PersonCandidate => ({
  pick: pickOf(candidate),
  name: `${candidate.person?.firstName ?? ''} ${candidate.person?.lastName ?? ''}`.trim(),
  title: candidate.person?.title ?? '',
  employer: candidate.person?.employer ?? '',
  environment: candidate.environment,
});

const openWork: readonly (readonly [sql: string, one: string, many: string])[] = [
  ["job WHERE status IN ('queued', 'running')", 'job', 'jobs'],
  ['pipeline WHERE completed_at IS NULL', 'pipeline', 'pipelines'],
  ['email_validation WHERE completed_at IS NULL', 'email validation', 'email validations'],
  [
    'provider_request WHERE ended_at IS NULL',
    'request to a data service',
    'requests to data services',
  ],
];

/** Throws `not_ready` while work runs, because it may write what is deleted. */
function requireNoWork(environments: readonly PersonEnvironment[]): void {
  const running = environments.flatMap(({ name, database }) =>
    openWork.flatMap(([sql, one, many]) => {
      const { count = 0 } =
        statement<{ count: number }>(database, `SELECT count(*) AS count FROM ${sql}`).get() ?? {};
      if (count === 0) return [];
      return `${count} ${count === 1 ? one : many}${name === 'staging' ? ' in staging' : ''}`;
    }),
  );
  if (running.length > 0)
    throw new EngineError(
      'not_ready',
      `Nothing was deleted, because work is running: ${running.join(', ')}. Wait until it has ` +
        'ended, or cancel it. Then delete the person again.',
    );
}

export interface PersonData {
  search(query: PersonQuery): Promise<PersonSearch>;
  /** Throws `validation_error` if several people match, and `not_found` if no one does. */
  exportAll(query: PersonQuery): Promise<PersonExport>;
  /**
   * Deletes a person. Throws what `exportAll` throws, and `not_ready` while work runs.
   * @returns the receipt, once no byte of the values is left
   */
  deletePerson(
    query: PersonQuery,
    by: {
      readonly author: string;
      readonly source: 'app' | 'command_line';
      readonly suppress: boolean;
    },
  ): Promise<PersonReceipt>;
  continueDeletions(): Promise<void>;
}

async function pickOne(
  environments: readonly PersonEnvironment[],
  { value, pick }: PersonQuery,
): Promise<{ readonly candidates: Candidate[]; readonly picked: Candidate | undefined }> {
  const candidates = await findCandidates(environments, value);
  const picked =
    pick === undefined && candidates.length === 1
      ? candidates[0]
      : candidates.find((candidate) => pickOf(candidate) === pick);
  if (pick !== undefined && !picked)
    throw notFound('The picked person does not match the value. Search again.');
  return { candidates, picked };
}

async function requireOne(
  environments: readonly PersonEnvironment[],
  query: PersonQuery,
): Promise<Candidate> {
  const { candidates, picked } = await pickOne(environments, query);
  if (picked) return picked;
  throw candidates.length === 0
    ? notFound('No person in the directory has this name. Give an email, or "Name | Employer".')
    : invalid(
        `${candidates.length} people match. Pick one of them: ` +
          `${candidates.map(pickOf).join(', ')}.`,
      );
}

async function erase(
  environments: readonly PersonEnvironment[],
  { subject, entries }: DeletionPlan,
): Promise<void> {
  for (const { name, reader, writer } of environments) {
    await writer.erasePerson({ subject, entries: entries[name] ?? [] });
    await reader.erasePeople({ subject });
  }
  for (let round = 1; round <= personRoundsMax; round += 1) {
    let isClean = true;
    for (const { reader, writer } of environments) {
      const found = (await reader.findPersonEntries({ subject })).entries.filter(
        (entry) => placeOf(entry).treatment !== 'kept',
      );
      if (found.length === 0) continue;
      isClean = false;
      await writer.erasePerson({
        subject,
        entries: found.map(({ place, key }) => ({ place, key })),
      });
      await reader.erasePeople({ subject });
    }
    if (isClean) return;
  }
}

const keysOf = ({ entries }: FoundEntries) =>
  entries
    .filter((entry) => placeOf(entry).treatment !== 'kept')
    .map(({ place, key }) => ({ place, key }));

async function finish(
  environments: readonly PersonEnvironment[],
  { uuid, plan }: { readonly uuid: string; readonly plan: DeletionPlan | null },
): Promise<void> {
  const live = environments[0];
  if (!live) throw new Error('there is no environment');
  if (plan) await erase(environments, plan);
  await live.writer.noteErased({ uuid });
  for (const { writer } of environments) await writer.scrubStore(null);
  await live.writer.endDeletion({ uuid });
}

/** Creates the requests. Deletions run one after the other. */
export function createPersonData({ openAll, liveDatabase, now }: Deps): PersonData {
  const enqueue = queueWork();
  const finishOpen = async (environments: readonly PersonEnvironment[]) => {
    for (const deletion of listOpenDeletions(liveDatabase)) await finish(environments, deletion);
  };
  return {
    async search(query) {
      const environments = await openAll();
      const { candidates, picked } = await pickOne(environments, query);
      const found = picked && (await findEverywhere(environments, picked.subject));
      return {
        candidates: candidates.map(presentCandidate),
        held: found ? presentHoldings(found.subject, found.everywhere) : null,
      };
    },
    async exportAll(query) {
      const environments = await openAll();
      const picked = await requireOne(environments, query);
      const { subject, everywhere } = await findEverywhere(environments, picked.subject);
      const entries = everywhere.flatMap(({ name, found }) =>
        found.entries.map((entry) => ({
          environment: name,
          place: placeOf(entry).place,
          record: entry.record,
          values: { ...entry.values },
        })),
      );
      // The log does not say whose data it is.
      const note = { action: 'person_exported', accountId: null, rows: entries.length } as const;
      await environments[0]?.writer.noteAudit(note);
      const exported_at = now().toISOString();
      return { exported_at, ...presentHoldings(subject, everywhere), entries };
    },
    deletePerson: (query, { author, source, suppress }) =>
      enqueue(async () => {
        const environments = await openAll();
        const picked = await requireOne(environments, query);
        requireNoWork(environments);
        await finishOpen(environments);
        const { subject, everywhere } = await findEverywhere(environments, picked.subject);
        const uuid = randomUUID();
        const entries = Object.fromEntries(
          everywhere.map(({ name, found }) => [name, keysOf(found)]),
        );
        const plan: DeletionPlan = { subject, entries };
        const places = countPlaces(everywhere);
        const deletion = { uuid, plan, places, author, source, suppress };
        await environments[0]?.writer.planDeletion(deletion);
        await finish(environments, { uuid, plan });
        const receipt = listReceipts(liveDatabase, null).find((one) => one.receipt_id === uuid);
        if (!receipt) throw new Error(`receipt ${uuid} vanished`);
        return receipt;
      }),
    continueDeletions: () =>
      enqueue(async () => {
        if (listOpenDeletions(liveDatabase).length > 0) await finishOpen(await openAll());
      }),
  };
}

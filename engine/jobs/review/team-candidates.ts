// Candidates of the team's directory: the evidence for and against them, and the results of rows
// for which one is chosen. Their records are read when they are needed, and not kept.
import type { Pick as ReviewPick } from '../../contract/jobs/review.ts';
import { buildIndex } from '../../directory/index/index-build.ts';
import { openIndex } from '../../directory/index/index-layout.ts';
import { createNameComparer, type NameVerdicts } from '../../directory/match/compare-names.ts';
import {
  createProjection,
  findCandidateFit,
  vanishedStatus,
} from '../../directory/read/projection.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { TeamDirectory } from '../../shared/settings/team-directory.ts';
import type { JobRow } from '../job.table.ts';
import { readResults } from '../results/result.table.ts';
import { batchOf, type Projected } from './chosen-candidate.ts';
import { type KnownContact, readKnownContact } from './compare-contact.ts';

export type TeamPeople = Pick<TeamDirectory, 'openPeople'>;

export interface TeamPair {
  readonly uuid: string;
  readonly first: string;
  readonly last: string;
}

export interface TeamEvidence {
  readonly known: KnownContact;
  readonly names: NameVerdicts | null;
}

/**
 * Reads what the team's directory has of candidates, in the order of the pairs. Null for a person
 * who is not in it any more, or is suppressed. Rejects with `unavailable` if it cannot be reached.
 */
export async function readTeamEvidence(
  team: TeamPeople,
  pairs: readonly TeamPair[],
): Promise<(TeamEvidence | null)[]> {
  const people = await team.openPeople([...new Set(pairs.map(({ uuid }) => uuid))]);
  try {
    const compare = createNameComparer(openIndex(buildIndex(people.database).buffer));
    return pairs.map(({ uuid, first, last }) => {
      const known = readKnownContact(people.database, uuid);
      return known && { known, names: compare({ first, last, personId: known.id }) };
    });
  } finally {
    people.close();
  }
}

export type TeamPicks = ReadonlyMap<number, Projected>;

/**
 * Reads the results of the picks that choose someone of the team's directory; someone who is gone
 * or suppressed is left out. Rejects with `unavailable` if it cannot be reached.
 */
export async function projectTeamPicks(
  store: ReadableDatabase,
  team: TeamPeople,
  { resultBase, codes }: JobRow,
  picks: readonly ReviewPick[],
): Promise<TeamPicks> {
  const chosen = picks.flatMap((pick) => {
    if ('undo' in pick || pick.contact_uuid === null) return [];
    const { row_index: firstRow, contact_uuid: uuid } = pick;
    const [record] = readResults(store, { resultBase, firstRow, count: 1 });
    const fit = findCandidateFit(record?.candidates ?? null, uuid);
    return fit?.isShared ? [{ rowIndex: firstRow, uuid, fit }] : [];
  });
  if (chosen.length === 0) return new Map();
  const people = await team.openPeople(
    chosen.map(({ uuid }) => uuid),
    chosen.map(({ fit }) => fit.companyId),
  );
  try {
    const { database, companyOf } = people;
    const projection = createProjection(database, { schema: 'main', layers: codes });
    const find = statement<{ id: number }>(database, 'SELECT id FROM person WHERE uuid = ?');
    return new Map(
      chosen.flatMap(({ rowIndex, uuid, fit }) => {
        const person = find.get(uuid);
        if (!person) return [];
        projection.load(batchOf(person.id, { ...fit, companyId: companyOf(fit.companyId) }), 0);
        const found = statement<Projected>(database, projection.selectSql).get();
        if (!found || found.status === vanishedStatus || found.contact_uuid === null) return [];
        return [[rowIndex, found] as const];
      }),
    );
  } finally {
    people.close();
  }
}

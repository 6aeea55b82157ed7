// The table `pipeline_subjects`: whom a pipeline is about, where that is not a table of the
// caller's. A batch goes when it is looked up, and the rest when the pipeline ends.
import { pipelineBatchContactsMax } from '../contract/limits/pipelines.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** How far a pipeline is with looking up. */
interface LookUpPlace {
  readonly id: number;
  readonly lookedUpTo: number;
}

/** Keeps whom a pipeline is about, ids of people or UUIDs, in batches. */
export function insertSubjects(
  database: WritableDatabase,
  pipelineId: number,
  subjects: readonly (number | string)[],
): void {
  for (let first = 0; first < subjects.length; first += pipelineBatchContactsMax)
    statement(database, 'INSERT INTO pipeline_subjects VALUES (?, ?, ?)').run(
      pipelineId,
      first,
      JSON.stringify(subjects.slice(first, first + pipelineBatchContactsMax)),
    );
}

/** The next that are to be looked up, as many as a batch has. Throws 'subjects_gone'. */
export function readSubjects(
  database: ReadableDatabase,
  { id, lookedUpTo }: LookUpPlace,
): (number | string)[] {
  const found = statement<{ subjects: string }>(
    database,
    'SELECT subjects FROM pipeline_subjects WHERE pipeline_id = ? AND first_position = ?',
  ).get(id, lookedUpTo);
  if (!found) throw new Error('subjects_gone');
  return JSON.parse(found.subjects);
}

/** Forgets a batch that was looked up. */
export const dropSubjects = (database: WritableDatabase, { id, lookedUpTo }: LookUpPlace): void =>
  void statement(
    database,
    'DELETE FROM pipeline_subjects WHERE pipeline_id = ? AND first_position = ?',
  ).run(id, lookedUpTo);

/** Forgets whom nobody will look up any longer. */
export const dropAllSubjects = (database: WritableDatabase, pipelineId: number): void =>
  void statement(database, 'DELETE FROM pipeline_subjects WHERE pipeline_id = ?').run(pipelineId);

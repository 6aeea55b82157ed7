// The table `pipeline_subjects`: the people of a pipeline, unless they are a table of the caller. A
// batch is deleted when it has been looked up, the rest when the pipeline ends.
import { pipelineBatchContactsMax } from '../contract/limits/pipelines.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

interface LookUpPlace {
  readonly id: number;
  readonly lookedUpTo: number;
}

/** Stores the people of a pipeline, by id or UUID, in batches. */
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

/** The next people to look up, up to the size of a batch. Throws 'subjects_gone'. */
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

export const dropSubjects = (database: WritableDatabase, { id, lookedUpTo }: LookUpPlace): void =>
  void statement(
    database,
    'DELETE FROM pipeline_subjects WHERE pipeline_id = ? AND first_position = ?',
  ).run(id, lookedUpTo);

export const dropAllSubjects = (database: WritableDatabase, pipelineId: number): void =>
  void statement(database, 'DELETE FROM pipeline_subjects WHERE pipeline_id = ?').run(pipelineId);

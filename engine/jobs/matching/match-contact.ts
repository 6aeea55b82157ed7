// Identifies the person of one row: a batch of one, with the matcher and projection of jobs.
import {
  type Candidate,
  type MatchField,
  type MatchReason,
  matchFields,
  matchReasons,
} from '../../contract/jobs/job.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import type { ProviderRow } from '../../contract/provider.ts';
import { createProjection, describeCandidates } from '../../directory/read/projection.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../../providers/directory-provider.ts';
import { formatRecords } from '../../spreadsheet/format-record.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';

export interface ContactMatch {
  /** null if no person was accepted. */
  readonly personUuid: string | null;
  /** 0 to 1; 0 if no person was accepted. */
  readonly confidence: number;
  readonly matchedOn: readonly MatchField[];
  /** '' if a person was accepted. */
  readonly reason: MatchReason;
  readonly candidates: readonly Candidate[];
}

interface Projected {
  readonly reason: number;
  readonly contact_uuid: string | null;
  readonly confidence: number;
  readonly matched_on: number;
  readonly candidates: string | null;
}

const suppressedMatch: ContactMatch = {
  personUuid: null,
  confidence: 0,
  matchedOn: [],
  reason: 'suppressed',
  candidates: [],
};

const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));

/**
 * Matches one row. A person who was deleted after the index was built does not match.
 * @param directory a connection to directory.db; only its temporary tables are written
 */
export function matchContact(
  directory: ReadableDatabase,
  provider: DirectoryProvider,
  row: ProviderRow,
  threshold: number,
  list: SuppressionList,
): ContactMatch {
  if (list.namesAny(row)) return suppressedMatch;
  const cells = rowInputFields.map((field) => row[field] ?? '');
  const batch = provider.answer(formatRecords([cells]), mapping, threshold);
  const projection = createProjection(directory, { schema: 'main', layers: ['L1'] });
  projection.load(batch, 0);
  const found = directory.prepare(projection.selectSql).get() as Projected | undefined;
  const uuid = found?.contact_uuid ?? null;
  return {
    personUuid: uuid,
    confidence: uuid === null ? 0 : (found?.confidence ?? 0),
    matchedOn: matchFields.filter((_field, bit) => ((found?.matched_on ?? 0) >> bit) & 1),
    reason: uuid === null ? matchReasons[found?.reason ?? 0] || 'no_match' : '',
    candidates: describeCandidates(found?.candidates ?? null),
  };
}

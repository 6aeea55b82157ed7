/** What a job spent at each of the user's providers, and which ones it stopped asking. */
import type { JobProviders } from '../contract/providers.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { listNotes } from '../providers/waterfall/provider-note.table.ts';
import { listJobSpending } from '../providers/waterfall/provider-request.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';

/** The providers of a job, by id. A provider that was skipped before any request is included. */
export function presentJobProviders(database: ReadableDatabase, jobId: number): JobProviders {
  const spending = listJobSpending(database, jobId);
  const notes = new Map(listNotes(database, jobId).map((note) => [note.provider, note.detail]));
  const ids = [...new Set([...spending.map(({ provider }) => provider), ...notes.keys()])].sort();
  return ids.map((id) => {
    const own = spending.find(({ provider }) => provider === id);
    return {
      provider: id,
      requests: own?.requests ?? 0,
      rows: own?.rows ?? 0,
      credits: toCredits(own?.costUnits ?? 0),
      is_estimated: own?.isEstimated === 1,
      credits_open: toCredits(own?.openUnits ?? 0),
      uncertain_requests: own?.uncertain ?? 0,
      note: notes.get(id) ?? null,
    };
  });
}

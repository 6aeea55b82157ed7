// Answers the calls about the suppression list. A change is answered once all reads honour it.
import { invalid } from '../contract/errors.ts';
import {
  type GivenValue,
  type SuppressionEntry,
  suppression,
} from '../contract/suppression/suppression.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { type Call, serve } from '../http/serve.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readGiven, type SuppressionCalls } from './change-suppressions.ts';
import { countHidden, listOptedOut } from './hidden-people.ts';
import { countEntries, findEntries, listEntries } from './suppression.table.ts';
import { listCoveringKeys } from './value-keys.ts';

/** The entries that cover a value. Throws `validation_error` if the value cannot be read. */
function checkValue(
  database: ReadableDatabase,
  given: GivenValue,
): { value: string; suppressed: boolean; entries: SuppressionEntry[] } {
  const read = readGiven(given);
  if (typeof read === 'string') throw invalid(read);
  const entries = findEntries(database, listCoveringKeys(read.kind, read.key));
  return { value: given.value, suppressed: entries.length > 0, entries };
}

interface SuppressionRouteDeps extends RouteDepsWith<SuppressionCalls> {
  readonly applySuppressions: () => Promise<void>;
}

export function addSuppressionRoutes(server: ApiServer, context: SuppressionRouteDeps): void {
  const { environment, isLocal } = context;
  const applied = async <Report>(change: () => Promise<Report>) => {
    const before = countHidden(environment.directoryDatabase);
    const report = await change();
    await context.applySuppressions();
    const hidden = countHidden(environment.directoryDatabase);
    return {
      ...report,
      ...hidden,
      people_before: before.people,
      companies_before: before.companies,
    };
  };
  const signed = ({ request, caller }: Call) => ({
    source: isLocal(request.raw) ? ('command_line' as const) : ('app' as const),
    author: caller.account.name,
  });
  serve(server, context, suppression, {
    list(query) {
      const entries = listEntries(environment.database, { ...query, limit: query.limit + 1 });
      const shown = entries.slice(0, query.limit);
      const next = entries.length > query.limit ? (shown.at(-1)?.id ?? null) : null;
      return { entries: shown, total: countEntries(environment.database), next };
    },
    add: ({ values, reason }, call) =>
      applied(() => environment.writer.suppress({ values, reason, ...signed(call) })),
    addOptOuts(_given, call) {
      const values = listOptedOut(environment.directoryDatabase);
      const reason = 'opted out in an imported list';
      return applied(() => environment.writer.suppress({ values, reason, ...signed(call) }));
    },
    async importList({ upload_id, kind, reason }, call) {
      const { upload, input } = await context.uploads.find(upload_id);
      const table = { dir: input.dir, headerLine: upload.reading.header_line };
      const { author } = signed(call);
      const order = { table, kind, reason, source: 'csv', author } as const;
      try {
        return await applied(() => environment.writer.importSuppressions(order));
      } finally {
        await context.uploads.remove(upload_id);
      }
    },
    remove: ({ ids = [], job_id: job }) =>
      applied(async () => ({
        removed: await environment.writer.removeSuppressions(job ? { job } : { ids }),
      })),
    check: ({ values }) => values.map((given) => checkValue(environment.database, given)),
  });
}

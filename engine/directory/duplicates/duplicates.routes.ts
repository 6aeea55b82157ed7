/**
 * Answers the calls about duplicates, searches for them and merges. A merge is answered once every
 * read follows it; the indexes are built afterwards.
 */
import { duplicates } from '../../contract/duplicates/duplicates.ts';
import { EngineError } from '../../contract/errors.ts';
import { whenClientLeaves } from '../../http/client-presence.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import { readGeneration } from '../open-directory.ts';
import type { DuplicateRouteDeps } from '../route-deps.ts';
import { getSearch, presentSearch } from './duplicate-search.table.ts';
import { listMerges, presentMergeById } from './merge.table.ts';
import { orderPair, readDuplicate, readDuplicates, requirePair } from './read-duplicates.ts';

export function addDuplicateRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  const { environment } = context;
  const { reader } = environment;
  const presentNow = () => {
    const db = environment.directoryDatabase;
    return presentSearch(getSearch(db), readGeneration(db), reader.isSearchingDuplicates());
  };
  const setDismissed = async (pairId: number, isDismissed: boolean, author: string) => {
    requirePair(environment.directoryDatabase, pairId);
    await reader.dismissDuplicate({ pairId, isDismissed, author });
    return readDuplicate(environment.directoryDatabase, pairId, undefined);
  };
  serve(server, context, duplicates, {
    async search({ wait, ...body }, { request, reply }) {
      if (wait === '1') {
        await context.tasks.run(reader.searchDuplicates(body, whenClientLeaves(request)));
        reply.code(200);
        return presentNow();
      }
      const search = reader.searchDuplicates(body);
      // A refusal, such as a search that already runs, is known at once.
      const begun = new Promise<void>((resolve) => setImmediate(resolve));
      await Promise.race([search, begun]);
      search
        .catch((error: unknown) => {
          if (!(error instanceof EngineError))
            reply.log.error(error, 'a search for duplicates failed');
        })
        .finally(() => context.events.publish({ type: 'duplicates' }, null));
      return presentNow();
    },
    stopSearch() {
      reader.stopDuplicateSearch();
      return presentNow();
    },
    list: (query) =>
      readDuplicates(environment.directoryDatabase, query, reader.isSearchingDuplicates()),
    read: ({ id, survivor }) => readDuplicate(environment.directoryDatabase, id, survivor),
    async merge({ id, survivor, choices }, { caller }) {
      const db = environment.directoryDatabase;
      const { kind, own, other } = orderPair(db, requirePair(db, id), survivor);
      const mergeId = await reader.mergeRecords({
        kind,
        survivor: String(own.uuid),
        other: String(other.uuid),
        choices,
        acrossLegalForms: false,
        author: caller.account.name,
      });
      return presentMergeById(db, mergeId);
    },
    dismiss: ({ id }, { caller }) => setDismissed(id, true, caller.account.name),
    reopen: ({ id }, { caller }) => setDismissed(id, false, caller.account.name),
    merges: (query) => listMerges(environment.directoryDatabase, query),
    async mergeByHand(given, { caller }) {
      const { across_legal_forms: acrossLegalForms, ...records } = given;
      const author = caller.account.name;
      const mergeId = await reader.mergeRecords({ ...records, acrossLegalForms, author });
      return presentMergeById(environment.directoryDatabase, mergeId);
    },
    async undoMerge({ id: mergeId }, { caller }) {
      await reader.undoMerge({ mergeId, author: caller.account.name });
      return presentMergeById(environment.directoryDatabase, mergeId);
    },
  });
}

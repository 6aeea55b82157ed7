/**
 * Routes /app/v1/duplicates, /duplicate-searches and /duplicate-merges. A merge is answered once
 * every read follows it; the indexes are built afterwards.
 */
import type { FastifyRequest } from 'fastify';
import {
  DuplicateDetailQuerySchema,
  DuplicateDetailSchema,
  DuplicateParamsSchema,
  DuplicateSearchSchema,
  DuplicatesPageSchema,
  DuplicatesQuerySchema,
  MergeByHandSchema,
  MergePairSchema,
  MergeParamsSchema,
  MergesPageSchema,
  MergesQuerySchema,
  RecordMergeSchema,
  SearchDuplicatesSchema,
} from '../../contract/duplicates/duplicates.ts';
import { EngineError } from '../../contract/errors.ts';
import { WaitQuerySchema } from '../../contract/imports.ts';
import { whenClientLeaves } from '../../http/client-presence.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { readGeneration } from '../open-directory.ts';
import type { DuplicateRouteDeps } from '../route-deps.ts';
import { getSearch, presentSearch } from './duplicate-search.table.ts';
import { listMerges, presentMergeById } from './merge.table.ts';
import { orderPair, readDuplicate, readDuplicates, requirePair } from './read-duplicates.ts';

const authorOf = (request: FastifyRequest) => callerOf(request).account.name;

function addSearchRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  const { reader } = context.environment;
  const presentNow = () => {
    const db = context.environment.directoryDatabase;
    return presentSearch(getSearch(db), readGeneration(db), reader.isSearchingDuplicates());
  };
  const response = answersOf(DuplicateSearchSchema);
  server.post(
    '/duplicate-searches',
    {
      schema: {
        querystring: WaitQuerySchema,
        body: SearchDuplicatesSchema,
        response: { ...response, 202: answersOf(DuplicateSearchSchema, 202)[202] },
      },
    },
    async (request, reply) => {
      if (request.query.wait === '1') {
        const search = reader.searchDuplicates(request.body, whenClientLeaves(request));
        await context.tasks.run(search);
        return reply.code(200).send(success(presentNow()));
      }
      const search = reader.searchDuplicates(request.body);
      // A refusal, such as a search that already runs, is known at once.
      const begun = new Promise<void>((resolve) => setImmediate(resolve));
      await Promise.race([search, begun]);
      search
        .catch((error: unknown) => {
          if (!(error instanceof EngineError))
            reply.log.error(error, 'a search for duplicates failed');
        })
        .finally(() => context.events.publish({ type: 'duplicates' }, null));
      return reply.code(202).send(success(presentNow()));
    },
  );
  server.post('/duplicate-searches/stop', { schema: { response } }, async () => {
    reader.stopDuplicateSearch();
    return success(presentNow());
  });
}

function addPairRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  const { environment } = context;
  const { reader } = environment;
  server.get(
    '/duplicates',
    { schema: { querystring: DuplicatesQuerySchema, response: answersOf(DuplicatesPageSchema) } },
    async ({ query }) =>
      success(readDuplicates(environment.directoryDatabase, query, reader.isSearchingDuplicates())),
  );
  server.get(
    '/duplicates/:duplicate_id',
    {
      schema: {
        params: DuplicateParamsSchema,
        querystring: DuplicateDetailQuerySchema,
        response: answersOf(DuplicateDetailSchema),
      },
    },
    async ({ params, query }) =>
      success(readDuplicate(environment.directoryDatabase, params.duplicate_id, query.survivor)),
  );
  server.post(
    '/duplicates/:duplicate_id/merge',
    {
      schema: {
        params: DuplicateParamsSchema,
        body: MergePairSchema,
        response: answersOf(RecordMergeSchema),
      },
    },
    async (request) => {
      const db = environment.directoryDatabase;
      const { survivor, choices } = request.body;
      const row = requirePair(db, request.params.duplicate_id);
      const { kind, own, other } = orderPair(db, row, survivor);
      const mergeId = await reader.mergeRecords({
        kind,
        survivor: String(own.uuid),
        other: String(other.uuid),
        choices,
        acrossLegalForms: false,
        author: authorOf(request),
      });
      return success(presentMergeById(db, mergeId));
    },
  );
  for (const [action, isDismissed] of [
    ['dismiss', true],
    ['reopen', false],
  ] as const)
    server.post(
      `/duplicates/:duplicate_id/${action}`,
      { schema: { params: DuplicateParamsSchema, response: answersOf(DuplicateDetailSchema) } },
      async (request) => {
        const pairId = request.params.duplicate_id;
        requirePair(environment.directoryDatabase, pairId);
        await reader.dismissDuplicate({ pairId, isDismissed, author: authorOf(request) });
        return success(readDuplicate(environment.directoryDatabase, pairId, undefined));
      },
    );
}

function addMergeRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  const { environment } = context;
  const { reader } = environment;
  server.get(
    '/duplicate-merges',
    { schema: { querystring: MergesQuerySchema, response: answersOf(MergesPageSchema) } },
    async ({ query }) => success(listMerges(environment.directoryDatabase, query)),
  );
  server.post(
    '/duplicate-merges',
    { schema: { body: MergeByHandSchema, response: answersOf(RecordMergeSchema) } },
    async (request) => {
      const { across_legal_forms: acrossLegalForms, ...records } = request.body;
      const author = authorOf(request);
      const mergeId = await reader.mergeRecords({ ...records, acrossLegalForms, author });
      return success(presentMergeById(environment.directoryDatabase, mergeId));
    },
  );
  server.post(
    '/duplicate-merges/:merge_id/undo',
    { schema: { params: MergeParamsSchema, response: answersOf(RecordMergeSchema) } },
    async (request) => {
      const mergeId = request.params.merge_id;
      await reader.undoMerge({ mergeId, author: authorOf(request) });
      return success(presentMergeById(environment.directoryDatabase, mergeId));
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addDuplicateRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  addSearchRoutes(server, context);
  addPairRoutes(server, context);
  addMergeRoutes(server, context);
}

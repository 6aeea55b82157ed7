// Answers the calls about pipelines of a search, row inputs or an upload.
import type { FastifyRequest } from 'fastify';
import { creditUnits } from '../contract/credits.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import { pipelineContactsMax } from '../contract/limits/pipelines.ts';
import {
  type NewAppPipeline,
  type PipelineGridPage,
  pipelines,
} from '../contract/pipelines/app-pipelines.ts';
import { type NewPipeline, pipelineKinds } from '../contract/pipelines/pipeline.ts';
import type { WantedPeople } from '../contract/records/record-search.ts';
import type { SearchedDirectory } from '../contract/search.ts';
import { readPeopleByUuids } from '../directory/read/read-people.ts';
import type { SearchCalls } from '../directory/search/search-directory.ts';
import { idempotencyOf, spenderOf, spendingOf } from '../http/approval-origin.ts';
import { fingerprintOf, takeTable } from '../http/bodies/received-body.ts';
import { linkPages } from '../http/page-links.ts';
import type {
  ApiServer,
  ExportTickets,
  RouteDepsWith,
  RouteEnvironment,
} from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { serve } from '../http/serve.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { sampleList } from '../spreadsheet/sample-rows.ts';
import { readHiddenRows } from '../suppression/hidden-rows.ts';
import { priceValidation } from '../validations/validate-emails.ts';
import { countOtherOpen, listPipelines, type PipelineRow } from './pipeline.table.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';
import { presentProgress } from './present-progress.ts';
import { describeKnown } from './preview-pipeline.ts';
import { pricePipeline } from './price-pipeline.ts';
import { namePipelineExport } from './results/export-pipeline.ts';
import type { PipelineExport } from './results/pipeline-export.ts';
import { readPipelinePage, requireCompletedPipeline, showCells } from './results/read-pipeline.ts';
import type {
  PipelineAnswer,
  PipelineCalls,
  PipelineReads,
  PipelineSubject,
} from './start-pipeline.ts';

type Writer = PipelineCalls & Pick<SharedCalls, 'readTeamPeople' | 'findTeamPeople'>;
type Base = RouteDepsWith<Writer, PipelineReads & ExportCalls<PipelineExport>>;

interface PipelineRouteDeps extends Base {
  readonly environment: Base['environment'] & { readonly search: SearchCalls };
  readonly tickets: ExportTickets<PipelineExport>;
}

type NamedSubject = Pick<NewPipeline, 'contacts' | 'uuids'> & {
  readonly filters?:
    | (WantedPeople & {
        readonly limit: number;
        readonly directory?: SearchedDirectory | undefined;
      })
    | undefined;
};
type RequestedPipeline = Pick<NewPipeline, 'title' | 'unlock' | 'verify_emails'> &
  Partial<NamedSubject>;

/** The description of a pipeline in an approval: a list is shown by its length. */
const summarizePipeline = ({ title, unlock, verify_emails, ...subject }: RequestedPipeline) => ({
  ...(title && { title }),
  unlock,
  verify_emails,
  ...(subject.filters && { filters: subject.filters }),
  ...(subject.uuids && { uuids: subject.uuids.length }),
  ...(subject.contacts && { contacts: subject.contacts.length }),
});

/**
 * Passes the contacts of a pipeline to `use`. Row inputs are in a folder that is removed
 * afterwards. A search throws `not_ready` and `validation_error`.
 */
async function withSubject<Result>(
  { uploads, environment }: PipelineRouteDeps,
  { contacts, uuids = [], filters }: NamedSubject,
  use: (subject: PipelineSubject) => Promise<Result>,
): Promise<Result> {
  if (contacts) {
    const { mapping, ...rows } = takeTable(contacts, 'contacts');
    return uploads.withRows(rows, (input) => use({ source: 'contacts', input, mapping }));
  }
  if (!filters) return use({ source: 'uuids', uuids });
  const { limit, directory, ...wanted } = filters;
  const named = (error: unknown): never => {
    if (!(error instanceof EngineError) || error.code !== 'validation_error') throw error;
    // The search does not know the path of its filters in this body.
    throw new EngineError(error.code, `filters.${error.detail}`);
  };
  if (directory === 'team') {
    const found = await environment.writer.findTeamPeople({ wanted, limit }).catch(named);
    return use({ source: 'uuids', uuids: found });
  }
  const { personIds } = await environment.search.contactIds({ wanted, limit }).catch(named);
  return use({ source: 'people', personIds });
}

/**
 * Starts a pipeline for the caller of a request. A repeat with the same Idempotency-Key must have
 * the same body. Throws every refusal of the writer's `startPipeline`.
 */
function startRequestedPipeline(
  { environment }: PipelineRouteDeps,
  request: FastifyRequest,
  body: RequestedPipeline,
  subject: PipelineSubject,
): Promise<PipelineAnswer> {
  // The fingerprint has the filters, not their result, which may differ in a repeat.
  const fingerprint = fingerprintOf(request.body as object);
  return environment.writer.startPipeline({
    ...spendingOf(request, 'POST /api/v1/pipeline/', summarizePipeline(body)),
    title: body.title ?? '',
    kinds: pipelineKinds.filter((kind) => body.unlock.includes(kind)),
    verifyEmails: body.verify_emails,
    idempotency: idempotencyOf(request),
    subject,
    fingerprint,
  });
}

function readPipelineGrid(
  { database, directoryDatabase, folder }: RouteEnvironment,
  pipeline: PipelineRow,
  page: { readonly limit: number; readonly offset: number },
): PipelineGridPage {
  const contacts = readPipelinePage(database, directoryDatabase, folder, pipeline, page);
  const head = { count: pipeline.total, offset: page.offset };
  if (pipeline.source !== 'contacts')
    return { headers: [], ...head, rows: contacts.map((contact) => ({ input: [], contact })) };
  const table = openInput(folder, pipeline.uuid, pipeline.total);
  try {
    const inputs = table.readRange(page.offset, page.limit);
    const hidden = readHiddenRows(database, directoryDatabase);
    const rows = contacts.map((contact, nth) => ({
      input: showCells(hidden, pipeline, contact, inputs[nth] ?? []),
      contact,
    }));
    return { headers: table.headers, ...head, rows };
  } finally {
    table.close();
  }
}

/** The rows of an upload within a pipeline's limit. Throws `not_found`, `validation_error`. */
async function findUpload(
  { uploads }: PipelineRouteDeps,
  { upload_id, mapping: requestedMapping }: Pick<NewAppPipeline, 'upload_id' | 'mapping'>,
): Promise<PipelineSubject> {
  const { upload, input } = await uploads.find(upload_id ?? '');
  const mapping = requestedMapping ?? upload.mapping;
  checkColumnMapping(input.headers, mapping);
  if (input.rowCount > pipelineContactsMax)
    throw invalid(
      `${upload.file_name} has ${input.rowCount} rows. A pipeline can have at most ` +
        `${pipelineContactsMax}. Split the list.`,
    );
  return { source: 'contacts', input, mapping };
}

/** Passes the contacts of a body to `use`. Throws also what a search refuses. */
async function withPeople<Result>(
  context: PipelineRouteDeps,
  body: Omit<NewAppPipeline, 'title'>,
  use: (subject: PipelineSubject) => Promise<Result>,
): Promise<Result> {
  const { filters, uuids } = body;
  if (filters || uuids) return withSubject(context, { filters, uuids }, use);
  return use(await findUpload(context, body));
}

/** The subject of a dry run, with those of its sample that only the team's directory has. */
async function addTeamContacts(
  { directoryDatabase, writer }: PipelineRouteDeps['environment'],
  subject: PipelineSubject,
): Promise<PipelineSubject> {
  if (subject.source !== 'uuids') return subject;
  const sample = sampleList(subject.uuids);
  const known = readPeopleByUuids(directoryDatabase, sample, 'main');
  const missing = sample.filter((uuid) => !known.has(uuid));
  if (missing.length === 0) return subject;
  const team = (await writer.readTeamPeople({ uuids: missing })).map(describeKnown);
  return { ...subject, team };
}

const countContacts = (subject: PipelineSubject): number => {
  if (subject.source === 'contacts') return subject.input.rowCount;
  return subject.source === 'people' ? subject.personIds.length : subject.uuids.length;
};

export function addPipelineRoutes(server: ApiServer, context: PipelineRouteDeps): void {
  const { environment } = context;
  serve(server, context, pipelines, {
    async start(body, { request, reply }) {
      const { data, replayed } = await withSubject(context, body, (subject) =>
        startRequestedPipeline(context, request, body, subject),
      );
      if (replayed) reply.code(200);
      return data;
    },
    list(query, { accountId, request }) {
      const { count, pipelines: page } = listPipelines(environment.database, accountId, query);
      return { count, ...linkPages(request, query, count), results: page.map(presentPipeline) };
    },
    get: ({ id }, { accountId }) =>
      presentPipeline(requirePipeline(environment.database, accountId, id)),
    result({ id, ...query }, { accountId, request }) {
      const { database, directoryDatabase, folder } = environment;
      const pipeline = requireCompletedPipeline(database, accountId, id);
      return {
        pipeline_id: pipeline.uuid,
        status: pipeline.status,
        count: pipeline.total,
        ...linkPages(request, query, pipeline.total),
        results: readPipelinePage(database, directoryDatabase, folder, pipeline, query),
      };
    },
    estimate(body, { accountId, request }) {
      const { database } = environment;
      const kinds = pipelineKinds.filter((kind) => body.unlock.includes(kind));
      const verifyUnits = body.verify_emails ? priceValidation(database, accountId) : null;
      return withPeople(context, body, async (subject) => {
        const wish = { kinds, verifyPriceUnits: verifyUnits };
        const price = pricePipeline(database, spenderOf(request), wish, countContacts(subject));
        const preview = await environment.reader.previewPipeline({
          accountId,
          kinds,
          verifyPriceUnits: verifyUnits ?? creditUnits(0),
          subject: await addTeamContacts(environment, subject),
        });
        return { ...price, preview };
      });
    },
    async startHere(body, { request, reply }) {
      const { data, replayed } = await withPeople(context, body, (subject) =>
        startRequestedPipeline(context, request, body, subject),
      );
      if (replayed) reply.code(200);
      return data;
    },
    progress({ id }, { accountId }) {
      const pipeline = requirePipeline(environment.database, accountId, id);
      return {
        ...presentProgress(pipeline),
        contacts_per_second: 0,
        seconds_left: null,
        ...(pipeline.status === 'queued' && {
          turns_with: countOtherOpen(environment.database, pipeline.id),
        }),
      };
    },
    rows({ id, ...query }, { accountId }) {
      const pipeline = requireCompletedPipeline(environment.database, accountId, id);
      return readPipelineGrid(environment, pipeline, query);
    },
    exportRows({ id, path, format, ...options }, { accountId, request }) {
      const pipeline = requireCompletedPipeline(environment.database, accountId, id);
      const { for_excel: forExcel, protect_all: protectAll } = options;
      const command: PipelineExport = {
        kind: 'pipeline',
        accountId,
        pipelineId: pipeline.uuid,
        format,
        forExcel,
        protectAll,
      };
      const fileName = namePipelineExport(pipeline, format);
      const target = { path, fileName, countRows: () => pipeline.total };
      return answerExport(context, command, target, request);
    },
  });
}

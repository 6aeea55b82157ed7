/** Answers the calls about pipelines of a search, row inputs or an upload. */
import { creditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { pipelineContactsMax } from '../contract/limits/pipelines.ts';
import {
  type NewAppPipeline,
  type PipelineGridPage,
  pipelines,
} from '../contract/pipelines/app-pipelines.ts';
import { pipelineKinds } from '../contract/pipelines/pipeline.ts';
import { readPeopleByUuids } from '../directory/read/read-people.ts';
import { spenderOf } from '../http/approval-origin.ts';
import { linkPages } from '../http/page-links.ts';
import type { ApiServer, RouteEnvironment } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { serve } from '../http/serve.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import { checkColumnMapping } from '../spreadsheet/recognize-input.ts';
import { sampleList } from '../spreadsheet/sample-rows.ts';
import { readHiddenRows } from '../suppression/hidden-rows.ts';
import { priceValidation } from '../validations/validate-emails.ts';
import { startRequestedPipeline, withSubject } from './parse-pipeline-request.ts';
import { listPipelines, type PipelineRow } from './pipeline.table.ts';
import type { PipelineSubject } from './pipelines.commands.ts';
import { presentPipeline, requirePipeline } from './present-pipeline.ts';
import { presentProgress } from './present-progress.ts';
import { describeKnown } from './preview-pipeline.ts';
import { pricePipeline } from './price-pipeline.ts';
import { namePipelineExport } from './results/export-pipeline.ts';
import { readPipelinePage, requireCompletedPipeline, showCells } from './results/read-pipeline.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

/** One page, in contact order. */
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

/**
 * The rows of an upload, within the limit of a pipeline. Throws `not_found`, `validation_error`.
 */
async function findUpload(
  { uploads }: PipelineRouteDeps,
  { upload_id, mapping: requestedMapping }: Pick<NewAppPipeline, 'upload_id' | 'mapping'>,
): Promise<PipelineSubject> {
  const { upload, input } = await uploads.find(upload_id ?? '');
  const mapping = requestedMapping ?? upload.mapping;
  checkColumnMapping(input.headers, mapping);
  if (input.rowCount > pipelineContactsMax)
    throw new EngineError(
      'validation_error',
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
    cancel: ({ id: pipelineId }, { accountId }) =>
      environment.writer.cancelPipeline({ accountId, pipelineId }),
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
      return { ...presentProgress(pipeline), contacts_per_second: 0, seconds_left: null };
    },
    rows({ id, ...query }, { accountId }) {
      const pipeline = requireCompletedPipeline(environment.database, accountId, id);
      return readPipelineGrid(environment, pipeline, query);
    },
    exportRows({ id, path, format, ...options }, { accountId, request }) {
      const pipeline = requireCompletedPipeline(environment.database, accountId, id);
      const { for_excel: forExcel, protect_all: protectAll } = options;
      const command = { accountId, pipelineId: pipeline.uuid, format, forExcel, protectAll };
      const fileName = namePipelineExport(pipeline, format);
      const target = { path, fileName, countRows: () => pipeline.total };
      return answerExport(context, command, target, request);
    },
  });
}

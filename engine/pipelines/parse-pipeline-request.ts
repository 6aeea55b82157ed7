/** Parses requests for a pipeline, from the REST API or the app, and calls the writer. */
import type { FastifyRequest } from 'fastify';
import { EngineError } from '../contract/errors.ts';
import { type NewPipeline, pipelineKinds } from '../contract/pipelines/pipeline.ts';
import type { WantedPeople } from '../contract/records/record-search.ts';
import type { SearchedDirectory } from '../contract/search.ts';
import { idempotencyOf, spendingOf } from '../http/approval-origin.ts';
import { fingerprintOf, takeTable } from '../http/bodies/received-body.ts';
import type { PipelineAnswer, PipelineSubject } from './pipelines.commands.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

/** The contacts of a body, in one of three forms. */
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
export async function withSubject<Result>(
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
export function startRequestedPipeline(
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

/** Turns a request for a pipeline, of a caller or of the app, into what the writer is asked for. */
import type { FastifyRequest } from 'fastify';
import { EngineError } from '../contract/errors.ts';
import { type NewPipeline, pipelineKinds } from '../contract/pipelines/pipeline.ts';
import { idempotencyOf, spendingOf } from '../http/approval-origin.ts';
import { fingerprintOf, takeTable } from '../http/bodies/received-body.ts';
import type { PipelineAnswer, PipelineSubject } from './pipelines.commands.ts';
import type { PipelineRouteDeps } from './route-deps.ts';

/** Whom a body names, in one of three ways. */
type NamedSubject = Pick<NewPipeline, 'contacts' | 'uuids' | 'filters'>;
/** What is to be done for whoever a pipeline is about. */
type RequestedPipeline = Pick<NewPipeline, 'title' | 'unlock' | 'verify_emails'> &
  Partial<NamedSubject>;

/** What a person is shown of a pipeline: of a list how long it is. */
const summarizePipeline = ({ title, unlock, verify_emails, ...subject }: RequestedPipeline) => ({
  ...(title && { title }),
  ...{ unlock, verify_emails },
  ...(subject.filters && { filters: subject.filters }),
  ...(subject.uuids && { uuids: subject.uuids.length }),
  ...(subject.contacts && { contacts: subject.contacts.length }),
});

/**
 * Hands on whom a pipeline is to be about; row inputs lie in a folder that goes afterwards. A
 * search throws `not_ready` and `validation_error`.
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
  const { limit, ...wanted } = filters;
  const { personIds } = await environment.search
    .contactIds({ filters: wanted, limit })
    .catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.code !== 'validation_error') throw error;
      // The search knows its filters alone, not where they stand in this body.
      throw new EngineError(error.code, `filters.${error.detail}`);
    });
  return use({ source: 'people', personIds });
}

/**
 * Starts a pipeline about a subject, for whoever asks. Throws every refusal of the writer's
 * `startPipeline`.
 * @param body the whole body: a repeat under the same Idempotency-Key must have all of it in common
 */
export function startRequestedPipeline(
  { environment }: PipelineRouteDeps,
  request: FastifyRequest,
  body: RequestedPipeline,
  subject: PipelineSubject,
): Promise<PipelineAnswer> {
  // Filters are kept as they were asked: a repeat is the same, whoever is found by then.
  const fingerprint = fingerprintOf(body);
  return environment.writer.startPipeline({
    ...spendingOf(request, 'POST /api/v1/pipeline/', summarizePipeline(body)),
    title: body.title ?? '',
    kinds: pipelineKinds.filter((kind) => body.unlock.includes(kind)),
    verifyEmails: body.verify_emails,
    idempotency: idempotencyOf(request),
    ...{ subject, fingerprint },
  });
}

/**
 * Parses JSON bodies: small ones on this thread, large ones on the body thread, one at a time.
 * Files of a large body are removed when the answer is sent.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import {
  jsonBodyBytesMax,
  jsonInlineBytesMax,
  jsonReceiveMaxMs,
} from '../../contract/limits/http.ts';
import { errorFormOf } from '../error-formats.ts';
import type { RouteDeps } from '../route-deps.ts';
import type { BodyPlace } from './large-bodies.ts';
import { parseBody } from './read-json.ts';
import { type BodyPlanName, bodyPlans } from './read-large-body.ts';
import { receiveBody } from './receive-body.ts';
import { acceptBody } from './received-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a large body of the route is parsed; `plain` by default. */
    readonly bodyPlan?: BodyPlanName;
  }
}

/** Folders of the tables of requests in progress. */
const tables = new WeakMap<FastifyRequest, string>();

/** Removes the table of a request's body. Called before the answer is sent. */
export async function discardTable(request: FastifyRequest): Promise<void> {
  const dir = tables.get(request);
  if (dir !== undefined) await rm(dir, { recursive: true, force: true });
}

/**
 * The value of a request's JSON body; undefined if it is empty. Throws `validation_error` if the
 * body is not JSON or is too large, `busy` if too many large bodies arrive at once, and file system
 * errors.
 */
export async function readJsonBody(
  { largeBodies, uploads }: Pick<RouteDeps, 'largeBodies' | 'uploads'>,
  request: FastifyRequest,
): Promise<unknown> {
  const { bodyLimit: bytesMax = jsonBodyBytesMax, config } = request.routeOptions;
  const plan = config.bodyPlan ?? 'plain';
  const path = join(uploads.folder, `${randomUUID()}.spool`);
  const tableDir = join(uploads.folder, randomUUID());
  let place: BodyPlace | null = null;
  try {
    const received = await receiveBody(request.raw, {
      bytesMax,
      inlineBytesMax: jsonInlineBytesMax,
      receiveMaxMs: jsonReceiveMaxMs,
      tooLarge:
        errorFormOf(request).sentences.FST_ERR_CTP_BODY_TOO_LARGE ?? 'The body is too large.',
      openFile: () => {
        place = largeBodies.enter();
        mkdirSync(uploads.folder, { recursive: true, mode: 0o700 });
        return path;
      },
    });
    if ('bytes' in received) return parseBody(received.bytes);
    return await readOnThread(place, { path, plan, tableDir }, request);
  } finally {
    if (place) {
      (place as BodyPlace).leave();
      rmSync(path, { force: true });
    }
  }
}

async function readOnThread(
  place: BodyPlace | null,
  command: { path: string; plan: BodyPlanName; tableDir: string },
  request: FastifyRequest,
): Promise<unknown> {
  if (!place) throw new Error('a large body has no place');
  const read = await place.read(command);
  if (read.rows && 'table' in read.rows) tables.set(request, command.tableDir);
  return acceptBody(read, bodyPlans[command.plan].table);
}

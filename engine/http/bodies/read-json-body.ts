// Parses JSON bodies: small ones on this thread, large ones on the body thread, one at a time.
// Files of a large body are removed when the answer is sent.
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../contract/errors.ts';
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
import { acceptBody } from './received-body.ts';

interface BodyWishes {
  readonly bytesMax: number;
  /** Number of bytes that are kept in memory. */
  readonly inlineBytesMax: number;
  readonly receiveMaxMs: number;
  readonly tooLarge: string;
  /** The path of the file for a large body. Called once; may throw. The caller removes it. */
  readonly openFile: () => string;
}

type ReceivedBytes = { readonly bytes: Buffer } | { readonly path: string };

/**
 * Receives a body. Throws `validation_error` for a body that is too large, too slow or incomplete,
 * and errors of the file system and of `openFile`. The rest of the body is then left unread.
 */
function receiveBody(request: IncomingMessage, wishes: BodyWishes): Promise<ReceivedBytes> {
  const { bytesMax, inlineBytesMax, receiveMaxMs, tooLarge, openFile } = wishes;
  const fault = (detail: string) => invalid(detail);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) return Promise.reject(fault(tooLarge));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let file: WriteStream | null = null;
    let path = '';
    const stop = () => {
      clearTimeout(patience);
      request.off('data', take).off('end', end).off('close', breakOff).pause();
    };
    const fail = (error: unknown) => {
      stop();
      file?.destroy();
      reject(error);
    };
    const spool = (chunk: Buffer) => {
      if (!file) {
        path = openFile();
        file = createWriteStream(path, { mode: 0o600 }).on('error', fail);
        file.on('drain', () => request.resume());
        for (const early of chunks.splice(0)) file.write(early);
      }
      if (!file.write(chunk)) request.pause();
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received > bytesMax) return fail(fault(tooLarge));
      try {
        if (received > inlineBytesMax) spool(chunk);
        else chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const end = () => {
      stop();
      if (file) file.end(() => resolve({ path }));
      else resolve({ bytes: Buffer.concat(chunks, received) });
    };
    const breakOff = () => fail(fault('The body is incomplete. Send it again.'));
    const patience = setTimeout(
      () => fail(fault(`The body did not arrive within ${receiveMaxMs / 1000} s. Send it again.`)),
      receiveMaxMs,
    );
    request.on('data', take).on('end', end).on('close', breakOff).resume();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a large body of the route is parsed; `plain` by default. */
    readonly bodyPlan?: BodyPlanName;
  }
}

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

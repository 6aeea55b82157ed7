/** Routes /app/v1/state, /events, /doctor, /backup, /backups and /restore: the engine itself. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { presentAccount } from '../accounts/present-account.ts';
import {
  AppStateSchema,
  AutomaticBackupRequestSchema,
  AutomaticBackupSchema,
  BackupReportSchema,
  BackupRequestSchema,
  CheckSchema,
  RestoreRequestSchema,
  RestoreStateSchema,
} from '../contract/engine.ts';
import { EngineError } from '../contract/errors.ts';
import { findSample } from '../directory/directory.routes.ts';
import { callerOf, sessionOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { countRunning } from '../jobs/job-states.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { listAutomaticBackups } from '../maintenance/automatic-backups.ts';
import { backUpBefore, writeBackup } from '../maintenance/backup.ts';
import { runDoctor } from '../maintenance/doctor.ts';
import { noteBackup } from '../maintenance/note-backup.ts';
import { describeRules } from '../policy/team-rules.ts';
import type { ServerContext } from './server-context.ts';
import { createProgressReporter } from './workers/report-progress.ts';

function addStateRoutes(server: ApiServer, context: ServerContext): void {
  const { environment } = context;
  server.get('/state', { schema: { response: answersOf(AppStateSchema) } }, async (request) => {
    const { account } = callerOf(request);
    const directory = await environment.reader.directoryStats();
    const importId = findSample(directory);
    return success({
      version: context.version,
      environment: environment.name,
      ...context.address,
      account: presentAccount(account),
      wallet: presentWallet(environment.database, account.id),
      directory,
      running_jobs: countRunning(environment.database, account.id),
      fault: environment.describeFault(),
      read_only: environment.describeReadOnly(),
      sample: { loaded: importId !== null, import_id: importId },
    });
  });
  server.get('/events', async (request, reply) =>
    reply
      .type('text/event-stream; charset=utf-8')
      .send(context.events.open(callerOf(request).account.id, sessionOf(request))),
  );
}

/** Publishes the progress of a backup, a few times a second. */
const reportBackup = ({ events }: ServerContext) =>
  createProgressReporter((progress) => events.publish({ type: 'task', progress }, null))(
    'backup',
    'Writing the backup',
    'bytes',
  );

function addBackupRoutes(server: ApiServer, context: ServerContext): void {
  const { environment } = context;
  server.post(
    '/backup',
    { schema: { body: BackupRequestSchema, response: answersOf(BackupReportSchema) } },
    async (request) => {
      const report = await writeBackup(environment, request.body.path, reportBackup(context));
      await noteBackup(environment.writer, report, null);
      return success(report);
    },
  );
  server.get(
    '/backups',
    { schema: { response: answersOf(z.array(AutomaticBackupSchema)) } },
    async () => success(listAutomaticBackups(environment.folder)),
  );
  server.post(
    '/backups',
    { schema: { body: AutomaticBackupRequestSchema, response: answersOf(BackupReportSchema) } },
    async (request) => {
      const { reason } = request.body;
      const report = await backUpBefore(environment, reason, reportBackup(context));
      await noteBackup(environment.writer, report, reason);
      return success(report);
    },
  );
}

/** A restore closes this server, so the answer only says that it has begun. */
function addRestoreRoutes(server: ApiServer, { environment, restores }: ServerContext): void {
  const response = answersOf(RestoreStateSchema);
  server.get('/restore', { schema: { response } }, async () =>
    success(restores?.read() ?? { state: 'none' as const }),
  );
  server.post(
    '/restore',
    { schema: { body: RestoreRequestSchema, response: answersOf(RestoreStateSchema, 202) } },
    async (request, reply) => {
      const { path: archivePath } = request.body;
      if (!restores || !isAbsolute(archivePath) || !existsSync(archivePath))
        throw new EngineError(
          'validation_error',
          `There is no file ${archivePath}. Name a backup.`,
        );
      restores.begin();
      reply.raw.once('close', () => restores.run({ archivePath, environment: environment.name }));
      return reply.code(202).send(success(restores.read()));
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addEngineRoutes(server: ApiServer, context: ServerContext): void {
  const { environment } = context;
  addStateRoutes(server, context);
  server.get('/doctor', { schema: { response: answersOf(z.array(CheckSchema)) } }, async () =>
    success(
      await runDoctor({
        environment,
        ...context.address,
        wasOpen: context.wasOpenToOthers,
        rules: describeRules(context.rules),
      }),
    ),
  );
  addBackupRoutes(server, context);
  addRestoreRoutes(server, context);
}

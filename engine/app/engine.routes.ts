// Answers the calls about the engine itself, and streams its events.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { finished } from 'node:stream';
import { presentAccount } from '../accounts/present-account.ts';
import { engineCalls } from '../contract/engine.ts';
import { invalid } from '../contract/errors.ts';
import { maintenanceCalls } from '../contract/maintenance.ts';
import { findSample } from '../directory/directory.routes.ts';
import { callerOf, requireSession, sessionOf } from '../http/credentials.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { countRunning } from '../jobs/job-states.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { listAutomaticBackups } from '../maintenance/automatic-backups.ts';
import { backUpBefore, writeBackup } from '../maintenance/backup.ts';
import { runDoctor } from '../maintenance/doctor.ts';
import { noteBackup } from '../maintenance/note-backup.ts';
import { describeRules } from '../policy/team-rules.ts';
import type { ServerContext } from './server-context.ts';
import { createProgressReporter } from './workers/report-progress.ts';

function addEventRoute(server: ApiServer, context: ServerContext): void {
  server.get('/app/v1/events', { onRequest: requireSession(context) }, async (request, reply) =>
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

export function addEngineRoutes(server: ApiServer, context: ServerContext): void {
  const { environment, restores } = context;
  addEventRoute(server, context);
  serve(server, context, engineCalls, {
    async state(_input, { accountId, caller }) {
      const directory = await environment.reader.directoryStats();
      const importId = findSample(directory);
      return {
        version: context.version,
        environment: environment.name,
        ...context.address,
        account: presentAccount(caller.account),
        wallet: presentWallet(environment.database, accountId),
        directory,
        running_jobs: countRunning(environment.database, accountId),
        fault: environment.describeFault(),
        read_only: environment.describeReadOnly(),
        sample: { loaded: importId !== null, import_id: importId },
      };
    },
  });
  serve(server, context, maintenanceCalls, {
    doctor: () =>
      runDoctor({
        environment,
        ...context.address,
        wasOpen: context.wasOpenToOthers,
        rules: describeRules(context.rules),
      }),
    async backUp({ path }) {
      const report = await writeBackup(environment, path, reportBackup(context));
      await noteBackup(environment.writer, report, null);
      return report;
    },
    backups: () => listAutomaticBackups(environment.folder),
    async backUpBefore({ reason }) {
      const report = await backUpBefore(environment, reason, reportBackup(context));
      await noteBackup(environment.writer, report, reason);
      return report;
    },
    restoreState: () => restores?.read() ?? { state: 'none' as const },
    // A restore closes this server, so the answer only says that it has begun.
    restore({ path: archivePath }, { reply }) {
      if (!restores || !isAbsolute(archivePath) || !existsSync(archivePath))
        throw invalid(`There is no file ${archivePath}. Name a backup.`);
      restores.begin();
      // Also if the connection ended before this handler ran.
      finished(reply.raw, () => restores.run({ archivePath, environment: environment.name }));
      return restores.read();
    },
  });
}

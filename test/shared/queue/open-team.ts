// The team directory of an engine, over the fixture of its jobs, and the scheduler of jobs.
import { onTestFinished } from 'vitest';
import { hasJobEnded } from '../../../engine/jobs/job-states.ts';
import { createJobSource } from '../../../engine/jobs/run-jobs.ts';
import { startScheduler } from '../../../engine/platform/scheduler/scheduler.ts';
import { createWaterfalls } from '../../../engine/providers/waterfall/create-waterfalls.ts';
import { createSecretBox } from '../../../engine/secrets/secret-box.ts';
import { formatSharedAddress } from '../../../engine/shared/connection/shared-address.ts';
import {
  createTeamDirectory,
  type TeamDirectoryDeps,
} from '../../../engine/shared/settings/team-directory.ts';
import { createClock } from '../../platform/scheduler/scheduler-fixture.ts';
import { openMemoryKeychain } from '../../secrets/memory-keychain.ts';
import { openSharedFixture } from '../shared-fixture.ts';

/** Opens it. `start` begins another run of the engine. */
export async function openTeam(options: Partial<TeamDirectoryDeps> = {}) {
  const fixture = await openSharedFixture();
  const { own, connection } = fixture;
  const { database } = own;
  const box = createSecretBox(Buffer.alloc(32, 7));
  const keychain = openMemoryKeychain();
  const open = () => {
    const team = createTeamDirectory({
      database,
      now: own.deps.now,
      nowMs: () => performance.now(),
      secrets: {
        open: async () => box,
        describe: async () => ({ place: 'keychain' as const, detail: '' }),
      },
      keychain,
      onChange: () => undefined,
      patienceMs: 50,
      hasEnded: (uuid) => hasJobEnded(database, uuid),
      ...options,
    });
    onTestFinished(() => team.stop());
    return team;
  };
  const clock = createClock();
  const waterfalls = createWaterfalls({
    database,
    now: clock.now,
    wait: async () => undefined,
    providers: new Map(),
  });
  const start = (teamDirectory = open()) => {
    const source = createJobSource({
      ...own.deps,
      now: clock.now,
      waterfalls,
      teamDirectory,
      batchRowsMax: 20,
      events: {
        wallet: () => undefined,
        job: () => undefined,
        waitingJob: () => undefined,
        followJob: () => () => undefined,
      },
    });
    return startScheduler(source, clock);
  };
  const address = formatSharedAddress(connection.address);
  return {
    ...fixture,
    team: open(),
    start,
    clock,
    keychain,
    address,
    password: connection.login,
    matchTeam: fixture.team.deps.match,
  };
}

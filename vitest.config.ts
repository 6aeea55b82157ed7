// The Vitest projects: rules, then the end-to-end tests (app), crashes and the README's commands.
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { isBuilt } from './scripts/build-stamp.mjs';
import { componentsProject, maxWorkers } from './test/components/project.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

/** How long a polled expectation may take on a busy machine. */
const expectation = { poll: { timeout: 60_000 } };
/**
 * The engine's threads start from the build if it is up to date, which takes a third less time than
 * from their sources.
 */
const builtWorkers = isBuilt(import.meta.dirname)
  ? { './worker-entries.ts': at('test/double/built-workers.ts') }
  : undefined;
/**
 * Options of Node in the processes of tests. Most of the engine's objects live for one test: with
 * the default of 1 MB they are collected dozens of times while its threads start, which takes a
 * sixth of the processor time of a test over HTTP.
 */
const execArgv = ['--min-semi-space-size=16'];
/** Settings of the projects that start browsers and processes. They run in parallel. */
const processProject = {
  environment: 'node',
  execArgv,
  expect: expectation,
  maxWorkers,
  // On a shared CI machine a process can be late. The last line of the run counts the retries.
  retry: process.env.CI ? 1 : 0,
} as const;

export default defineConfig({
  test: {
    // No test may put a key into the keychain of the user who runs it.
    env: { DESK_KEYCHAIN: 'off' },
    tags: [
      { name: 'full', description: 'Runs with `npm run test:full` only: it takes long.' },
      {
        name: 'posix',
        description: 'Not on Windows: it tests modes of files, signals, sockets or `#!` programs.',
      },
    ],
    projects: [
      {
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: ['test/app/**', 'test/components/**', 'test/crash/**', 'test/readme/**'],
          environment: 'node',
          execArgv,
          // Share one worker between files: modules load once, which saves about 16 % of the run.
          isolate: false,
          // Alone, after the others: a file waits half of its time for timers and other processes.
          // Two workers more take longer, because each loads the modules.
          sequence: { groupOrder: 1 },
          maxWorkers: maxWorkers + 1,
          globalSetup: ['test/shared-dir.ts', 'test/postgres/shared-postgres.ts'],
          setupFiles: ['test/global-state-check.ts', 'test/property-seed.ts'],
          expect: expectation,
          // Loading the real package starts a download.
          alias: {
            electron: at('test/double/electron.ts'),
            './workers/start-workers.ts': at('test/double/start-workers.ts'),
            ...builtWorkers,
          },
          // It imports JSON as bundlers do.
          deps: { optimizer: { ssr: { enabled: true, include: ['@actions/workflow-parser'] } } },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      componentsProject,
      {
        test: {
          ...processProject,
          name: 'app',
          include: ['test/app/**/*.test.ts'],
          globalSetup: ['test/shared-dir.ts', 'test/app/global-setup.ts'],
          // Share one worker between files: the browser is connected to once.
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...processProject,
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          globalSetup: ['test/shared-dir.ts', 'test/postgres/shared-postgres.ts'],
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...processProject,
          name: 'readme',
          include: ['test/readme/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

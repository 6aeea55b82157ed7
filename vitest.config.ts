// What `vitest` runs, in this order: the rules side by side, then clicks one file at a time, then
// crashes, and the README's commands, which build anew what nothing else may be reading then.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What is asked for again and again may take this long on a machine that is busy. */
const expectation = { poll: { timeout: 30_000 } };
const rules = ['test/**/*.test.ts', 'test/**/*.test.tsx'];

export default defineConfig({
  test: {
    // No test may put a key into the keychain of whoever runs it.
    env: { DESK_KEYCHAIN: 'off' },
    projects: [
      {
        test: {
          name: 'rules',
          include: rules,
          exclude: ['test/app/**', 'test/crash/**', 'test/readme/**'],
          environment: 'node',
          // Files share their worker: what they import is loaded once, a sixth of all time.
          isolate: false,
          setupFiles: ['test/global-state-check.ts'],
          expect: expectation,
          // Said outright: where there is one worker alone, Vitest would run these last.
          maxWorkers: Math.max(2, availableParallelism()),
          // Merely loading the real package starts a download.
          alias: { electron: resolve(import.meta.dirname, 'test/double/electron.ts') },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'app',
          sequence: { groupOrder: 1 },
          include: ['test/app/**/*.test.ts'],
          environment: 'node',
          expect: expectation,
          // A browser, an engine and a test at once: two of these on two cores starve each other.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'crash',
          sequence: { groupOrder: 2 },
          include: ['test/crash/**/*.test.ts'],
          environment: 'node',
          expect: expectation,
          maxWorkers: 2,
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'readme',
          sequence: { groupOrder: 3 },
          include: ['test/readme/**/*.test.ts'],
          environment: 'node',
          expect: expectation,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

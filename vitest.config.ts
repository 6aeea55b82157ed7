// What `vitest` runs: the rules side by side, the app's own clicks and crashes one at a time.
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const rules = ['test/**/*.test.ts', 'test/**/*.test.tsx'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          include: rules,
          exclude: ['test/app/**', 'test/crash/**'],
          environment: 'node',
          // Merely loading the real package starts a download.
          alias: { electron: resolve(import.meta.dirname, 'test/double/electron.ts') },
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'app',
          include: ['test/app/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

// How Vitest runs the component tests: in pages of one headless Chromium.
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';

const executablePath = findChromium();

const emulateColors: BrowserCommand<[colors: 'light' | 'dark']> = async ({ page }, colors) => {
  await page.emulateMedia({ colorScheme: colors, reducedMotion: 'reduce' });
};

/**
 * How many files run in parallel. Projects with browsers and processes share one group, so that no
 * processor waits for the last file of a project. One more than processors, because tests also wait
 * for timers, disks and other processes.
 */
export const maxWorkers = availableParallelism() + 1;

/** The project. The modules of the page are loaded once for all files. */
export const componentsProject: TestProjectInlineConfiguration = {
  // The production build of React is two and a half times as fast as the development build.
  mode: 'production',
  oxc: { jsx: { development: false } },
  define: {
    'process.env.NODE_ENV': JSON.stringify('production'),
    // As in `runsOf`: whether this is `npm run test:full`.
    __DESK_FULL__: JSON.stringify(process.env.DESK_TEST_SEED === 'random'),
    __DESK_VERSION__: JSON.stringify('test'),
  },
  // Included up front, because a dependency that is discovered later reloads the page.
  optimizeDeps: {
    entries: ['renderer/root.tsx', 'test/components/**/*.{ts,tsx}'],
    include: ['react/jsx-runtime'],
  },
  test: {
    name: 'components',
    include: ['test/components/**/*.test.ts', 'test/components/**/*.test.tsx'],
    isolate: false,
    maxWorkers,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      // On a busy machine the modules of the page take longer than the default of 60 s to load.
      connectTimeout: 180_000,
      viewport: { width: 1280, height: 800 },
      instances: [{ browser: 'chromium' }],
      commands: { emulateColors },
      provider: playwright({
        launchOptions: {
          args: chromiumFlags(),
          ...(executablePath === null ? {} : { executablePath }),
        },
        contextOptions: { reducedMotion: 'reduce', colorScheme: 'light' },
        actionTimeout: 30_000,
      }),
    },
  },
};

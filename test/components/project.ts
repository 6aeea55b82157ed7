/** How Vitest runs the component tests: in one page of one headless Chromium. */
import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs';

const executablePath = findChromium();

/** Shows the page to a person who prefers light or dark colors. */
const emulateColors: BrowserCommand<[colors: 'light' | 'dark']> = async ({ page }, colors) => {
  await page.emulateMedia({ colorScheme: colors, reducedMotion: 'reduce' });
};

/** The project; the page's own modules are loaded once for all files. */
export const componentsProject: TestProjectInlineConfiguration = {
  // React as it is released: two and a half times as fast as with its checks for developers.
  mode: 'production',
  oxc: { jsx: { development: false } },
  define: {
    'process.env.NODE_ENV': JSON.stringify('production'),
    __DESK_VERSION__: JSON.stringify('test'),
  },
  // Found before the first file asks for it: a package found later reloads the page.
  optimizeDeps: {
    entries: ['renderer/root.tsx', 'test/components/**/*.{ts,tsx}'],
    include: ['react/jsx-runtime'],
  },
  test: {
    name: 'components',
    include: ['test/components/**/*.test.ts', 'test/components/**/*.test.tsx'],
    isolate: false,
    fileParallelism: false,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    sequence: { groupOrder: 4 },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
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

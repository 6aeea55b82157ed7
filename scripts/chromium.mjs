// Finds a Chromium for the end-to-end tests, installs Debian's where it may, and knows its flags.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { installDebianPackages } from './debian-packages.mjs';

const programFolders = ['C:/Program Files', 'C:/Program Files (x86)', process.env.LOCALAPPDATA];
const places = {
  linux: [
    // The same engine without a browser's own window, which no test looks at: a fifth faster.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
    '/usr/bin/microsoft-edge',
  ],
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: programFolders
    .filter(Boolean)
    .flatMap((folder) => [
      `${folder}/Google/Chrome/Application/chrome.exe`,
      `${folder}/Microsoft/Edge/Application/msedge.exe`,
    ]),
};
/** Debian's packages of it; an older Debian has the second alone. */
const debianPackages = ['chromium-headless-shell', 'chromium'];

/** Whether Chromium's own sandbox must be off: it refuses to run as root with it. */
const isRoot = () => process.getuid?.() === 0;

/** The flags that a test's Chromium starts with. */
export const chromiumFlags = () => [
  ...(isRoot() ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of a Chromium, Chrome or Edge on this machine, or null. */
export const findChromium = () =>
  process.env.DESK_CHROMIUM ||
  ((places[process.platform] ?? []).find((path) => existsSync(path)) ?? null);

/** Finds or installs a Chromium and returns its path; where neither works, says so and exits 1. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  for (const name of debianPackages) {
    const what = `The end-to-end tests need a browser: installing Debian's ${name} …`;
    if (installDebianPackages([name, 'fonts-liberation'], what) && findChromium())
      return findChromium();
  }
  console.error(
    'The end-to-end tests need Chrome, Chromium or Edge, and none was found here nor could be ' +
      'installed.\nInstall one (Debian, Ubuntu: sudo apt-get install chromium), or set ' +
      'DESK_CHROMIUM to its program, then run npm test again.\n' +
      'The other tests run without it: npx vitest run --project rules',
  );
  process.exit(1);
}

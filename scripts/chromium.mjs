// Finds a Chromium for the end-to-end tests, or installs Debian's, and has its flags.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { installDebianPackages } from './debian-packages.mjs';

const programFolders = ['C:/Program Files', 'C:/Program Files (x86)', process.env.LOCALAPPDATA];
const places = {
  linux: [
    // The same engine without a visible window, which tests do not need: about 20 % faster.
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
/** Debian packages of Chromium. Older versions of Debian have only the second. */
const debianPackages = ['chromium-headless-shell', 'chromium'];

/** Whether Chromium's sandbox must be off: with it, Chromium refuses to run as root. */
const isRoot = () => process.getuid?.() === 0;

/** Flags of Chromium in tests. */
export const chromiumFlags = () => [
  ...(isRoot() ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // With the default of 16 MB a page of tests spends a tenth of its time on short-lived objects.
  '--js-flags=--min-semi-space-size=32 --max-semi-space-size=64',
];

/** The path of a Chromium, Chrome or Edge on this machine, or null. */
export const findChromium = () =>
  process.env.DESK_CHROMIUM ||
  ((places[process.platform] ?? []).find((path) => existsSync(path)) ?? null);

/**
 * Finds or installs a Chromium and returns its path; otherwise prints what to do and exits with 1.
 */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  for (const name of debianPackages) {
    const what = `The end-to-end tests need a browser: installing Debian's ${name} …`;
    if (installDebianPackages([name, 'fonts-liberation'], what) && findChromium())
      return findChromium();
  }
  console.error(
    'The end-to-end tests need Chrome, Chromium or Edge. None was found, and none could be ' +
      'installed.\nInstall one (Debian, Ubuntu: sudo apt-get install chromium), or set ' +
      'DESK_CHROMIUM to its path, then run npm test again.\n' +
      'The other tests run without it: npx vitest run --project rules',
  );
  process.exit(1);
}

// Opens the interface as a user would, in a browser or the desktop shell, for end-to-end tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';
import { startEngineProcess } from './engine-process.ts';
import { type Desk, engineDataDir, launch, longWork, patienceMs } from './launch.ts';
import { copySample } from './sample-data.ts';

export const shells = ['browser', 'desktop'] as const;
export type Shell = (typeof shells)[number];

/** Chooses options in the dialog before it saves. */
type Choose = () => Promise<void>;

/** The interface, opened with its own data folder. */
export interface OpenDesk {
  readonly page: Page;
  /** What shows the page: a browser, Electron, or its stand-in. */
  readonly host: 'browser' | Desk['host'];
  /** A folder for the test's own files, removed after close. */
  readonly dir: string;
  /** Errors of the page: thrown ones, and policy violations. Normally empty. */
  readonly complaints: string[];
  /** Saves a CSV by the dialog and waits until the file exists at the path. */
  saveCsv(path: string, choose?: Choose): Promise<void>;
  close(): Promise<void>;
}

async function openSave(page: Page, choose?: Choose): Promise<Locator> {
  await page.getByRole('button', { name: 'Save…' }).click();
  await choose?.();
  return page.getByRole('button', { name: 'Save CSV' });
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (/Content Security Policy|Warning:|Uncaught/.test(text)) complaints.push(text);
  });
  return complaints;
}

let browser: Promise<Browser> | undefined;
/** Connects to the browser that all files share, once per worker. */
const connectBrowser = () => {
  browser ??= chromium.connect(inject('browserEndpoint'));
  return browser;
};

async function openBrowser(dir: string, options: BrowserContextOptions): Promise<OpenDesk> {
  const [engine, shared] = await Promise.all([
    startEngineProcess(browserDataDir(dir)),
    connectBrowser(),
  ]);
  const context = await shared.newContext({
    viewport: { width: 1280, height: 800 },
    // Tests without animations do not wait for them.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints = listen(page);
  await page.goto(engine.openUrl);
  return {
    page,
    host: 'browser',
    dir,
    complaints,
    async saveCsv(path, choose) {
      const button = await openSave(page, choose);
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      await download.saveAs(path);
    },
    async close() {
      await context.close();
      await engine.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function openDesktop(dir: string, appDir?: string): Promise<OpenDesk> {
  const desk = await launch(join(dir, 'user'), { ...(appDir !== undefined && { appDir }) });
  const page = desk.window;
  return {
    page,
    host: desk.host,
    dir,
    complaints: listen(page),
    async saveCsv(path, choose) {
      await desk.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path);
      await (await openSave(page, choose)).click();
      await page.getByText(/^Saved [\d,]+ rows/).waitFor();
    },
    async close() {
      await desk.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const browserDataDir = (dir: string) => join(dir, 'data');
const desktopDataDir = (dir: string) => engineDataDir(join(dir, 'user'));

export interface OpenOptions extends BrowserContextOptions {
  /** Content of its directory at the start; `empty` by default. */
  directory?: 'empty' | 'sample';
  /** The folder of the built app that the desktop shell runs; the project's own by default. */
  appDir?: string;
}

/** Starts an engine with its own data folder and opens the interface. */
export async function openDesk(
  shell: Shell,
  { directory = 'empty', appDir, ...options }: OpenOptions = {},
): Promise<OpenDesk> {
  const dir = mkdtempSync(join(tmpdir(), 'desk-app-'));
  const dataDir = shell === 'browser' ? browserDataDir(dir) : desktopDataDir(dir);
  if (directory === 'sample') await copySample(dataDir);
  const desk = await (shell === 'browser' ? openBrowser(dir, options) : openDesktop(dir, appDir));
  await desk.page.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
  return desk;
}

/** Waits until the focus is in a part of the page: menus and dialogs move it with a delay. */
export const focusWithin = (part: Locator) =>
  part.and(part.page().locator(':focus-within')).waitFor();

/** Opens a screen with the sidebar. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: screen })
    .click();
  await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
}

export async function openTab(page: Page, name: string): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Connections' });
  await tabs.getByRole('link', { name, exact: true }).click();
}

export async function goToImports(page: Page): Promise<void> {
  await goTo(page, 'Directory');
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
}

/** The toast after the sample was loaded. */
export const sampleLoaded = 'The sample directory is loaded.';

/** Loads the sample directory from its screen. */
export async function loadSample(page: Page): Promise<void> {
  await goToImports(page);
  await page.getByRole('button', { name: 'Load the sample' }).click();
  await page.getByText(sampleLoaded).waitFor(longWork);
  await page.getByRole('button', { name: 'Remove the sample' }).waitFor();
}

/** Adds credits to the wallet from its screen. */
export async function addCredits(page: Page, credits: string): Promise<void> {
  await goTo(page, 'Wallet');
  await page.getByLabel('Credits to add').fill(credits);
  await page.getByRole('button', { name: 'Add credits' }).click();
  await page.getByText(/credits were added/).waitFor();
}

/** Selects a spreadsheet on the Enrich screen, which is opened first. */
export async function chooseFile(page: Page, path: string): Promise<void> {
  await goTo(page, 'Enrich');
  await page.locator('main input[type=file]').first().setInputFiles(path);
}

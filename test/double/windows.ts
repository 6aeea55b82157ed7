// Simulates `BrowserWindow` and `webContents`: each window is a page of the browser.
import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { app } from './app.ts';
import { type ContentsEvents, makeEvent, type WindowEvents } from './events.ts';
import { wireNavigation, wirePreload } from './page-wiring.ts';
import { toAppUrl, toHostUrl } from './scheme-server.ts';
import { session } from './session.ts';
import { clone, host, note } from './state.ts';

interface WindowOptions {
  width?: number;
  height?: number;
  show?: boolean;
  webPreferences?: { preload?: string; sandbox?: boolean };
}
type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };

class WebContents extends EventEmitter<ContentsEvents> {
  openHandler: OpenHandler = () => ({ action: 'allow' });
  loading = '';
  session = session.defaultSession;
  readonly owner: BrowserWindow;
  constructor(owner: BrowserWindow) {
    super();
    this.owner = owner;
  }
  send(channel: string, ...args: unknown[]): void {
    const sent = [channel, clone(args)] as const;
    const emit = ([name, values]: typeof sent) => {
      const page = globalThis as unknown as Record<symbol, (n: string, v: unknown[]) => void>;
      page[Symbol.for('double.emit')]?.(name, values);
    };
    // A closing page receives no more events, as in Electron.
    void this.owner.opened.then((page) => page.evaluate(emit, sent)).catch(() => {});
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  getURL = (): string => toAppUrl(this.owner.page?.url() ?? '');
  isDestroyed = (): boolean => this.owner.isDestroyed();
  executeJavaScript = async (code: string): Promise<unknown> =>
    (await this.owner.opened).evaluate(code);
  reload(): void {
    void this.owner.opened.then((page) => page.reload());
  }
}

/** Electron's `BrowserWindow`. */
export class BrowserWindow extends EventEmitter<WindowEvents> {
  static readonly getAllWindows = (): BrowserWindow[] => [...host.windows] as BrowserWindow[];
  static readonly getFocusedWindow = (): BrowserWindow | null =>
    BrowserWindow.getAllWindows().at(-1) ?? null;
  static readonly fromWebContents = (contents: WebContents | null): BrowserWindow | null =>
    contents?.owner ?? null;
  readonly webContents: WebContents;
  readonly opened: Promise<Page>;
  page: Page | undefined;
  #isGone = false;
  #isVisible: boolean;
  #isMaximized = false;
  #title = '';
  readonly #options: WindowOptions;

  constructor(options: WindowOptions = {}) {
    super();
    if (!host.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    this.#options = options;
    this.#isVisible = options.show !== false;
    this.webContents = new WebContents(this);
    host.windows.add(this);
    app.emit('web-contents-created', makeEvent({}), this.#realContents);
    this.opened = this.#open();
  }

  get #realContents(): Electron.WebContents {
    return this.webContents as unknown as Electron.WebContents;
  }

  async #open(): Promise<Page> {
    const context = host.context;
    if (!context) throw new Error('the browser is not running');
    const taken = new Set([...host.windows].map(({ page }) => page));
    const blank = context.pages().find((page) => !taken.has(page));
    const page = blank ?? (await context.newPage());
    this.page = page;
    const { width = 800, height = 600, webPreferences = {} } = this.#options;
    await page.setViewportSize({ width, height });
    const { preload, sandbox } = webPreferences;
    if (preload?.endsWith('.mjs') && sandbox !== false)
      throw new Error('a sandboxed preload must be CommonJS');
    if (preload) await wirePreload(page, this.webContents, preload);
    await wireNavigation(context, page, this.webContents);
    page.on('close', () => this.#finish());
    page.on('domcontentloaded', () => this.webContents.emit('dom-ready'));
    page.on('load', () => {
      this.webContents.emit('did-finish-load');
      this.emit('ready-to-show');
    });
    page.on('crash', () =>
      app.emit('render-process-gone', makeEvent({}), this.#realContents, {
        reason: 'crashed',
        exitCode: 5,
      }),
    );
    page.on('download', (download) => session.receiveDownload(download, this.webContents));
    return page;
  }

  async loadURL(address: string): Promise<void> {
    const page = await this.opened;
    this.webContents.loading = toHostUrl(address);
    await page.goto(this.webContents.loading).catch((error: Error) => {
      const isOvertaken = /ERR_ABORTED|interrupted by another|has been closed/.test(error.message);
      throw Object.assign(error, isOvertaken ? { code: 'ERR_ABORTED' } : {});
    });
    this.webContents.loading = '';
  }

  show(): void {
    this.#isVisible = true;
    this.emit('show');
  }
  hide(): void {
    this.#isVisible = false;
    this.emit('hide');
  }
  focus(): void {
    void this.page?.bringToFront();
    this.emit('focus');
  }
  maximize(): void {
    this.#isMaximized = true;
  }
  restore(): void {
    this.#isMaximized = false;
  }
  isVisible = (): boolean => this.#isVisible;
  isMaximized = (): boolean => this.#isMaximized;
  isMinimized = (): boolean => false;
  isDestroyed = (): boolean => this.#isGone;
  setTitle(title: string): void {
    this.#title = title;
  }
  getTitle = (): string => this.#title;
  getNormalBounds = () => this.getBounds();
  getBounds(): { x: number; y: number; width: number; height: number } {
    const size = this.page?.viewportSize() ?? { width: 800, height: 600 };
    return { x: 0, y: 0, ...size };
  }
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const { width, height } = { ...this.getBounds(), ...bounds };
    void this.page?.setViewportSize({ width, height });
    this.emit('resize');
  }
  setProgressBar = (progress: number) => note('window.setProgressBar', progress);
  center = () => note('window.center');
  setMenuBarVisibility = (isVisible: boolean) => note('window.setMenuBarVisibility', isVisible);

  close(): void {
    const event = makeEvent({});
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    void this.page?.close().catch(() => {});
    this.#finish();
  }
  #finish(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    host.windows.delete(this);
    this.webContents.emit('destroyed');
    this.emit('closed');
    if (host.windows.size === 0 && !app.emit('window-all-closed')) app.quit();
  }
}

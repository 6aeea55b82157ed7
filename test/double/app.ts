// Simulates Electron's `app`: names, folders, readiness and the order of quitting.
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppEvents, makeEvent } from './events.ts';
import { home, host, isPackaged, note } from './state.ts';

interface Manifest {
  name: string;
  productName?: string;
  version: string;
}
const manifest = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as Manifest;

const lock = join(home, 'single-instance');
const secondStart = join(home, 'second-instance.json');

class App extends EventEmitter<AppEvents> {
  isPackaged = isPackaged;
  name = manifest.productName ?? manifest.name;
  #isQuitting = false;
  getName = () => this.name;
  getVersion = () => manifest.version;
  getAppPath = () => process.cwd();
  getLocale = () => 'en-US';
  enableSandbox = () => note('app.enableSandbox');
  setAppUserModelId = (id: string) => note('app.setAppUserModelId', id);
  isReady = () => host.isReady;
  addRecentDocument = (path: string) => note('app.addRecentDocument', path);
  setJumpList = (list: unknown) => note('app.setJumpList', list);
  setAsDefaultProtocolClient = (scheme: string) => note('app.setAsDefaultProtocolClient', scheme);
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false });
  setLoginItemSettings = (settings: unknown) => note('app.setLoginItemSettings', settings);
  relaunch = (options?: unknown) => note('app.relaunch', options);

  /**
   * The lock is a file of the user data folder. A later start leaves its arguments there, and is
   * refused.
   */
  requestSingleInstanceLock(): boolean {
    mkdirSync(home, { recursive: true });
    const holder = this.#readLock();
    if (holder !== null) {
      writeFileSync(secondStart, JSON.stringify({ argv: process.argv, folder: process.cwd() }));
      process.kill(holder, 'SIGUSR2');
      return false;
    }
    writeFileSync(lock, String(process.pid));
    process.on('exit', () => this.releaseSingleInstanceLock());
    process.on('SIGUSR2', () => {
      const { argv, folder } = JSON.parse(readFileSync(secondStart, 'utf8'));
      this.emit('second-instance', makeEvent({}), argv, folder, null);
    });
    return true;
  }

  releaseSingleInstanceLock(): void {
    if (this.#readLock() === process.pid) rmSync(lock, { force: true });
  }

  /** The process that has the lock; null without one. */
  #readLock(): number | null {
    try {
      const pid = Number(readFileSync(lock, 'utf8'));
      process.kill(pid, 0);
      return pid;
    } catch {
      return null;
    }
  }

  getPath(name: string): string {
    const path = name === 'userData' ? home : join(home, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  whenReady(): Promise<void> {
    if (host.isReady) return Promise.resolve();
    return new Promise((done) => this.once('ready', () => done()));
  }

  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    const isRefused =
      this.#isPrevented('before-quit') || this.#isKeptByWindow() || this.#isPrevented('will-quit');
    this.#isQuitting = false;
    if (!isRefused) this.exit(0);
  }

  exit(code = 0): void {
    this.emit('quit', makeEvent({}), code);
    void (host.context?.close() ?? Promise.resolve()).finally(() => process.exit(code));
  }

  #isKeptByWindow(): boolean {
    for (const window of [...host.windows]) window.close();
    return host.windows.size > 0;
  }

  #isPrevented(name: 'before-quit' | 'will-quit'): boolean {
    const event = makeEvent({});
    this.emit(name, event);
    return event.defaultPrevented;
  }
}

/** Electron's `app`. */
export const app = new App();

/** Simulates Electron's `app`: names, folders, readiness and the order of quitting. */
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitPreventable, home, host, note } from './state.ts';

interface Manifest {
  name: string;
  productName?: string;
  version: string;
}
const manifest = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as Manifest;

class App extends EventEmitter {
  isPackaged = false;
  name = manifest.productName ?? manifest.name;
  #isQuitting = false;
  getName = () => this.name;
  getVersion = () => manifest.version;
  getAppPath = () => process.cwd();
  getLocale = () => 'en-US';
  enableSandbox = () => note('app.enableSandbox');
  setAppUserModelId = (id: string) => note('app.setAppUserModelId', id);
  requestSingleInstanceLock = () => true;
  isReady = () => host.isReady;
  addRecentDocument = (path: string) => note('app.addRecentDocument', path);
  setJumpList = (list: unknown) => note('app.setJumpList', list);
  setAsDefaultProtocolClient = (scheme: string) => note('app.setAsDefaultProtocolClient', scheme);
  getLoginItemSettings = () => ({ openAtLogin: false });
  setLoginItemSettings = (settings: unknown) => note('app.setLoginItemSettings', settings);
  relaunch = (options?: unknown) => note('app.relaunch', options);

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
      emitPreventable(this, 'before-quit') || this.#isKeptByWindow() || this.#isKeptAtLast();
    this.#isQuitting = false;
    if (!isRefused) this.exit(0);
  }

  exit(code = 0): void {
    this.emit('quit', {}, code);
    void (host.context?.close() ?? Promise.resolve()).finally(() => process.exit(code));
  }

  #isKeptByWindow(): boolean {
    for (const window of [...host.windows]) window.close();
    return host.windows.size > 0;
  }

  #isKeptAtLast = (): boolean => emitPreventable(this, 'will-quit');
}

/** Electron's `app`. */
export const app = new App();

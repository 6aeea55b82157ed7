// Simulates `utilityProcess`: a forked Node with Electron's process.parentPort.
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { UtilityEvents } from './events.ts';
import { clone, host, withoutNodeOptions } from './state.ts';

/** What makes Node a utility process: its members, and rejections that only warn. */
export const childFlags = [
  '--unhandled-rejections=warn',
  '--import',
  new URL('./child.ts', import.meta.url).href,
];

class UtilityProcess extends EventEmitter<UtilityEvents> {
  readonly #child: ChildProcess;
  #hasSpawned = false;
  readonly #waiting: unknown[] = [];
  constructor(path: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    if (!host.isReady) throw new Error('utilityProcess cannot be created before app is ready');
    this.#child = fork(path, args, {
      serialization: 'advanced',
      silent: options.stdio === 'pipe',
      env: withoutNodeOptions({ ...(options.env ?? process.env) }),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      execArgv: [...childFlags, ...(options.execArgv ?? [])],
    });
    this.#child.on('spawn', () => {
      this.#hasSpawned = true;
      // Messages before the start are queued.
      for (const data of this.#waiting.splice(0)) this.postMessage(data);
      this.emit('spawn');
    });
    this.#child.on('exit', (code, signal) => {
      // V8 aborts when a heap is full; Electron says so before the exit.
      if (signal === 'SIGABRT') this.emit('error', 'FatalError', 'CALL_AND_RETRY_LAST', '{}');
      this.emit('exit', code ?? (signal ? 15 : 1));
    });
    this.#child.on('message', (message) => this.emit('message', message));
    process.on('exit', () => this.#child.kill('SIGKILL'));
  }
  get pid(): number | undefined {
    const { exitCode, signalCode, pid } = this.#child;
    return this.#hasSpawned && exitCode === null && signalCode === null ? pid : undefined;
  }
  get stdout() {
    return this.#child.stdout;
  }
  get stderr() {
    return this.#child.stderr;
  }
  postMessage(data: unknown): void {
    if (!this.#hasSpawned) {
      this.#waiting.push(clone(data));
      return;
    }
    if (this.#child.connected) this.#child.send(clone(data) as object);
  }
  kill = (): boolean => this.#child.kill();
}

/** Electron's `utilityProcess`. */
export const utilityProcess = {
  fork: (path: string, args: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    new UtilityProcess(path, args, options),
};

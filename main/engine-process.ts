/**
 * Owns the engine's process: starts it, knows where it answers, restarts it after a crash.
 *
 *   starting ──ready──> ready ──exit──> starting   (a bounded number of times, each later)
 *      │ failed, or too many exits         │
 *      └──────────> failed ──restart()─────┘
 *   any ──stop()──> stopped                         (killed where it does not end by itself)
 */
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { UtilityProcess } from 'electron';
import { z } from 'zod';
import { engineStopMaxMs } from '../engine/contract/limits/platform.ts';
import type { EngineAddress } from './engine-proxy.ts';
import { nextRestartDelayMs } from './restart-delay.ts';

/** What the engine says to main. */
const EngineMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.url(), pid: z.int() }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('stopped') }),
]);

/** Where the engine stands; a failure carries a sentence for a person. */
export type EngineState =
  | { name: 'starting' }
  | ({ name: 'ready' } & EngineAddress)
  | { name: 'failed'; sentence: string }
  | { name: 'stopped' };

/** How the engine is started; the session token is made anew for every start. */
export interface EngineOptions {
  /** Starts the process; Electron's utilityProcess.fork with everything but the messages. */
  fork: () => UtilityProcess;
  port: number;
  /** Replaces the passing of time in tests. */
  waitMs?: (delayMs: number) => Promise<unknown>;
}

/** The engine's process, whatever becomes of it. */
export class EngineProcess {
  #state: EngineState = { name: 'starting' };
  #child: UtilityProcess | null = null;
  #exitTimesMs: number[] = [];
  readonly #options: EngineOptions;
  readonly #events = new EventEmitter<{ change: [EngineState] }>();

  constructor(options: EngineOptions) {
    this.#options = options;
    // Every waiting request of the page listens; a page has many.
    this.#events.setMaxListeners(0);
  }

  /** Where the engine stands now. */
  get state(): EngineState {
    return this.#state;
  }

  /** Calls back on every change of state, also from ready to ready after a restart. */
  onChange(listener: (state: EngineState) => void): void {
    this.#events.on('change', listener);
  }

  /** Where the engine answers, as soon as it does. Rejects once it has failed or stopped. */
  async whenReady(): Promise<EngineAddress> {
    if (this.#state.name === 'starting') await once(this.#events, 'change');
    const state = this.#state;
    if (state.name === 'ready') return { url: state.url, token: state.token };
    if (state.name === 'starting') return this.whenReady();
    throw new Error(state.name === 'failed' ? state.sentence : 'the app is closing.');
  }

  /** Starts the process. */
  start(): void {
    const token = randomBytes(32).toString('base64url');
    const child = this.#options.fork();
    this.#child = child;
    this.#change({ name: 'starting' });
    child.on('message', (message: unknown) => this.#receive(message, token));
    child.once('exit', (code) => this.#handleExit(child, code));
    const { port } = this.#options;
    // The engine finds its folder itself, as the command line does: both meet in the same one.
    child.postMessage({ type: 'start', config: { port, sessionToken: token } });
  }

  /** Tries again after a failure, with all its chances back. Does nothing in another state. */
  restart(): void {
    if (this.#state.name !== 'failed') return;
    this.#exitTimesMs = [];
    this.#child?.kill();
    this.start();
  }

  /** Asks the engine to finish its batch and end; kills it where that takes too long. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#change({ name: 'stopped' });
    if (!child || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.postMessage({ type: 'stop' });
    const isLate = await Promise.race([
      ended.then(() => false),
      wait(engineStopMaxMs, true, { ref: false }),
    ]);
    if (isLate) child.kill();
  }

  #change(state: EngineState): void {
    this.#state = state;
    this.#events.emit('change', state);
  }

  #receive(message: unknown, token: string): void {
    const { data } = EngineMessageSchema.safeParse(message);
    if (this.#state.name !== 'starting' || data === undefined) return;
    if (data.type === 'ready') this.#change({ name: 'ready', url: data.url, token });
    if (data.type === 'failed') this.#change({ name: 'failed', sentence: data.message });
  }

  #handleExit(child: UtilityProcess, code: number): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (this.#state.name === 'failed' || this.#state.name === 'stopped') return;
    const nowMs = Date.now();
    const delayMs = nextRestartDelayMs(this.#exitTimesMs, nowMs);
    this.#exitTimesMs.push(nowMs);
    if (delayMs === null) {
      const sentence =
        `The engine ended by itself (code ${code}) again and again. Your data is safe. ` +
        'Retry. If it happens again, restart the app.';
      this.#change({ name: 'failed', sentence });
      return;
    }
    this.#change({ name: 'starting' });
    void (this.#options.waitMs ?? wait)(delayMs).then(() => {
      if (this.#state.name === 'starting' && this.#child === null) this.start();
    });
  }
}

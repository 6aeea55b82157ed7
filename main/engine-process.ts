// Manages the engine's process: starts it, knows its address, and restarts it after a crash.
//
//   starting ──ready──> ready ──exit──> starting   (a limited number of times, with growing delays)
//      │ failed, or too many exits         │
//      └──────────> failed ──restart()─────┘
//   any ──stop()──> stopped                         (killed if it does not end in time)
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { UtilityProcess } from 'electron';
import { z } from 'zod';
import {
  engineRestartDelayMinMs,
  engineRestartsMax,
  engineRestartsWindowMs,
  engineStopMaxMs,
} from '../engine/contract/limits/platform.ts';
import { type UpdateRules, UpdateRulesSchema } from '../engine/contract/team/team-config.ts';
import type { EngineAddress } from './engine-proxy.ts';

/**
 * The delay before the next start, which doubles with every exit in the window.
 * @param exitTimesMs when the engine ended by itself before, without the current time
 * @returns milliseconds, or null if it has ended too often
 */
export function nextRestartDelayMs(exitTimesMs: readonly number[], nowMs: number): number | null {
  const recent = exitTimesMs.filter((atMs) => nowMs - atMs < engineRestartsWindowMs).length;
  return recent >= engineRestartsMax ? null : engineRestartDelayMinMs * 2 ** recent;
}

const EngineMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    url: z.url(),
    pid: z.int(),
    dataDir: z.string(),
    updateRules: UpdateRulesSchema.default({}),
  }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('find_proxy'), id: z.int(), origin: z.url() }),
  z.object({ type: z.literal('stopped') }),
]);

/** State of the engine. A failure has a sentence for the user. */
export type EngineState =
  | { name: 'starting' }
  | ({ name: 'ready'; updateRules: UpdateRules; dataDir: string } & EngineAddress)
  | { name: 'failed'; sentence: string }
  | { name: 'stopped' };

/** The end of a process that nobody asked for. */
export interface EngineCrash {
  readonly exitCode: number;
  /** Where V8 gave up, such as a heap without room; null for another end. */
  readonly location: string | null;
  readonly isRestarted: boolean;
}

export interface EngineOptions {
  /** Starts the process: Electron's utilityProcess.fork, without messages. */
  fork: () => UtilityProcess;
  port: number;
  /** The proxy settings of the system for an origin, such as `PROXY proxy.example:8080; DIRECT`. */
  findProxy: (origin: string) => Promise<string>;
  /** Replaces the delays in tests. */
  waitMs?: (delayMs: number) => Promise<unknown>;
}

export class EngineProcess {
  #state: EngineState = { name: 'starting' };
  #child: UtilityProcess | null = null;
  #exitTimesMs: number[] = [];
  readonly #options: EngineOptions;
  readonly #events = new EventEmitter<{ change: [EngineState]; crash: [EngineCrash] }>();

  constructor(options: EngineOptions) {
    this.#options = options;
    // Every waiting request of the page adds a listener, and there may be many.
    this.#events.setMaxListeners(0);
  }

  get state(): EngineState {
    return this.#state;
  }

  /** Calls back on every change of state, including from ready to ready after a restart. */
  onChange(listener: (state: EngineState) => void): void {
    this.#events.on('change', listener);
  }

  /** Calls back when the process ended by itself. */
  onCrash(listener: (crash: EngineCrash) => void): void {
    this.#events.on('crash', listener);
  }

  /** The engine's address, when it is ready. Rejects if it has failed or stopped. */
  async whenReady(): Promise<EngineAddress> {
    if (this.#state.name === 'starting') await once(this.#events, 'change');
    const state = this.#state;
    if (state.name === 'ready') return { url: state.url, token: state.token };
    if (state.name === 'starting') return this.whenReady();
    throw new Error(state.name === 'failed' ? state.sentence : 'the app is closing.');
  }

  start(): void {
    const token = randomBytes(32).toString('base64url');
    const child = this.#options.fork();
    this.#child = child;
    this.#change({ name: 'starting' });
    child.on('message', (message: unknown) => this.#receive(message, token, child));
    let location: string | null = null;
    // Unheard, it would be an exception of main. `exit` follows. The diagnostic report, its third
    // argument, has paths and the environment.
    child.on('error', (_type, where) => {
      location = where;
    });
    child.once('exit', (code) => this.#handleExit(child, code, location));
    const { port } = this.#options;
    // The engine finds its data folder itself, like the command line, so both use the same one.
    child.postMessage({ type: 'start', config: { port, sessionToken: token } });
  }

  /** Restarts after a failure, with all retries. Does nothing in other states. */
  restart(): void {
    if (this.#state.name !== 'failed') return;
    this.#exitTimesMs = [];
    this.#child?.kill();
    this.start();
  }

  /** Asks the engine to finish its batch and exit. Kills it if that takes too long. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#change({ name: 'stopped' });
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // A thread that waits for a question of the keychain would keep the process after this message.
    const closed = new Promise<void>((resolve) => {
      child.on('message', (message) => {
        if (EngineMessageSchema.safeParse(message).data?.type === 'stopped') resolve();
      });
    });
    child.postMessage({ type: 'stop' });
    const late = this.#wait(engineStopMaxMs);
    await Promise.race([ended, closed, late]);
    if (this.#child === child) child.kill();
    await Promise.race([ended, late]);
  }

  #wait(delayMs: number): Promise<unknown> {
    return this.#options.waitMs?.(delayMs) ?? wait(delayMs, undefined, { ref: false });
  }

  #change(state: EngineState): void {
    this.#state = state;
    this.#events.emit('change', state);
  }

  #receive(message: unknown, token: string, child: UtilityProcess): void {
    const { data } = EngineMessageSchema.safeParse(message);
    if (data?.type === 'find_proxy') void this.#answerProxy(child, data);
    if (this.#state.name !== 'starting' || data === undefined) return;
    const { type } = data;
    if (type === 'ready') {
      const { url, updateRules, dataDir } = data;
      this.#change({ name: 'ready', url, token, updateRules, dataDir });
    }
    if (type === 'failed') this.#change({ name: 'failed', sentence: data.message });
  }

  async #answerProxy(child: UtilityProcess, asked: { id: number; origin: string }): Promise<void> {
    const list = await this.#options.findProxy(asked.origin).catch(() => null);
    child.postMessage({ type: 'proxy', id: asked.id, list });
  }

  #handleExit(child: UtilityProcess, code: number, location: string | null): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (this.#state.name === 'failed' || this.#state.name === 'stopped') return;
    const nowMs = Date.now();
    const delayMs = nextRestartDelayMs(this.#exitTimesMs, nowMs);
    this.#exitTimesMs.push(nowMs);
    this.#events.emit('crash', { exitCode: code, location, isRestarted: delayMs !== null });
    if (delayMs === null) {
      const sentence =
        `The engine stopped repeatedly (code ${code}). Your data is safe. ` +
        'Try again. If it happens again, restart the app.';
      this.#change({ name: 'failed', sentence });
      return;
    }
    this.#change({ name: 'starting' });
    void this.#wait(delayMs).then(() => {
      if (this.#state.name === 'starting' && this.#child === null) this.start();
    });
  }
}

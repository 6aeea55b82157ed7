// Keeps one worker of the shared directory running: another takes its place when it ends by
// itself.
//
//   running ──ends──> waiting ──at most a second──> running
//      │└──refused──> waiting ──10 s, or at once over──┘
//      │└──hangs────> killed, which ends it
//      └────────stop────┴──> stopped
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../contract/errors.ts';
import {
  batchDeathsMax,
  queueSilenceMs,
  workerRefusedMs,
  workerRestartMs,
  workerStableMs,
  workerStopMs,
} from '../../contract/shared/limits.ts';
import { childEnvironment } from '../../platform/child-environment.ts';
import { startWorker, workerUrl } from '../../platform/workers/worker-url.ts';
import type { WorkerLogin, WorkerReport, WorkerRequest } from './worker-messages.ts';

// The batches that end every worker which matches them, as by more memory than there is. A worker
// names a batch before it matches it, so its supervisor knows which one it held when it ended.
// After a few ends the next worker refuses the batch, and the other batches of the queue go on.

interface Deaths {
  noteReport(report: WorkerReport): void;
  noteEnd(): void;
  listRefused(): string[];
}

export function countDeaths(): Deaths {
  const counts = new Map<string, number>();
  let held: string | null = null;
  return {
    noteReport(report) {
      if (report.kind === 'taken') held = report.batch;
      else if (report.kind !== 'beat') {
        // A lost server, or a refused login, is not the fault of the batch.
        if (held !== null && report.kind !== 'lost' && report.kind !== 'failed')
          counts.delete(held);
        held = null;
      }
    },
    noteEnd() {
      if (held !== null) counts.set(held, (counts.get(held) ?? 0) + 1);
      held = null;
    },
    listRefused: () =>
      [...counts].flatMap(([batch, ends]) => (ends >= batchDeathsMax ? [batch] : [])),
  };
}

export interface SupervisedTeamWorker {
  readonly login: WorkerLogin;
  onStart?(pid: number | null): void;
  onReport?(report: WorkerReport): void;
  onEnd?(how: string): void;
  /** Whether a refusal is tried again, as an engine does; otherwise it is the end. */
  readonly retriesRefusal: boolean;
  /** How long a stop waits for the batch that it holds, in milliseconds. */
  readonly stopMs?: number;
  /** How long it may hold a batch without a word, in milliseconds. */
  readonly silenceMs?: number;
}

export interface TeamWorker {
  /** Of its process now; null between two, and for a thread. */
  readonly pid: number | null;
  /** Resolves after `stop`; rejects with the EngineError of a refusal that is not tried again. */
  readonly ended: Promise<void>;
  /** Stops after the batch that it holds, or without it after `stopMs`: another takes it then. */
  stop(): Promise<void>;
}

interface Running {
  readonly pid: number | null;
  send(request: WorkerRequest): void;
  kill(): void;
}

interface Listeners {
  onReport(report: WorkerReport): void;
  onGone(how: string): void;
}

/** Starts the entry: a process, or a thread where the program cannot start plain Node. */
function startEntry({ onReport, onGone }: Listeners): Running {
  const entry = workerUrl('team-worker');
  if (process.versions.electron === undefined) {
    const child: ChildProcess = fork(fileURLToPath(entry), {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (report) => onReport(report as WorkerReport));
    child.once('error', (error) => onGone(error.message));
    child.once('exit', (code, signal) => {
      const end = () => onGone(signal ?? `code ${code}`);
      // Its last reports may not have been read yet.
      if (child.connected) child.once('disconnect', end);
      else end();
    });
    return {
      pid: child.pid ?? null,
      // The channel of a process that just ended is closed.
      send: (request) => void (child.connected && child.send(request, () => undefined)),
      kill: () => void child.kill('SIGKILL'),
    };
  }
  const thread = startWorker('team-worker');
  thread.on('message', onReport);
  thread.once('error', (error: Error) => onGone(error.message));
  thread.once('exit', (code) => onGone(`code ${code}`));
  return {
    pid: null,
    send: (request) => thread.postMessage(request),
    kill: () => void thread.terminate(),
  };
}

export function superviseTeamWorker(options: SupervisedTeamWorker): TeamWorker {
  const { login, stopMs = workerStopMs, silenceMs = queueSilenceMs } = options;
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined);
  let running: Running | null = null;
  let isStopped = false;
  let endsInARow = 0;
  const deaths = countDeaths();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    const startedMs = performance.now();
    let failure: EngineError | null = null;
    let silence: NodeJS.Timeout | undefined;
    const handleEnd = (how: string) => {
      // A process that could not be started reports an error and no exit.
      if (running !== own) return;
      running = null;
      clearTimeout(timer);
      clearTimeout(silence);
      if (isStopped) return over.resolve();
      deaths.noteEnd();
      if (failure && !options.retriesRefusal) {
        isStopped = true;
        return over.reject(failure);
      }
      options.onEnd?.(failure?.detail ?? how);
      endsInARow = performance.now() - startedMs >= workerStableMs ? 1 : endsInARow + 1;
      const pauseMs = Math.min(workerRestartMs.max, workerRestartMs.min * 2 ** (endsInARow - 1));
      const delayMs = failure ? workerRefusedMs : pauseMs;
      // It keeps the program alive: nothing else may, between two workers.
      timer = setTimeout(start, delayMs);
    };
    const own = startEntry({
      onReport(report) {
        deaths.noteReport(report);
        clearTimeout(silence);
        const isHolding = report.kind === 'taken' || report.kind === 'beat';
        if (isHolding) silence = setTimeout(() => own.kill(), silenceMs).unref();
        if (report.kind === 'failed') failure = new EngineError(report.code, report.detail);
        options.onReport?.(report);
      },
      onGone: (how) => handleEnd(how),
    });
    running = own;
    own.send({ start: { ...login, refused: deaths.listRefused() } });
    options.onStart?.(own.pid);
  };
  start();
  return {
    get pid() {
      return running?.pid ?? null;
    },
    ended: over.promise,
    async stop() {
      clearTimeout(timer);
      if (!isStopped) {
        isStopped = true;
        const last = running;
        if (!last) over.resolve();
        else {
          last.send({ stop: true });
          if (Number.isFinite(stopMs)) timer = setTimeout(() => last.kill(), stopMs);
        }
      }
      await over.promise.catch(() => undefined);
    },
  };
}

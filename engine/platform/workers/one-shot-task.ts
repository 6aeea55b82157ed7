// The work of a one-shot thread, inside the thread: how it is cancelled and waited for.
import { EngineError } from '../../contract/errors.ts';
import { workStopped } from './worker-rpc.ts';

export interface PassingWork {
  readonly signal: AbortSignal;
  run<Value>(work: Promise<Value>): Promise<Value>;
  cancel(): Promise<void>;
  end(): Promise<void>;
}

export type InThread<Work extends (command: never, ...rest: never) => unknown> = (
  command: Parameters<Work>[0],
  signal?: AbortSignal,
) => Promise<Awaited<ReturnType<Work>>>;

export function createPassingWork(): PassingWork {
  const stopping = new AbortController();
  // The caller is refused. Without a reason it would be told of a bug, which is logged.
  const stop = () => stopping.abort(new EngineError('unavailable', workStopped));
  let ended: Promise<unknown> = Promise.resolve();
  return {
    signal: stopping.signal,
    run(work) {
      ended = work.catch(() => undefined);
      return work;
    },
    async cancel() {
      stop();
    },
    async end() {
      stop();
      await ended;
    },
  };
}

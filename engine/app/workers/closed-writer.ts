// Stands in for the writer of a damaged folder: engine.db is only read.
import { EngineError } from '../../contract/errors.ts';
import type { EnvironmentWorker } from './start-workers.ts';
import type { WriterThreadCalls } from './writer.worker.ts';

export function createClosedWriter(): EnvironmentWorker<WriterThreadCalls> {
  const own: Partial<WriterThreadCalls> = {
    whenOpen: async () => undefined,
    takeIndex: async () => undefined,
    stop: async () => undefined,
  };
  const refuse = async () => {
    throw new EngineError('read_only');
  };
  return {
    calls: new Proxy(own, {
      get: (_target, name) => own[name as keyof WriterThreadCalls] ?? refuse,
    }) as WriterThreadCalls,
    describeFault: () => null,
    stop: async () => undefined,
  };
}

export interface ReplaceableWriter extends EnvironmentWorker<WriterThreadCalls> {
  /** Stops the writer after its current work; a closed one answers from now on. */
  close(): void;
}

export function makeReplaceable(writer: EnvironmentWorker<WriterThreadCalls>): ReplaceableWriter {
  let current = writer;
  return {
    calls: new Proxy(writer.calls, {
      get: (_target, name) => current.calls[name as keyof WriterThreadCalls],
    }),
    describeFault: () => current.describeFault(),
    stop: () => writer.stop(),
    close() {
      current = createClosedWriter();
      void writer.stop();
    },
  };
}

/** Threads that live for one piece of work: started when it comes, ended when it is done. */
import { Worker } from 'node:worker_threads';
import type { TaskProgress } from '../contract/app.ts';
import { EngineError } from '../contract/errors.ts';
import { callThread, type ThreadCaller } from './call-thread.ts';
import { type ThreadName, threadEntry, threadMemory } from './entry.ts';

/** Where passing threads work: the folder, who hears of their progress, and which are at work. */
export interface Workplace {
  readonly folder: string;
  readonly onProgress: (progress: TaskProgress) => void;
  /** Threads at work; a close ends them, and SQLite undoes what they had not committed. */
  readonly working: Set<Pick<ThreadCaller<object>, 'terminate'>>;
  isClosing: boolean;
}

/** A thread that can be told to close its files. */
interface Stoppable {
  stop(command: null): Promise<void>;
}

/** A started thread; `end` closes its files and gives its memory back. */
export interface PassingThread<Table> {
  readonly calls: Table;
  end(): Promise<void>;
}

/** Starts a thread. Throws `read_only` while the engine stops. */
export function startPassingThread<Table extends Stoppable>(
  workplace: Workplace,
  name: ThreadName,
): PassingThread<Table> {
  if (workplace.isClosing) throw new EngineError('read_only', 'The engine is stopping.');
  const worker = new Worker(threadEntry(name), {
    workerData: { folder: workplace.folder },
    resourceLimits: threadMemory,
  });
  const thread = callThread<Table>(worker);
  thread.onEvent(workplace.onProgress);
  workplace.working.add(thread);
  return {
    calls: thread.calls,
    async end() {
      workplace.working.delete(thread);
      await thread.calls.stop(null).catch(() => undefined);
      await thread.terminate();
    },
  };
}

/** Runs one piece of work on a thread of its own. */
export async function runOnThread<Table extends Stoppable, Value>(
  workplace: Workplace,
  name: ThreadName,
  work: (calls: Table) => Promise<Value>,
): Promise<Value> {
  const thread = startPassingThread<Table>(workplace, name);
  try {
    return await work(thread.calls);
  } finally {
    await thread.end();
  }
}

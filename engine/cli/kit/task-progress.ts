// Shows the progress of a task of the engine while a command waits for its answer.
import type { TaskProgress } from '../../contract/events.ts';
import type { EngineClient } from './engine-client.ts';
import { createProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Does some work and shows the progress of the named tasks. @param labels by task */
export async function showTasks<T>(
  terminal: Terminal,
  engine: EngineClient,
  labels: Partial<Record<TaskProgress['task'], string>>,
  work: () => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal);
  const stopListening = await engine.listen((event) => {
    if (event.type !== 'task') return;
    const label = labels[event.progress.task];
    if (label !== undefined) progress.show({ ...event.progress, label });
  });
  try {
    return await work();
  } finally {
    stopListening();
    progress.end();
  }
}

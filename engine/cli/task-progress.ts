/** Shows how far a long task of the engine has come while a command waits for its answer. */
import type { TaskProgress } from '../contract/app.ts';
import type { EngineClient } from './engine-client.ts';
import { createProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Does some work, showing the progress events of the named tasks meanwhile. */
export async function showTasks<T>(
  terminal: Terminal,
  engine: EngineClient,
  tasks: readonly TaskProgress['task'][],
  work: () => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal);
  const stopListening = await engine.listen((event) => {
    if (event.type === 'task' && tasks.includes(event.progress.task)) progress.show(event.progress);
  });
  try {
    return await work();
  } finally {
    stopListening();
    progress.end();
  }
}

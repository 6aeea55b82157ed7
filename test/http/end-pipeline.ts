// Lets a pipeline of a desk run to its end.
import type { Desk } from './open-api-desk.ts';

/** Opens the gate until the pipeline has ended. */
export async function endPipeline({ environment }: Desk, id: string): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const unsubscribe = environment.subscribe((event) => {
    if (event.type === 'pipeline' && event.pipeline.ready && event.pipeline.pipeline_id === id)
      ended.resolve();
  });
  environment.gate.open();
  await ended.promise;
  unsubscribe();
  environment.gate.hold();
}

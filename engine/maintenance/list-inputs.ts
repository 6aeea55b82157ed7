// Lists every stored input of jobs, monitors and pipelines.
import { pageLimitMax } from '../contract/limits/platform.ts';
import { listJobInputs } from '../jobs/job.table.ts';
import { listMonitorInputs } from '../monitors/monitor.table.ts';
import { listPipelineInputs } from '../pipelines/pipeline.table.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';

interface StoredInput {
  readonly owner: 'job' | 'monitor' | 'pipeline';
  readonly uuid: string;
  readonly rowCount: number;
}

export function* listInputs(database: ReadableDatabase): Generator<StoredInput> {
  let last = 0;
  for (;;) {
    const jobs = listJobInputs(database, last, pageLimitMax);
    for (const { id, ...input } of jobs) {
      last = id;
      yield { owner: 'job', ...input };
    }
    if (jobs.length < pageLimitMax) break;
  }
  for (const input of listMonitorInputs(database)) yield { owner: 'monitor', ...input };
  for (const input of listPipelineInputs(database)) yield { owner: 'pipeline', ...input };
}

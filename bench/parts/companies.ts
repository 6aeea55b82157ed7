// A directory of companies without people: import, index and search.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { socketPathOf } from '../../engine/platform/data-dir.ts';
import { createRandom } from '../../test/random.ts';
import { openSocketClient } from '../../test/socket-client.ts';
import { generateCompanies } from '../generate.ts';
import { percentile, readCpuSeconds, watchMemory } from '../measure.ts';
import {
  type BenchContext,
  importAndIndex,
  readLevelMemory,
  startEmptyEngine,
} from './bench-context.ts';

const peakMegabytesMax = 1_536;
const searches = 500;
const filters = [
  { industry: 'Software' },
  { contact_office_country: 'DE' },
  { employee_range: '11-50' },
  { contact_office_country: 'US', employee_range: '51-200' },
  { company_name: 'a' },
];

/** Imports companies with a new engine, searches them, and watches its memory. */
export async function benchCompanies({ root, report, say, sizes }: BenchContext): Promise<void> {
  const folder = join(root, `companies-${sizes.companies}`);
  let path = join(folder, 'companies.csv');
  if (!existsSync(path)) path = generateCompanies(folder, sizes.companies, 42);
  const dataDir = join(root, 'companies');
  const engine = await startEmptyEngine(dataDir);
  const pid = engine.child.pid ?? 0;
  const memory = watchMemory(pid);
  const startedAt = performance.now();
  await importAndIndex(engine, { companies: path });
  const seconds = (performance.now() - startedAt) / 1000;
  say(`companies: ${seconds.toFixed(0)} s, ${readCpuSeconds(pid).toFixed(0)} s of CPU`);
  const client = openSocketClient(socketPathOf(dataDir));
  const random = createRandom(5);
  const times: number[] = [];
  for (let at = 0; at < searches; at++) {
    const asked = filters[at % filters.length]!;
    const offset = Math.floor(random() * 1_000);
    const from = performance.now();
    await client
      .ask('POST', '/app/v1/directory/search/companies', { ...asked, limit: 50, offset })
      .catch(() => undefined);
    times.push(performance.now() - from);
  }
  const peak = memory.stop();
  const idle = await readLevelMemory(pid);
  await engine.stop();
  const what = `${sizes.companies.toLocaleString('en-US')} companies`;
  report(
    `private memory at most, importing, indexing and searching ${what}`,
    `${Math.round(peak)} MB`,
    `≤ ${peakMegabytesMax} MB`,
    peak <= peakMegabytesMax,
  );
  report(`the same engine idle`, `${Math.round(idle)} MB`, '', null);
  report(
    `search of ${what} over HTTP, p50 and p99`,
    `${percentile(times, 0.5).toFixed(1)} and ${percentile(times, 0.99).toFixed(1)} ms`,
    '',
    null,
  );
  for (const file of ['directory.index', 'directory.search']) {
    const megabytes = statSync(join(dataDir, file)).size / 1024 ** 2;
    report(`${file} of ${what}`, `${Math.round(megabytes)} MB`, '', null);
  }
}

// Times pages of a job's results in a fresh process: `node bench/parts/pages.ts SOCKET JOB_ID`
// prints the p99 of each filter in ms, as JSON.

import { createRandom } from '../../test/random.ts';
import { openSocketClient } from '../../test/socket-client.ts';
import { percentile } from '../measure.ts';
import { openPageClient, pageFilters, pagesPerFilter } from './page-client.ts';

const [socketPath = '', jobId = ''] = process.argv.slice(2);
const api = openSocketClient(socketPath);
const client = openPageClient(socketPath);
const random = createRandom(7);

const pagePath = (offset: number, filter: string) =>
  `/api/v1/data-enrichment/result/${jobId}/?limit=50&offset=${offset}${filter}`;

const latencies: Record<string, number> = {};
for (const filter of pageFilters) {
  const { count } = (await api.ask('GET', pagePath(0, filter))) as { count: number };
  const times: number[] = [];
  for (let at = 0; at < pagesPerFilter; at++) {
    const offset = Math.floor(random() * Math.max(1, count - 50));
    times.push(await client.time(pagePath(offset, filter)));
  }
  latencies[filter] = percentile(times, 0.99);
}
client.close();
console.log(JSON.stringify(latencies));

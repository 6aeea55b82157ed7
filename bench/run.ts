// `npm run bench`: every part, or those that are named with `--only`, each with its figures and
// bars.
import './built-program.ts';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BenchContext, createBenchContext } from './parts/bench-context.ts';
import { benchClients } from './parts/clients.ts';
import { benchCompanies } from './parts/companies.ts';
import { benchImport } from './parts/import-floor.ts';
import { benchJob } from './parts/job.ts';
import { benchMemory } from './parts/memory.ts';
import { benchPeers } from './parts/peers.ts';
import { benchScale } from './parts/scale.ts';
import { benchSearch } from './parts/search.ts';
import { benchWaterfall } from './parts/waterfall.ts';

const parts: Readonly<Record<string, (context: BenchContext) => Promise<void>>> = {
  import: benchImport,
  memory: benchMemory,
  job: benchJob,
  peers: benchPeers,
  clients: benchClients,
  search: benchSearch,
  companies: benchCompanies,
  scale: benchScale,
  waterfall: benchWaterfall,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
    people: { type: 'string', default: '1000000' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    companies: { type: 'string', default: '5000000' },
    searches: { type: 'string', default: '2000' },
    compared: { type: 'string', default: '150' },
    out: { type: 'string' },
  },
});

const context = createBenchContext({
  people: Number(values.people),
  rows: Number(values.rows),
  rounds: Number(values.rounds),
  companies: Number(values.companies),
  searches: Number(values.searches),
  compared: Number(values.compared),
});
for (const name of values.only) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part "${name}": ${Object.keys(parts).join(', ')}.`);
  await part(context);
}
if (values.out) writeFileSync(values.out, context.writeTable());

/** The sets of searches while a load derives them, and the values of companies. */
import type { PoolClient } from 'pg';
import type { SharedLayout } from '../layout/shared-layout.ts';
import { chunkShift } from '../search/search-sets.ts';
import type { SearchEntry } from './derive-search.ts';
import { matchTables } from './shared-tables.ts';
import type { RowStage } from './stage-rows.ts';
import { copySets } from './write-sets.ts';

function addToSets(
  sets: Map<number, number[]>,
  id: number,
  { valueIds }: Pick<SearchEntry, 'valueIds'>,
): void {
  for (const value of valueIds) {
    const members = sets.get(value);
    if (members) members.push(id);
    else sets.set(value, [id]);
  }
}

export function groupByValue(entries: ReadonlyMap<number, SearchEntry>): Map<number, number[]> {
  const sets = new Map<number, number[]>();
  for (const [personId, entry] of entries) addToSets(sets, personId, entry);
  return sets;
}

interface CompanyStage {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
  readonly tenant: number;
  readonly stage: RowStage;
  /** Whether rows are compared with those that are there, and not copied into empty tables. */
  readonly isStaged: boolean;
}

/** Stages the values of companies, chunk by chunk. */
export async function stageCompanies(
  { client, layout, tenant, stage, isStaged }: CompanyStage,
  companies: Iterable<[companyId: number, valueIds: readonly number[]]>,
): Promise<void> {
  const place = { client, layout, tenant, searched: 'companies' } as const;
  let chunk = 0;
  let sets = new Map<number, number[]>();
  const finish = async () => {
    await stage.flush();
    if (!isStaged) await copySets(place, chunk, sets);
    sets = new Map();
  };
  for (const [companyId, valueIds] of companies) {
    const next = companyId >>> chunkShift;
    if (next !== chunk) await finish();
    chunk = next;
    stage.add(matchTables.search_company, [companyId, valueIds]);
    if (!isStaged) addToSets(sets, companyId, { valueIds });
  }
  await finish();
}

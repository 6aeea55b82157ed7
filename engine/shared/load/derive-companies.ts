/** Derives what matching reads of companies from directory.db. */

import {
  type GatheredCompanies,
  gatherCompanies,
  listDomainGroups,
  readCompanyRows,
} from '../../directory/index/index-companies.ts';
import { createDictionaryBuilder } from '../../directory/index/index-dictionary.ts';
import { readRows } from '../../directory/index/index-lists.ts';
import { addWorkDomain } from '../../directory/index/index-people.ts';
import { createNumberList } from '../../directory/index/index-postings.ts';
import { readEmailKey } from '../../directory/normalize/match-address.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { BlockKeys } from '../block-keys.ts';
import type { Key } from '../key-hash.ts';

export interface DerivedCompanies {
  readonly companies: GatheredCompanies;
  /** Hash of each group's text. */
  readonly groupHashes: readonly Key[];
  /** Every domain with a company of each group that uses it. */
  listDomains(): Generator<[domain: string, companyIds: number[]]>;
}

type JobRow = [id: number, companyId: number | null, email: string | null];

/** Reads the companies, and the domains of their people's work emails. */
export function deriveCompanies(db: ReadableDatabase, keys: BlockKeys): DerivedCompanies {
  const groupHashes: Key[] = [];
  // The texts of domains are kept, unlike those of an index.
  const domains = createDictionaryBuilder();
  const gathered = gatherCompanies(
    readCompanyRows(db),
    (text) => groupHashes.push(keys.hashText(text)),
    domains,
  );
  for (const row of readRows<JobRow>(db, 'employment', 'id, company_id, email')) {
    const [, companyId, email] = row;
    if (companyId === null || !email) continue;
    addWorkDomain(gathered, gathered.denseOf[companyId]!, readEmailKey(email));
  }
  const lists = listDomainGroups(gathered);
  const texts = Array.from({ length: domains.count() }, (_, id) => domains.text(id));
  const { groupCompanies, ids } = gathered;
  return {
    // Deriving people adds their domains again: to lists that no one reads.
    companies: {
      ...gathered,
      domainPairs: { domains: createNumberList(), groups: createNumberList() },
    },
    groupHashes,
    *listDomains() {
      for (const [domain, text] of texts.entries()) {
        const groups = lists.values.subarray(lists.starts[domain]!, lists.starts[domain + 1]!);
        if (groups.length === 0) continue;
        const companyOf = (group: number) =>
          ids[groupCompanies.order[groupCompanies.starts[group]!]!]!;
        yield [text, Array.from(groups, companyOf)];
      }
    },
  };
}

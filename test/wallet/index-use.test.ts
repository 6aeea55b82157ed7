// Every read of the wallet uses a key or an index, whatever the size of the ledger.
import { expect, test } from 'vitest';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { listLines, readBalanceAt, readLinesAfter } from '../../engine/wallet/line.table.ts';
import { listSpend } from '../../engine/wallet/spend.table.ts';
import { planStatements } from '../migrations/plan-statements.ts';
import { at } from '../migrations/temporary-store.ts';

test.each<[string, (database: WritableDatabase) => unknown, string]>([
  ['listLines', (db) => listLines(db, 1, { limit: 9, before: 5 }), 'ledger_line_at (account_id=?'],
  [
    'listLines of a kind',
    (db) => listLines(db, 1, { kind: 'job', since: at, limit: 9 }),
    'ledger_line_kind (account_id=? AND kind=? AND at>?)',
  ],
  [
    'listLines of a client',
    (db) => listLines(db, 1, { client: 'app', limit: 9 }),
    'ledger_line_client (account_id=? AND key_id=?)',
  ],
  ['readBalanceAt', (db) => readBalanceAt(db, 1, 5), 'ledger_block USING PRIMARY KEY'],
  ['readLinesAfter', (db) => readLinesAfter(db, 1, 5), 'l USING INTEGER PRIMARY KEY (rowid>?)'],
  [
    'listSpend',
    (db) => listSpend(db, 1, { since: '2026-01-01', until: '2026-02-01' }),
    'ledger_spend USING PRIMARY KEY (account_id=? AND day>? AND day<?)',
  ],
])('%s uses an index and sorts no rows', (_, work, index) => {
  const plan = planStatements(work);
  expect(plan.join('\n')).toContain(index);
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

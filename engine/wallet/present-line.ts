// Lines of the wallet in the format of the app and the command line.
import { creditUnits, formatCredits } from '../contract/credits.ts';
import type { WalletClient, WalletLine } from '../contract/wallet/wallet-lines.ts';
import { nameGrant } from '../contract/wallet/wallet-words.ts';
import { findPersonName } from '../directory/read/find-contact.ts';
import { countPaidPeople } from '../ledger/owned-values.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { ClientRow, LineRow } from './line.table.ts';

export interface WalletDatabases {
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
}

const show = (units: number): string => formatCredits(creditUnits(units));

export const presentClient = ({ keyId, clientName, isAssistant }: ClientRow): WalletClient => ({
  id: keyId ?? 'app',
  name: keyId === null ? null : (clientName ?? keyId),
  is_assistant: isAssistant === 1,
});

/** The name of a line without the directory; null for a lookup and for deleted work. */
export const nameLine = ({ kind, name }: LineRow): string | null =>
  kind === 'grant' && name !== null ? nameGrant(name) : name || null;

/** The current name of the person of a lookup; null if the directory does not have the person. */
function findLookedUp({ database, directoryDatabase }: WalletDatabases, line: LineRow) {
  const { personUuid } = countPaidPeople(database, line.id);
  return personUuid && findPersonName(directoryDatabase, personUuid);
}

/** A line with its name. @param balanceUnits the available credits after it */
export function presentLine(
  databases: WalletDatabases,
  line: LineRow,
  balanceUnits: number,
): WalletLine {
  const name = line.kind === 'lookup' ? findLookedUp(databases, line) : nameLine(line);
  return {
    id: line.id,
    kind: line.kind,
    name,
    work_id: line.workId,
    at: line.at,
    client: presentClient(line),
    added: show(line.addedUnits),
    held: show(line.heldUnits),
    open: show(line.heldUnits - line.settledUnits - line.releasedUnits),
    charged: show(line.settledUnits + line.chargedUnits),
    returned: show(line.releasedUnits + line.refundedUnits),
    net: show(line.netUnits),
    balance: show(balanceUnits),
  };
}
